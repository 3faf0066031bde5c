# Runs a script from frozen bytes as if it had been started from where it lives.
# argv: this file, the file with the bytes, the path that the script sees, the arguments of the script.
import builtins
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


def _run(frozen, path):
    with open(frozen, "rb") as stream:
        source = stream.read()
    main = sys.modules["__main__"] = _main_module(path)
    default_hook = sys.excepthook
    own_frames = (sys._getframe().f_code, sys._getframe(1).f_code)
    try:
        exec(compile(source, path, "exec", dont_inherit=True), vars(main))
    except BaseException:
        hook = sys.excepthook

        def show(kind, value, trace):
            # The frames of this file are no part of the script, and the lines to show are those that were run.
            while trace is not None and trace.tb_frame.f_code in own_frames:
                trace = trace.tb_next
            value.__traceback__ = trace
            # An interrupt ends Python by its signal, which importing anything now would undo.
            if hook is default_hook and kind is not KeyboardInterrupt:
                _print_exception(kind, value, source, path)
            else:
                hook(kind, value, trace)

        sys.excepthook = show
        raise


def _print_exception(kind, value, source, path):
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


sys.argv.pop(0)
_frozen = sys.argv.pop(0)
if not getattr(sys.flags, "safe_path", False):
    sys.path[0] = sys.argv[0].rpartition("/")[0] or "/"
    if sys.platform == "win32":
        sys.path[0] = __import__("os").path.dirname(sys.argv[0])
_run(_frozen, sys.argv[0])
