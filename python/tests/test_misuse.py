"""What is said about wrong calls. None of them may do harm."""

import gc
import threading
import time
import unittest
import weakref

from support import TestCase, each, mu

NOT_ATOMIC = mu.MU_ORD_NOT_ATOMIC


@each(*mu._api.GENERATIONS)
class Misuse(TestCase):
    text = ".global @cell <@i64> .const @c <@i64> = 5"

    def wrong(self, text, function, *args):
        """Checks that a call raises TypeError with a text."""
        with self.assertRaises(TypeError) as caught:
            function(*args)
        self.assertEqual(str(caught.exception), text)

    def test_error(self):
        e = self.fails('id_of: E_NAME: nothing is named "@nothing"', self.ctx.id_of, "@nothing")
        self.assertEqual((e.function, e.code), ("id_of", "E_NAME"))
        self.assertIsInstance(e, Exception)
        e = self.fails("load_bundle: E_PARSE: load_bundle: 1:1: wanted a definition such as .typedef, found x", self.ctx.load_bundle, "x")
        self.assertEqual((e.function, e.code), ("load_bundle", "E_PARSE"))
        self.ctx.id_of("@cell")  # the error is past
        self.assertEqual((mu.MuError("text").function, mu.MuError("text").code), ("", ""))

    def test_closed_vm(self):
        h = self.ctx.handle_from_sint64(1)
        self.vm.close()
        self.fails("mu_refimpl2_close: E_CTX_CLOSED: the VM is closed", self.vm.close)
        self.fails("new_context: E_CTX_CLOSED: the VM is closed", self.vm.new_context)
        self.fails("id_of: E_CTX_CLOSED: the VM is closed", self.vm.id_of, "@cell")
        self.fails("set_trap_handler: E_CTX_CLOSED: the VM is closed", self.vm.set_trap_handler, None)
        if self.generation != "zebu-2017":
            self.fails("execute: E_CTX_CLOSED: the VM is closed", self.vm.execute)
        self.fails("id_of: E_CTX_CLOSED: the context is closed", self.ctx.id_of, "@cell")
        self.fails("handle_to_sint64: E_CTX_CLOSED: the context is closed", self.ctx.handle_to_sint64, h)
        self.fails("close_context: E_CTX_CLOSED: the context is closed", self.ctx.close_context)
        self.assertIn("closed", repr(self.vm) + repr(self.ctx))
        del h
        gc.collect()

    def test_closed_context(self):
        with self.vm.new_context() as ctx:
            p, h = ctx._p, ctx.handle_from_sint64(1)
        # The library uses the memory of closed contexts again.
        for _ in range(10000):
            other = self.vm.new_context()
            if other._p == p:
                break
            other.close_context()
        self.assertEqual(other._p, p)
        self.fails("handle_from_sint64: E_CTX_CLOSED: the context is closed", ctx.handle_from_sint64, 1)
        self.fails("handle_to_sint64: E_CTX_CLOSED: the context is closed", ctx.handle_to_sint64, h)
        self.fails("load: E_CTX_CLOSED: the context is closed", ctx.load, NOT_ATOMIC, mu.MuIRefValue(ctx, 5))
        self.fails("close_context: E_CTX_CLOSED: the context is closed", ctx.close_context)

    def test_handles(self):
        ctx = self.ctx
        h = ctx.handle_from_sint64(1)
        ctx.delete_value(h)
        self.fails("opnd: E_HANDLE: the value was deleted", ctx.handle_to_sint64, h)
        self.fails("opnd: E_HANDLE: the value was deleted", ctx.delete_value, h)
        self.fails("opnd: E_HANDLE: the value was deleted", int, h)
        other = self.vm.new_context()
        self.fails("opnd: E_HANDLE: a value of another context", ctx.handle_to_sint64, other.handle_from_sint64(1))
        self.fails("vals: E_HANDLE: a value of another context", ctx._handles, [ctx.handle_from_sint64(1), other.handle_from_sint64(1)], mu.MuValue, "vals")

    def test_classes(self):
        ctx = self.ctx
        n, cell = ctx.handle_from_sint64(1), ctx.handle_from_global("@cell")
        self.wrong("loc: a MuIntValue, want a MuIRefValue", ctx.load, NOT_ATOMIC, n)
        self.wrong("loc: None, want a MuIRefValue", ctx.load, NOT_ATOMIC, None)
        self.wrong("loc: a str, want a MuIRefValue", ctx.load, NOT_ATOMIC, "@cell")
        self.wrong("loc: a int, want a MuIRefValue", ctx.load, NOT_ATOMIC, cell._h)
        self.wrong("newval: None, want a MuValue", ctx.store, NOT_ATOMIC, cell, None)
        self.wrong("opnd: a MuIRefValue, want a MuIntValue", ctx.handle_to_sint64, cell)
        self.wrong("opnd: a MuIntValue, want a MuDoubleValue", ctx.handle_to_double, n)
        self.wrong("opnd: a MuIRefValue, want a MuRefValue", ctx.get_iref, cell)
        self.wrong("func: a MuIRefValue, want a MuFuncRefValue", ctx.new_stack, cell)
        self.wrong("lhs: a MuIntValue, want a MuGenRefValue", ctx.ref_eq, n, cell)
        self.wrong("opnd: a int, want a MuValue", ctx.delete_value, 5)
        self.wrong("opnd: None, want a MuValue", ctx.delete_value, None)
        self.wrong("cast: <class 'int'> is no class of handles", n.cast, int)
        # A plain value passes; the library knows better.
        self.fails("load: E_TYPE: loc: a value of @i64, want an iref", ctx.load, NOT_ATOMIC, ctx.handle_from_const("@c"))
        self.fails("handle_to_double: E_TYPE: opnd: a value of @i64, want a double", float, ctx.handle_from_const("@c"))
        self.fails("load: E_TYPE: loc: a value of @i64, want an iref", ctx.load, NOT_ATOMIC, ctx.handle_from_sint64(1).cast(mu.MuIRefValue))

    def test_numbers(self):
        ctx = self.ctx
        self.wrong("'str' object cannot be interpreted as an integer", ctx.handle_from_sint64, "1")
        self.wrong("'float' object cannot be interpreted as an integer", ctx.handle_from_sint64, 1.5)
        self.wrong("'NoneType' object cannot be interpreted as an integer", ctx.handle_from_sint64, 1, None)
        self.wrong("num: a str, want a number", ctx.handle_from_double, "1")
        self.wrong("id: None, want an ID or a name", ctx.handle_from_global, None)
        self.fails("handle_from_sint64: E_RANGE: len: 0 is neither a length from 1 to 128 nor the ID of an int type", ctx.handle_from_sint64, 1, 0)
        self.fails('id_of: E_NAME: nothing is named "@nothing"', ctx.handle_from_global, "@nothing")
        with self.assertRaisesRegex(mu.MuError, "^handle_from_global: E_ID: [0-9]+ is not the ID of a global cell$"):
            ctx.handle_from_global("@i64")
        self.fails("load: E_ARG: ord: 0x63 is no memory order", ctx.load, 99, ctx.handle_from_global("@cell"))

    def test_texts(self):
        ctx = self.ctx
        self.wrong("name: None, want a str or bytes", ctx.id_of, None)
        self.wrong("buf: None, want a str or bytes", ctx.load_bundle, None)
        self.wrong("buf: a int, want a str or bytes", ctx.load_hail, 5)
        with self.assertRaisesRegex(ValueError, "^name: a text with a NUL$"):
            self.vm.id_of("@a\0b")
        self.assertEqual(ctx.id_of(b"@cell"), ctx.id_of("@cell"))
        ctx.load_bundle(b".typedef @f32 = float")
        ctx.load_bundle(bytearray(b""))
        with self.assertRaisesRegex(mu.MuError, "^load_hail: E_PARSE: load_hail: 1:5: bad .new"):
            ctx.load_hail(".new")

    def test_lists(self):
        if self.generation == "zebu-2017":
            self.wrong("extra_srcs: a str, want several", self.vm.compile_to_sharedlib, "x.so", "x.c")
            self.wrong("extra_srcs: None, want a str or bytes", self.vm.compile_to_sharedlib, "x.so", [None])
        self.wrong("'NoneType' object is not iterable", self.ctx.handle_from_uint64s, None)
        self.wrong("'str' object cannot be interpreted as an integer", self.ctx.handle_from_uint64s, ["1"])

    def test_busy(self):
        # A context that two threads use at the same time.
        ctx = self.ctx
        text = "".join(".typedef @t%d = struct<@i64 @i64> " % i for i in range(3000))
        errors = []

        def use():
            while loading.is_alive() and not errors:
                try:
                    ctx.handle_from_sint64(1)
                except mu.MuError as e:
                    errors.append(str(e))

        def load():
            for i in range(50):
                if not errors:
                    try:
                        ctx.load_bundle(text.replace("@t", "@t%d_" % i))
                    except mu.MuError as e:
                        errors.append(str(e))

        loading = threading.Thread(target=load)
        loading.start()
        use()
        loading.join()
        self.assertRegex(errors[0], "^(handle_from_sint64|load_bundle): E_CTX_BUSY: the context is in use$")
        self.assertEqual(int(ctx.handle_from_sint64(3)), 3)

    def test_generation(self):
        with self.assertRaisesRegex(ValueError, "^generation: 'mu', want one of refimpl2-2016, rmu-ref, zebu-2017$"):
            mu.MuVM(generation="mu")

    def test_dropped(self):
        # A context and a builder that nobody has any more are closed; an open VM is kept, as its threads may run.
        ctx = self.vm.new_context()
        closed = []
        close = ctx._f.close_context
        ctx._f.close_context = lambda p: closed.append(p) or close(p)
        p, h = ctx._p, ctx.handle_from_sint64(1)
        del ctx
        gc.collect()
        self.assertEqual(closed, [])  # the handle has it
        del h
        begin = time.monotonic()
        while not closed and time.monotonic() - begin < 10:
            gc.collect()
        self.assertEqual(closed, [p])
        if self.generation != "refimpl2-2016":
            b = self.ctx.new_ir_builder()
            b.gen_sym("@unused")
            del b
            gc.collect()
        self.ctx.id_of("@cell")


