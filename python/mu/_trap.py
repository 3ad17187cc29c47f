"""Trap handlers."""

import ctypes

from . import _api
from ._context import MuCtx

__all__ = ["ThreadExit", "PassValues", "ThrowExc"]


class ThreadExit:
    """The thread ends."""


class PassValues:
    """The thread continues on a stack, which gets values."""

    def __init__(self, stack, values=()):
        self.stack = stack
        self.values = values


class ThrowExc:
    """The thread continues on a stack, where an exception is thrown."""

    def __init__(self, stack, exc):
        self.stack = stack
        self.exc = exc


results = {}  # arrays of values, by their addresses, until the library has read them


@_api.MuValuesFreer
def free(values, data):
    del results[ctypes.addressof(values.contents)]


free_address = ctypes.cast(free, ctypes.c_void_p).value


def call_handler(vm, ctx, thread, stack, wpid, result, new_stack, values, nvalues, freer, freerdata, exception, userdata):
    """Calls the handler of a VM. The thread ends if that raises an exception, which execute raises then."""
    ctx = MuCtx(vm, ctx, trap=True)
    try:
        handler, more = vm._handler
        r = handler(ctx, _api.MuThreadRefValue(ctx, thread), _api.MuStackRefValue(ctx, stack), wpid, *more)
        if r is None or isinstance(r, ThreadExit):
            return
        if isinstance(r, PassValues):
            new_stack[0] = ctx._handle(r.stack, _api.MuStackRefValue, "stack")
            array = ctx._handles(r.values, _api.MuValue, "values")
            results[ctypes.addressof(array)] = array
            values[0] = ctypes.addressof(array)
            nvalues[0] = len(array)
            freer[0] = free_address
            result[0] = _api.MU_REBIND_PASS_VALUES
        elif isinstance(r, ThrowExc):
            new_stack[0] = ctx._handle(r.stack, _api.MuStackRefValue, "stack")
            exception[0] = ctx._handle(r.exc, _api.MuRefValue, "exc")
            result[0] = _api.MU_REBIND_THROW_EXC
        else:
            raise TypeError("a trap handler returns a %s, want ThreadExit, PassValues, ThrowExc or None" % type(r).__name__)
    except BaseException as e:
        vm._failed(e)
    finally:
        ctx._p = None  # the library closes it
