"""Calls of Mu functions from Python, and of Python from Mu."""

import ctypes
import gc
import threading
import unittest

from support import WAITING, TestCase, each, mu

INT64 = ctypes.c_int64


@each(*WAITING, "zebu-2017")
class Functions(TestCase):
    text = """
.typedef @fp = ufuncptr<@one> .global @callback <@fp> .const @c1 <@i64> = 1 .global @cell <@i64>
.funcsig @dd = (@double @float) -> (@double) .funcsig @mixed = (@i8 @i32) -> (@i64)
.typedef @p = uptr<@i64> .funcsig @fill = (@p) -> () .funcsig @none = () -> (@i64)
.funcdef @inc VERSION %v1 <@one> { %entry(<@i64> %x): %y = ADD <@i64> %x @c1 RET %y }
.funcdef @mul VERSION %v1 <@dd> { %entry(<@double> %x <@float> %y): %z = FPEXT <@float @double> %y %r = FMUL <@double> %x %z RET %r }
.funcdef @mix VERSION %v1 <@mixed> { %entry(<@i8> %x <@i32> %y): %a = SEXT <@i8 @i64> %x %b = SEXT <@i32 @i64> %y %r = SUB <@i64> %a %b RET %r }
.funcdef @set VERSION %v1 <@fill> { %entry(<@p> %x): STORE PTR <@i64> %x @c1 RET () }
.funcdef @cookie VERSION %v1 <@none> { %entry(): %c = COMMINST @uvm.native.get_cookie RET %c }
.funcdef @calls VERSION %v1 <@one> { %entry(<@i64> %x): %f = LOAD <@fp> @callback %r = CCALL #DEFAULT <@fp @one> %f (%x) %s = ADD <@i64> %r @c1 RET %s }
.funcdef @run VERSION %v1 <@take> { %entry(<@i64> %x): %r = CALL <@one> @calls (%x) STORE <@i64> @cell %r COMMINST @uvm.thread_exit }
"""

    def set_callback(self, f):
        ctx = self.ctx
        ctx.store(mu.MU_ORD_NOT_ATOMIC, ctx.handle_from_global("@callback"), ctx.handle_from_fp("@fp", f))

    def test_call(self):
        ctx = self.ctx
        self.assertEqual(ctx.function("@inc", INT64, INT64)(41), 42)
        self.assertEqual(ctx.function(ctx.id_of("@inc"), INT64, INT64)(-1), 0)
        self.assertEqual(ctx.function(ctx.handle_from_func("@mul"), ctypes.c_double, ctypes.c_double, ctypes.c_float)(1.5, 2.5), 3.75)
        self.assertEqual(ctx.function("@mix", INT64, ctypes.c_int8, ctypes.c_int32)(-100, 7), -107)
        n = INT64()
        self.assertIsNone(ctx.function("@set", None, ctypes.c_void_p)(ctypes.addressof(n)))
        self.assertEqual(n.value, 1)
        self.assertEqual(ctx.function("@cookie", INT64, cookie=77)(), 77)

    def test_close(self):
        with self.ctx.function("@inc", INT64, INT64) as inc:
            self.assertEqual(inc(1), 2)
            self.assertEqual(ctypes.CFUNCTYPE(INT64, INT64)(inc.pointer)(2), 3)
        self.fails("the function is closed", inc, 1)
        inc.close()
        other = self.ctx.function("@inc", INT64, INT64)
        self.vm.close()
        self.fails("the function is closed", other, 1)

    def test_threads(self):
        # Calls of several threads of Python at a time.
        inc = self.ctx.function("@inc", INT64, INT64)
        results = []

        def count():
            n = 0
            for _ in range(300):
                n = inc(n)
            results.append(n)

        threads = [threading.Thread(target=count) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(results, [300] * 4)

    def test_callback(self):
        @ctypes.CFUNCTYPE(INT64, INT64)
        def double(x):
            return 2 * x

        calls = self.ctx.function("@calls", INT64, INT64)
        self.set_callback(double)
        del double
        gc.collect()  # the VM keeps it
        self.assertEqual(calls(10), 21)
        # One that calls Mu code, which calls it.
        self.set_callback(self.vm.callback(INT64, INT64)(lambda x: calls(x - 1) if x else 0))
        self.assertEqual(calls(50), 51)
        self.set_callback(ctypes.CDLL(None).labs)
        self.assertEqual(calls(-5), 6)

    def test_exception_in_callback(self):
        @self.vm.callback(INT64, INT64)
        def fails(x):
            raise KeyError(x)

        self.set_callback(fails)
        calls = self.ctx.function("@calls", INT64, INT64)
        with self.assertRaisesRegex(KeyError, "^5$"):
            calls(5)
        self.set_callback(self.vm.callback(INT64, INT64)(abs))
        self.assertEqual(calls(-5), 6)  # it was raised once
        if self.generation in WAITING:
            self.set_callback(fails)
            self.ctx.new_thread_nor(self.ctx.new_stack(self.ctx.handle_from_func("@run")), vals=[6])
            with self.assertRaisesRegex(KeyError, "^6$"):
                self.vm.execute()
            self.assertEqual(self.cell(), 1)  # Mu code has got 0, and gone on

    def test_error_in_callback(self):
        # A call that fails within a callback belongs to the callback.
        def callback(x):
            try:
                self.ctx.id_of("@nothing")
            except mu.MuError:
                return 7

        self.set_callback(self.vm.callback(INT64, INT64)(callback))
        self.assertEqual(self.ctx.function("@calls", INT64, INT64)(5), 8)

    def test_addresses(self):
        ctx = self.ctx
        n = (INT64 * 3)(4, 5, 6)
        address = ctypes.addressof(n)
        for v in n, address, ctypes.c_void_p(address), ctypes.pointer(n), ctypes.cast(n, ctypes.POINTER(INT64)):
            self.assertEqual(ctx.handle_to_ptr(ctx.handle_from_ptr("@p", v)), address)
        self.assertEqual(ctx.handle_to_ptr(ctx.handle_from_ptr("@p", None)), 0)
        with self.assertRaises(TypeError):
            ctx.handle_from_ptr("@p", "text")


if __name__ == "__main__":
    unittest.main()