class Settings(unittest.TestCase):
    def test_config(self):
        for config in None, "", "vmLog=ERROR\nsosSize=1048576\n", {"vmLog": "ERROR", "staticCheck": True, "losSize": 4096}:
            for generation in "refimpl2-2016", "rmu-ref":
                with mu.MuVM(config, generation=generation) as vm:
                    self.assertEqual((vm.generation, vm._p is None), (generation, False))
        with self.assertRaisesRegex(mu.MuError, '^mu_refimpl2_new_ex: line 1 of the configuration: unknown key "heapSize": want one of '):
            mu.MuVM({"heapSize": 1})
        with self.assertRaisesRegex(mu.MuError, "^mu_fastimpl_new: unknown option --fast$"):
            mu.MuVM("init_mu --fast", generation="zebu-2017")

    def test_names_of_c(self):
        vm = mu.mu_refimpl2_new()
        mu.mu_refimpl2_close(vm)
        with mu.mu_refimpl2_new_ex("vmLog=ERROR\n") as vm:
            self.assertEqual(vm.generation, "refimpl2-2016")
        with mu.mu_fastimpl_new() as vm:
            self.assertEqual(vm.generation, "zebu-2017")
        mu.mu_fastimpl_new_with_opts("init_mu --log-level=none").close()
        self.assertRegex(mu.mu_get_version(), "^uvm2go")

    def test_closed_is_garbage(self):
        vm = mu.MuVM()
        vm.set_trap_handler(lambda *args: None)
        vm.new_context()
        ref = weakref.ref(vm)
        vm.close()
        del vm
        gc.collect()
        gc.collect()
        self.assertIsNone(ref())

    def test_several_vms(self):
        # Each has names, threads and a trap handler of its own.
        text = """.typedef @i64 = int<64> .funcsig @v = () -> () .global @cell <@i64> .const @c <@i64> = %d
            .funcdef @f VERSION %%v <@v> { %%entry(): TRAP <> STORE <@i64> @cell @c COMMINST @uvm.thread_exit }"""
        vms = [mu.MuVM(generation=g) for g in ("refimpl2-2016", "rmu-ref", "refimpl2-2016")]
        trapped = []
        for i, vm in enumerate(vms):
            ctx = vm.new_context()
            ctx.load_bundle(text % i)
            vm.set_trap_handler(lambda ctx, thread, stack, wpid, i: trapped.append(i) or mu.PassValues(stack), i)
            ctx.new_thread_nor(ctx.new_stack(ctx.handle_from_func("@f")))
        for vm in vms:
            vm.execute()
        self.assertEqual(trapped, [0, 1, 2])
        vms[1].close()
        for i in 0, 2:
            ctx = vms[i].new_context()
            self.assertEqual(int(ctx.load(NOT_ATOMIC, ctx.handle_from_global("@cell"))), i)
            with self.assertRaisesRegex(mu.MuError, "^opnd: E_HANDLE: a value of another context$"):
                vms[2 - i].new_context().handle_to_sint64(ctx.handle_from_sint64(1))
        for i in 0, 2:
            vms[i].close()


