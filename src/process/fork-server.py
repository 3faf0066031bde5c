# Starts the checks of a run: forks this interpreter, which has started only once, or spawns a fresh one for each.
# In its file launcher.py follows: a forked child returns from _serve and goes on there, at the top level, so that it
# ends as an interpreter ends. Nothing is imported that a bare start of Python does not import itself.
#
# Requests on descriptor 3 are four bytes of length, then fields with a NUL between them. The first one holds the
# entries of the environment that this process was started with, but for the padding. Answers are lines:
#   ready fork | ready spawn WHY     once, after the first request
#   start ID PID | refuse ID         the program of the check runs, or nothing was started
#   exit ID PID STATUS               the status is that of wait(2)
#   pong                             to an empty request
import sys

_imported = set(sys.modules)

import _signal
import os

_CHANNEL = 3
_PADDING = b"EVAL_BANANA_PADDING"
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# A signal that comes just before a read begins does not end the read; the next tick does.
_TICK = 0.05


def _serve():
    """Answers requests until there are no more. Returns in forked children, and nowhere else."""
    running = {}
    buffer = bytearray()
    idle = False

    def reap(*_):
        nonlocal idle
        # Only while nothing else is done, also by itself: a child is noted before its end is told.
        if not idle:
            return
        idle = False
        while running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            _say("exit", running.pop(pid), pid, status)
            if not running:
                _signal.setitimer(_signal.ITIMER_REAL, 0)
        idle = True

    def take(size):
        nonlocal idle
        while len(buffer) < size:
            idle = True
            reap()
            data = os.read(_CHANNEL, 65536)
            idle = False
            if not data:
                raise BrokenPipeError
            buffer.extend(data)
        taken = bytes(buffer[:size])
        del buffer[:size]
        return taken

    def request():
        return take(int.from_bytes(take(4), "big")).split(b"\0")

    def note(pid, number):
        running[pid] = number
        if len(running) == 1:
            _signal.setitimer(_signal.ITIMER_REAL, _TICK, _TICK)

    def start(how, number, cwd, stdout, stderr, kept, count, *rest):
        """True in a forked child."""
        number, kept, count = number.decode(), int(kept), int(count)
        args, entries = rest[:count], environment["entries"][:kept] + list(rest[count:])
        files = []
        try:
            os.chdir(cwd)
            files.append(os.open(os.devnull, os.O_RDWR))
            for path in (stdout, stderr):
                files.append(os.open(path, _NEW_FILE, 0o666))
            pid = os.fork() if how == b"fork" else _spawn(args, entries, files)
            if pid == 0:
                _become(number, args, environment, kept, entries, files)
                return True
            note(pid, number)
            if how == b"spawn":
                _say("start", number, pid)
        except (OSError, ValueError):
            _say("refuse", number)
        finally:
            for fd in files:
                os.close(fd)
        return False

    try:
        os.set_inheritable(_CHANNEL, False)
        environment = _environment(request())
        why = environment["problem"] or _unlike_a_fresh_start()
        environment["plain"] = _starts_plain()
        _signal.signal(_signal.SIGCHLD, reap)
        _signal.signal(_signal.SIGALRM, reap)
        _say("ready", *(("spawn", why) if why else ("fork",)))
        while True:
            fields = request()
            if fields == [b""]:
                _say("pong")
            elif start(*fields):
                return
    except (BrokenPipeError, ConnectionResetError):
        # eb is done, or gone.
        for pid in running:
            # It may not have its own group yet.
            for kill in (os.kill, os.killpg):
                try:
                    kill(pid, 9)
                except OSError:
                    pass
        os._exit(0)


def _say(*words):
    os.write(_CHANNEL, (" ".join(map(str, words)) + "\n").encode())


def _environment(wanted):
    """What the environment was at the start, and where /proc/self/environ shows it."""
    found = [name + b"=" + value for name, value in os.environb.items()]
    plain = [entry for entry in found if not entry.startswith(_PADDING + b"=")]
    # Where the locale is C, Python itself adds an entry as it starts.
    added = [entry for entry in plain[len(wanted) :] if entry.startswith(b"LC_CTYPE=")]
    problem = None if plain == wanted + added else "its start changes the environment"
    os.environb.pop(_PADDING, None)
    _posix_environ().pop(_PADDING, None)
    for name, value in os.environb.items():
        # Moves it to the heap: the place where it is now is overwritten in the children.
        os.putenv(name, value)
    begin, end = map(int, _own_stat()[47:49])
    return {"entries": wanted, "added": added, "problem": problem, "begin": begin, "size": end - begin}


