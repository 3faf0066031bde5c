# Runs a script from frozen bytes as if it had been started from where it lives.
# argv: this file, the file with the bytes, the path that the script sees, the arguments of the script.
# The script runs from the top level of this file: one frame, no more, is below its own.
import builtins
import os
import sys


def _main_module(path):
    main = type(sys)("__main__")
    namespace = vars(main)
    namespace["__loader__"] = type(__loader__)("__main__", path)
    if "__annotations__" in globals():
        namespace["__annotations__"] = {}
    namespace["__builtins__"] = builtins
    namespace["__file__"] = path
    if "__cached__" in globals():
        namespace["__cached__"] = None
    return main


def _hide_launcher(source, path):
    hook = getattr(sys, "excepthook", sys.__excepthook__)

    def show(kind, value, trace):
        # The frame of this file is no part of the script.
        if trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        value.__traceback__ = sys.last_traceback = trace
        # An interrupt ends Python by its signal, which importing anything now would undo.
        if hook is sys.__excepthook__ and kind is not KeyboardInterrupt and _read(path) != source:
            _print_exception(kind, value, source, path)
        else:
            hook(kind, value, trace)

    sys.excepthook = show


def _print_exception(kind, value, source, path):
    # Python's own hook would show the lines that the file holds by now.
    import linecache
    import tokenize
    import traceback

    try:
        encoding = tokenize.detect_encoding(iter(source.splitlines(True)).__next__)[0]
        lines = source.decode(encoding).splitlines(True)
        linecache.cache[path] = (len(source), None, lines, path)
        if isinstance(value, SyntaxError) and value.filename == path and value.lineno:
            value.text = lines[value.lineno - 1]
    except (SyntaxError, UnicodeError, IndexError):
        pass  # It did not compile for the same reason; the message says so.
    traceback.print_exception(kind, value, value.__traceback__)


def _read(path):
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _begin():
    sys.argv.pop(0)
    source = _read(sys.argv.pop(0))
    path = sys.argv[0]
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(path)
    sys.modules["__main__"] = _main_module(path)
    return source, path


# No name here holds the module or what is in it: when Python ends, they go as if this file were not there.
_source, _path = _begin()
try:
    exec(compile(_source, _path, "exec", dont_inherit=True), vars(sys.modules["__main__"]))
except BaseException:
    _hide_launcher(_source, _path)
    raise
# Only in a forked child: see early-end.py.
if globals().get("_at_start"):
    _leave(*_at_start)