class Table(unittest.TestCase):
    def test_functions(self):
        # There is a method for every function, and the slots have no gaps.
        classes = {"MuVM": mu.MuVM, "MuCtx": mu.MuCtx, "MuIRBuilder": mu.MuIRBuilder}
        sizes = {"MuVM": (6, 6, 6), "MuCtx": (175, 89, 89), "MuIRBuilder": (0, 80, 80)}
        for struct, rows in mu._api.FUNCTIONS.items():
            for name, _, _, _ in rows:
                self.assertTrue(callable(getattr(classes[struct], name, None)), struct + "." + name)
            for g in range(3):
                self.assertEqual(sorted(row[1][g] for row in rows if row[1][g]), list(range(1, sizes[struct][g] + 1)))

    def test_classes(self):
        self.assertTrue(issubclass(mu.MuStructValue, mu.MuSeqValue))
        for name in "MuIntValue MuFloatValue MuDoubleValue MuUPtrValue MuUFPValue MuSeqValue MuGenRefValue".split():
            self.assertIs(getattr(mu, name).__bases__[0], mu.MuValue)
        for name in "MuRefValue MuIRefValue MuTagRef64Value MuFuncRefValue MuThreadRefValue MuStackRefValue MuFCRefValue MuIRNode MuIBRefValue".split():
            self.assertIs(getattr(mu, name).__bases__[0], mu.MuGenRefValue)
        self.assertTrue(issubclass(mu.MuInstResNode, mu.MuVarNode) and issubclass(mu.MuConstNode, mu.MuGlobalVarNode))

    def test_numbers(self):
        self.assertEqual((mu.MU_BINOP_FREM, mu.MU_ORD_SEQ_CST, mu.MU_REBIND_THROW_EXC, mu.MU_CI_UVM_THREAD_EXIT), (0xB4, 6, 2, 0x203))
        self.assertEqual(mu.MU_CI_UVM_NATIVE_EXPOSE.numbers, (0x242, 0x243, 0x243))


if __name__ == "__main__":
    unittest.main()
