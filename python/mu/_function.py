"""Functions of Mu that Python calls."""

import ctypes

from . import _api
from ._errors import MuError, calls, raise_first

__all__ = ["MuFunction"]


class MuFunction:
    """A Mu function as a callable. It is exposed to C until close, at the address pointer; a with statement closes it.

    A call runs in the calling thread, while other threads of Python go on. An uncaught exception of Mu ends the process. A trap handler
    that ends the thread leaves the caller waiting for ever.
    """

    def __init__(self, ctx, func, result, params, cookie):
        self.ctx = ctx
        self._exposed = ctx.expose(func, _api.MU_CC_DEFAULT, cookie)
        self.pointer = ctx.handle_to_ptr(self._exposed)
        self._call = ctypes.CFUNCTYPE(result, *params)(self.pointer)

    def __call__(self, *args):
        if self._exposed is None or self.ctx.vm._p is None:
            raise MuError("the function is closed")
        failures = []
        calls.failures.append(failures)
        try:
            r = self._call(*args)
        finally:
            calls.failures.pop()
        if failures:
            raise_first(failures)
        return r

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.close()

    def close(self):
        """Unexposes the function. Nothing may call it any more."""
        exposed, self._exposed = self._exposed, None
        if exposed is not None and self.ctx._p is not None:
            self.ctx.unexpose(_api.MU_CC_DEFAULT, exposed)
