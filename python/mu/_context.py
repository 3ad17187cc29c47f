"""MuCtx, a context."""

import collections
import ctypes
from operator import index

from . import _api
from ._builder import MuIRBuilder
from ._errors import errors
from ._function import MuFunction
from ._value import MuValue

__all__ = ["MuCtx"]


class MuCtx(_api.MuCtxFunctions):
    """A context: it has the functions of MuCtx in C, and owns the handles that they return.

    One thread at a time may use it. A with statement closes it.
    """

    __slots__ = ("_dead", "_trap")

    closed = "E_CTX_CLOSED: the context is closed"

    def __init__(self, vm, pointer, trap=False):
        self.vm = vm
        self._p = pointer
        self._f = vm._functions("MuCtx", pointer)
        self._dead = collections.deque()  # handles whose objects are gone
        self._trap = trap  # of a trap handler, which ends it
        if not trap:
            vm._has(self)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self._p is not None:
            self.close_context()

    def __del__(self):
        # Nobody has it or one of its handles, so any thread may close it.
        if getattr(self, "_p", None) is not None and not self._trap:
            count = errors.count
            before = count.value  # of a call whose error is not looked at yet: this may run at any time
            self._f.close_context(self._p)
            count.value = before

    def __repr__(self):
        return "<MuCtx %s>" % (hex(self._p) if self._p else "closed")

    # Handles

    def _give(self, cls, h):
        """The object for a handle that is a result."""
        if not h:
            raise MemoryError("no memory for an object")  # of zebu-2017; an error in the others
        if self._dead:
            self._bury()
        return cls(self, h)

    def _bury(self):
        """Deletes the handles whose objects are gone."""
        dead, delete, count = self._dead, self._f.delete_value, errors.count
        while dead:
            delete(self._p, dead.popleft())
        count.value = 0  # the handles of a context that another thread uses live as long as it

    def _handle(self, v, want, name):
        # A plain result may be of any kind, so its class may be above the one that is wanted.
        if isinstance(v, want) or isinstance(v, MuValue) and issubclass(want, type(v)):
            if v.ctx is self and v._h:
                return v._h
        elif isinstance(v, int) and want in (MuValue, _api.MuIntValue):
            return self._temporary(self._f.handle_from_sint64(self._p, v, 64))
        elif isinstance(v, float) and want in (MuValue, _api.MuDoubleValue):
            return self._temporary(self._f.handle_from_double(self._p, v))
        raise self._bad_handle(v, want, name)

    def _temporary(self, h):
        """A handle that is deleted after the call that it is for."""
        if errors.count.value:
            errors.throw(self)
        self._dead.append(h)
        return h

    def _handles(self, list, want, name):
        handles = [self._handle(v, want, name) for v in list]
        return (ctypes.c_void_p * len(handles))(*handles)

    # Functions whose parameters or results need more than a conversion

    def close_context(self):
        """void close_context(MuCtx *ctx)"""
        count = errors.count
        self._f.close_context(self._p)
        if count.value:
            errors.throw(self)
        self._p = None

    def delete_value(self, opnd):
        """void delete_value(MuCtx *ctx, MuValue opnd)"""
        if not isinstance(opnd, MuValue):
            raise self._bad_handle(opnd, MuValue, "opnd")
        count = errors.count
        self._f.delete_value(self._p, self._handle(opnd, MuValue, "opnd"))
        if count.value:
            errors.throw(self)
        opnd._h = None

    def insert_element(self, str, index, newval):
        """MuSeqValue insert_element(MuCtx *ctx, MuSeqValue str, MuIntValue index, MuValue newval): of the class of str"""
        count = errors.count
        r = self._f.insert_element(
            self._p, self._handle(str, _api.MuSeqValue, "str"), self._handle(index, _api.MuIntValue, "index"), self._handle(newval, MuValue, "newval")
        )
        if count.value:
            errors.throw(self)
        return self._give(type(str), r)

    def cmpxchg(self, ord_succ, ord_fail, weak, loc, expected, desired):
        """MuValue cmpxchg(MuCtx *ctx, MuMemOrd ord_succ, MuMemOrd ord_fail, MuBool weak, MuIRefValue loc, MuValue expected,
        MuValue desired, MuBool *is_succ): the old value, and whether the new one was stored"""
        ok = ctypes.c_int()
        count = errors.count
        r = self._f.cmpxchg(
            self._p,
            index(ord_succ),
            index(ord_fail),
            1 if weak else 0,
            self._handle(loc, _api.MuIRefValue, "loc"),
            self._handle(expected, MuValue, "expected"),
            self._handle(desired, MuValue, "desired"),
            ctypes.byref(ok),
        )
        if count.value:
            errors.throw(self)
        return self._give(MuValue, r), ok.value != 0

    def dump_keepalives(self, cursor, results=None):
        """void dump_keepalives(MuCtx *ctx, MuFCRefValue cursor, MuValue *results): a list. results may be the number that is expected."""
        count = errors.count
        h = self._handle(cursor, _api.MuFCRefValue, "cursor")
        n = self.vm._library.mu_count_keepalives(self._p, h)
        if count.value:
            errors.throw(self)
        if results is not None and index(results) != n:
            raise ValueError("dump_keepalives: %d are expected, there are %d" % (results, n))
        array = (ctypes.c_void_p * n)()
        self._f.dump_keepalives(self._p, h, array)
        if count.value:
            errors.throw(self)
        return [MuValue(self, v) for v in array]

    def new_ir_builder(self):
        """MuIRBuilder *new_ir_builder(MuCtx *ctx)"""
        count = errors.count
        r = self._f.new_ir_builder(self._p)
        if count.value:
            errors.throw(self)
        return MuIRBuilder(self, r)

    # Conveniences

    def handle_from_int(self, num, len=64):
        """An int<len> with the low bits of a number of any size."""
        num, len = index(num), index(len)
        if len <= 64:
            return self.handle_from_uint64(num & 0xFFFFFFFFFFFFFFFF, len)
        return self.handle_from_uint64s([num >> s & 0xFFFFFFFFFFFFFFFF for s in range(0, (len + 63) // 64 * 64, 64)], len)

    def function(self, func, result, *params, cookie=0):
        """A Mu function as a callable. func is its ID, its name or a MuFuncRefValue; result and params are types of ctypes that
        its signature has in C."""
        if not isinstance(func, MuValue):
            func = self.handle_from_func(func)
        return MuFunction(self, func, result, params, cookie)
