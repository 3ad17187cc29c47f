"""MuVM, a VM."""

import collections
import ctypes
import os
import threading
import weakref

from . import _api, _library
from ._context import MuCtx
from ._errors import MuError, MuLibraryError, calls, errors, raise_first, report
from ._struct import Functions
from ._trap import call_handler

__all__ = ["MuVM"]

open_vms = {}  # by their address: the library may call their handlers until they are closed


class MuVM(_api.MuVMFunctions):
    """A VM. It has the functions of MuVM in C.

    config is a configuration text, or a dict of its keys and values; for zebu-2017 it is an option string. library is the folder with the
    library, which is searched for without it. A with statement closes the VM.
    """

    __slots__ = ("generation", "_generation", "_library", "_tables", "_contexts", "_handler", "_thunk", "_failures", "_executing", "_kept", "_lock")

    closed = "E_CTX_CLOSED: the VM is closed"

    def __init__(self, config=None, generation="refimpl2-2016", library=None):
        self._p = None
        if generation not in _api.GENERATIONS:
            raise ValueError("generation: %r, want one of %s" % (generation, ", ".join(_api.GENERATIONS)))
        self.generation = generation
        self._generation = _api.GENERATIONS.index(generation)
        if isinstance(config, dict):
            config = "".join("%s=%s\n" % (k, str(v).lower() if isinstance(v, bool) else v) for k, v in config.items())
        if config is not None:
            config = self._text(config, "config")
        self._library = _library.load(library)
        constructor = self._library.constructor(generation)
        errors.count  # from here on the thread takes its errors
        p = constructor(config)
        if not p:
            errors.throw()
        got = self._library.mu_get_generation(p).decode()
        if got != generation:
            raise MuLibraryError("the library in %s makes VMs of %s, not of %s" % (self._library.folder, got, generation))
        self.vm = self
        self._p = p
        self._tables = {}
        self._contexts = weakref.WeakSet()  # and builders; guarded by _lock
        self._handler = None
        self._thunk = None
        self._failures = collections.deque()  # exceptions for execute
        self._executing = 0  # calls of execute; guarded by _lock
        self._kept = []
        self._lock = threading.Lock()
        self._f = self._functions("MuVM", p)
        open_vms[p] = self

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self._p is not None:
            self.close()

    def __repr__(self):
        return "<MuVM %s %s>" % (self.generation, hex(self._p) if self._p else "closed")

    def _functions(self, struct, pointer):
        # All structs of a VM have the same functions.
        f = self._tables.get(struct)
        if f is None:
            f = self._tables[struct] = Functions(struct, _api.FUNCTIONS[struct], self._generation, _api.GENERATIONS, pointer)
        return f

    def _keep(self, function):
        """Keeps a function of ctypes alive that Mu code may call."""
        self._kept.append(function)

    # Functions whose parameters or results need more than a conversion

    def new_context(self):
        """MuCtx *new_context(MuVM *mvm)"""
        count = errors.count
        r = self._f.new_context(self._p)
        if count.value:
            errors.throw(self)
        return MuCtx(self, r)

    def set_trap_handler(self, trap_handler, userdata=None):
        """void set_trap_handler(MuVM *mvm, MuTrapHandler trap_handler, MuCPtr userdata)

        The handler is called with a context, the thread, its stack and the ID of the watchpoint, and with userdata if that is not
        None. It returns ThreadExit(), PassValues(stack, values) or ThrowExc(stack, exc); None is ThreadExit(). None as handler: a trap is
        an error."""
        if trap_handler is not None and not callable(trap_handler):
            raise TypeError("trap_handler: a %s, want a callable or None" % type(trap_handler).__name__)
        if self._thunk is None and trap_handler is not None:
            # One for all handlers: a call of an earlier handler may be running.
            self._thunk = trap_thunk(weakref.ref(self))
        if trap_handler is not None:
            self._handler = (trap_handler, () if userdata is None else (userdata,))
        count = errors.count
        self._f.set_trap_handler(self._p, ctypes.cast(self._thunk, ctypes.c_void_p) if trap_handler is not None else None, None)
        if count.value:
            errors.throw(self)

    def execute(self):
        """void execute(MuVM *mvm)

        An exception that a trap handler or a callback has raised is raised here. In the main thread it can be interrupted by a
        signal, such as that of Ctrl-C; the threads of Mu go on, and the next execute waits for them."""
        if threading.current_thread() is not threading.main_thread():
            self._execute()
        else:
            # Python handles signals in this thread, but not within a call.
            done = threading.Event()

            def run():
                try:
                    self._execute()
                finally:
                    done.set()

            threading.Thread(target=run, name="MuVM.execute", daemon=True).start()
            # A thread of the library may get the signal, so that it does not end the waiting of this one.
            while not done.wait(0.1):
                pass
        if self._failures:
            failures = list(self._failures)
            self._failures.clear()
            raise_first(failures)

    def _execute(self):
        with self._lock:
            self._executing += 1
        try:
            count = errors.count
            self._f.execute(self._p)
            if count.value:
                errors.throw(self)
        except Exception as e:
            self._failures.append(e)
        finally:
            with self._lock:
                self._executing -= 1

    def _failed(self, e):
        """Keeps an exception for execute, or reports it if there is no call of execute."""
        with self._lock:
            if self._executing:
                self._failures.append(e)
                return
        report(e)

    def callback(self, result, *params):
        """Makes a function of Python one of C, which Mu code may call by its address: a decorator. An exception that it raises
        is raised by the call of a MuFunction that has led to it, or by execute; Mu code gets 0."""

        def decorate(function):
            def call(*args):
                try:
                    return function(*args)
                except BaseException as e:
                    if calls.failures:
                        calls.failures[-1].append(e)
                    else:
                        self._failed(e)
                    return None if result is None else result().value

            c = ctypes.CFUNCTYPE(result, *params)(call)
            self._keep(c)
            return c

        return decorate

    def close(self):
        """void mu_refimpl2_close(MuVM *mvm): stops the threads of the VM for good, and closes its contexts."""
        p, self._p = self._p, None
        if p is None:
            raise MuError("mu_refimpl2_close: " + self.closed)
        count = errors.count
        self._library.uvmmu_close(p)
        self._ended()
        open_vms.pop(p, None)
        if count.value:
            errors.throw()
        while self._failures:
            report(self._failures.popleft())

    def _ended(self):
        """Notes that the contexts and builders are closed."""
        self._p = None
        with self._lock:
            contexts = list(self._contexts)
        for c in contexts:
            c._p = None

    def _has(self, context):
        """Notes a context or a builder, which is closed with the VM."""
        with self._lock:
            self._contexts.add(context)


thunks = []  # all, for ever: a handler may return after its VM was closed


def trap_thunk(vm):
    """The trap handler in C of a VM, which is given by a weak reference."""

    def handle(*args):
        v = vm()
        if v is not None:
            call_handler(v, *args)

    thunks.append(_api.MuTrapHandler(handle))
    return thunks[-1]


def after_fork():
    for vm in open_vms.values():
        for f in vm._tables.values():
            f.forbid()
        vm._ended()
    open_vms.clear()
    _library.forbid()


os.register_at_fork(after_in_child=after_fork)
