# What an interpreter does as it ends takes longer than all else that a small check does: it touches every object, and
# in a forked child each page of them is copied for it. Where nothing could be seen of it, it is left out: no thread, no
# callback, no finalizer, no open file, nothing from C that is not known to leave nothing. Whatever is in doubt ends in
# the usual way. The file of the server begins with this; nothing is imported before it is needed.

_PLAIN = frozenset(
    """
    NoneType BaseException Exception ArithmeticError AssertionError AttributeError ImportError IndexError KeyError
    KeyboardInterrupt LookupError ModuleNotFoundError NameError NotImplementedError OSError FileNotFoundError
    RuntimeError StopIteration SystemExit TypeError UnicodeDecodeError UnicodeEncodeError ValueError ZeroDivisionError
    bool builtin_function_or_method builtin_method bytearray bytearray_iterator bytes bytes_iterator callable_iterator
    cell classmethod classmethod_descriptor code complex dict dict_items dict_itemiterator dict_keyiterator dict_keys dict_valueiterator
    dict_values ellipsis enumerate filter float frame frozenset function getset_descriptor int iterator list list_iterator
    list_reverseiterator map mappingproxy member_descriptor method method-wrapper method_descriptor module object
    property range range_iterator reversed set set_iterator slice staticmethod str str_iterator str_ascii_iterator super
    traceback tuple tuple_iterator type wrapper_descriptor zip
    types.GenericAlias types.SimpleNamespace types.UnionType typing.TypeAliasType
    _collections._tuplegetter collections.OrderedDict collections.defaultdict collections.deque
    functools.partial functools._lru_cache_wrapper functools._lru_list_elem operator.attrgetter operator.itemgetter
    operator.methodcaller itertools.chain itertools.count itertools.repeat itertools.product re.Match re.Pattern
    _abc._abc_data _thread.RLock _thread.lock _sre.SRE_Scanner _json.Encoder _json.Scanner _struct.Struct _io.BytesIO _io.StringIO
    """.split()
)
# Modules in C that leave nothing to be done at the end.
_HARMLESS = frozenset(
    """
    _abc _bisect _blake2 _collections _collections_abc _csv _datetime _functools _heapq _io _json _locale _opcode
    _operator _random _sha1 _sha2 _sha256 _sha3 _sha512 _md5 _signal _sre _stat _statistics _string _struct _thread
    _tokenize _typing _warnings _weakref atexit binascii builtins errno fcntl gc grp itertools marshal math posix pwd
    sys time unicodedata zlib
    """.split()
)
_HEAP_TYPE = 1 << 9
# What the server finds out for its children: modules that they use unseen, and which types that can't change are plain.
_gc = _atexit = None
_known = {}


def _starts_plain():
    """Whether nothing that was there before the script has a finalizer of its own. Tells its objects from later ones."""
    # The versions that all of this was tried with.
    if not (3, 10) <= sys.version_info < (3, 14):
        return False
    global _gc, _atexit
    import atexit
    import gc

    _gc, _atexit = gc, atexit
    # All that is there becomes old. Freezing would do so too, but what Python itself has frozen must stay so.
    gc.collect(1)
    kinds = set(map(type, gc.get_objects()))
    _known.update((kind, _is_plain(kind)) for kind in kinds if not kind.__flags__ & _HEAP_TYPE)
    return not any(hasattr(kind, "__del__") and kind.__module__ not in ("_io", "builtins") for kind in kinds)


def _note_start():
    """What there is when a forked child begins."""
    return _gc.get_stats()[2]["collections"], _atexit._ncallbacks()


def _leave(collections, callbacks):
    """Ends this process where the end of an interpreter would do nothing that can be seen; else does nothing."""
    try:
        if not _has_no_callbacks(callbacks) or not _ends_unseen(collections):
            return
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        return
    os._exit(0)


def _has_no_callbacks(known):
    """Runs those that the start of Python has registered, as its end does first; those of the script are left to it."""
    if _atexit._ncallbacks() != known or sys.modules["_thread"]._count() > 0:
        return False
    if known > 0:
        _atexit._run_exitfuncs()
    return True


def _ends_unseen(collections):
    if sys.flags.dev_mode or sys.warnoptions or _gc.get_debug():
        return False
    if sys.gettrace() or sys.getprofile():
        return False
    if sys.stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__:
        return False
    if sys.modules["_thread"]._count() > 0 or getattr(sys.modules.get("threading"), "_threading_atexits", None):
        return False
    # Objects that are older than the last full collection can't be told from those of the server.
    if _gc.get_stats()[2]["collections"] != collections or _gc.garbage or _gc.callbacks:
        return False
    if not all(map(_is_harmless, set(sys.modules) - _imported)):
        return False
    for generation in (0, 1):
        for value in _gc.get_objects(generation=generation):
            kind = type(value)
            if kind not in _known:
                _known[kind] = _is_plain(kind)
            verdict = _known[kind]
            if verdict is True or (verdict and verdict(value)):
                continue
            return False
    return True


def _is_harmless(name):
    module = sys.modules[name]
    if isinstance(module, type):
        # One that is only called a module is looked at as an object.
        return True
    origin = getattr(getattr(module, "__spec__", None), "origin", None)
    written = type(origin) is str and (origin == "frozen" or origin.endswith(".py"))
    return written or name in _HARMLESS or name == "__main__"


def _is_unseen(callback):
    """Whether it is no callback, or that of the registry of abstract classes."""
    return callback is None or (type(callback) is type(len) and callback.__name__ == "_destroy")


def _is_plain(kind):
    """True, a function that says it of one object, or False."""
    if kind is type or issubclass(kind, type):
        return lambda cls: "__del__" not in vars(cls) and not hasattr(type(cls), "__del__")
    module, name = kind.__module__, kind.__name__
    if module == "builtins" and name == "generator":
        return lambda generator: generator.gi_frame is None
    if module in ("builtins", "weakref") and name in ("weakref", "ReferenceType", "weakproxy", "KeyedRef"):
        return lambda reference: _is_unseen(reference.__callback__)
    if (name if module == "builtins" else module + "." + name) in _PLAIN:
        return True
    if not kind.__flags__ & _HEAP_TYPE or module in _HARMLESS or "__module__" not in vars(kind):
        return False
    # A class that is written in Python: what it is derived from decides.
    if any("__del__" in vars(base) for base in kind.__mro__):
        return False
    return all(base is kind or _is_plain(base) is True for base in kind.__mro__ if base is not object)