def _posix_environ():
    return sys.modules["posix"].environ


def _own_stat():
    """The fields of /proc/self/stat from the third on."""
    fd = os.open("/proc/self/stat", os.O_RDONLY)
    try:
        return os.read(fd, 4096).rpartition(b")")[2].split()
    finally:
        os.close(fd)


def _unlike_a_fresh_start():
    """Why a forked child would not be what a fresh interpreter is, if there is a reason."""
    if _own_stat()[17] != b"1":
        return "its start starts threads"
    if sys.gettrace() or sys.getprofile():
        return "its start sets a trace function"
    if hasattr(sys, "monitoring") and any(map(sys.monitoring.get_tool, range(6))):
        return "its start sets a monitoring tool"
    # What is inherited, every check inherits.
    if any(map(_is_own, os.listdir("/proc/self/fd"))):
        return "its start opens files"
    return None


def _is_own(fd):
    try:
        return int(fd) != _CHANNEL and not os.get_inheritable(int(fd))
    except OSError:
        # That of the directory that was read.
        return False


def _become(number, args, environment, kept, entries, files):
    """Makes a forked child what a fresh interpreter with these arguments, entries and files is."""
    try:
        os.setsid()
        for name in (_signal.SIGCHLD, _signal.SIGALRM):
            _signal.signal(name, _signal.SIG_DFL)
        _change_environment(environment, kept, entries)
        _show_environment(environment, entries)
        for target, fd in enumerate(files):
            os.dup2(fd, target)
        _change_arguments(*map(os.fsdecode, args))
        _change_modules()
        global _at_start
        _at_start = _note_start() if environment["plain"] else None
        _say("start", number, os.getpid())
        os.close(_CHANNEL)
    except BaseException:
        try:
            _say("refuse", number)
        finally:
            os._exit(0)


def _change_environment(environment, kept, entries):
    shown = _posix_environ()
    for entry in environment["entries"][kept:] + environment["added"]:
        name = entry.partition(b"=")[0]
        del os.environb[name]
        shown.pop(name, None)
    for entry in entries[kept:] + environment["added"]:
        name, _, value = entry.partition(b"=")
        os.environb[name] = shown[name] = value


def _show_environment(environment, entries):
    """Lets /proc/PID/environ show the entries: eb finds what a check left by them."""
    size = environment["size"]
    block = b"\0".join(entries) + b"\0"
    if len(block) > size:
        raise ValueError
    memory = os.open("/proc/self/mem", os.O_RDWR)
    try:
        if os.pwrite(memory, block.ljust(size, b"\0"), environment["begin"]) != size:
            raise ValueError
    finally:
        os.close(memory)


def _change_arguments(frozen, path, context):
    own = sys.argv[0]
    started = [frozen] if frozen == path else [os.path.join(os.path.dirname(own), "launcher.py"), frozen, path]
    sys.argv = [own, frozen, path, context]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv = sys.orig_argv[:-1] + started + [context]
    if own in sys.path_importer_cache:
        sys.path_importer_cache[started[0]] = sys.path_importer_cache.pop(own)


def _change_modules():
    for name in set(sys.modules) - _imported:
        del sys.modules[name]
    # Where the start of Python loads it, the main thread has noted a number that a fork does not change.
    threading = sys.modules.get("threading")
    if hasattr(threading, "main_thread") and hasattr(threading.main_thread(), "_set_native_id"):
        threading.main_thread()._set_native_id()


def _spawn(args, entries, files):
    env = dict(entry.split(b"=", 1) for entry in entries)
    ignored = [_signal.SIGPIPE, _signal.SIGXFSZ]
    try:
        actions = [(os.POSIX_SPAWN_DUP2, fd, target) for target, fd in enumerate(files)]
        return os.posix_spawn(args[0], args, env, file_actions=actions, setsid=True, setsigdef=ignored)
    except (AttributeError, NotImplementedError):
        # Older than Python 3.8, or than what the C library needs for a new session.
        return _fork_and_execute(args, env, files, ignored)


def _fork_and_execute(args, env, files, ignored):
    if not os.access(args[0], os.X_OK):
        raise OSError
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            for name in ignored:
                _signal.signal(name, _signal.SIG_DFL)
            for target, fd in enumerate(files):
                os.dup2(fd, target)
            os.execve(args[0], args, env)
        finally:
            os._exit(127)
    return pid


_serve()
