"""MuIRBuilder, the builder whose nodes are IDs."""

from . import _api
from ._errors import errors

__all__ = ["MuIRBuilder"]


class MuIRBuilder(_api.MuIRBuilderFunctions):
    """A builder of rmu-ref and zebu-2017. A with statement loads the bundle, or gives it up after an exception."""

    __slots__ = ("ctx",)

    closed = "E_HANDLE: the bundle was loaded or given up"

    def __init__(self, ctx, pointer):
        self.ctx = ctx
        self.vm = ctx.vm
        self._p = pointer
        self._f = ctx.vm._functions("MuIRBuilder", pointer)
        self.vm._has(self)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self._p is not None:
            self.load() if kind is None else self.abort()

    def __del__(self):
        if getattr(self, "_p", None) is not None:
            count = errors.count
            before = count.value  # of a call whose error is not looked at yet: this may run at any time
            self._f.abort(self._p)
            count.value = before

    def _end(self, function):
        # It has ended also if that was an error.
        p, self._p = self._p, None
        count = errors.count
        function(p)
        if count.value:
            errors.throw(self if p is None else None)

    def load(self):
        """void load(MuIRBuilder *b)"""
        self._end(self._f.load)

    def abort(self):
        """void abort(MuIRBuilder *b)"""
        self._end(self._f.abort)
