"""Both builders: that of 2016, whose nodes are handles, and that of the later generations, whose nodes are IDs."""

import ctypes
import unittest

from support import TestCase, each, mu

INT64 = ctypes.c_int64


class Builder2016(TestCase):
    def build_fac(self, b):
        """Builds @fac, a loop, in a bundle; returns the node of the function."""
        ctx = self.ctx
        i64 = ctx.get_node(b, ctx.id_of("@i64"))
        self.assertIs(type(i64), mu.MuChildNode)
        i64 = i64.cast(mu.MuTypeNode)
        one = ctx.new_const_int(b, i64, 1)
        f = ctx.new_func(b, ctx.new_funcsig(b, [i64], [i64]))
        self.assertIsInstance(f, mu.MuGlobalVarNode)
        ctx.set_name(b, f, "@fac")
        v = ctx.new_func_ver(b, f)
        ctx.set_name(b, v, "@fac.v1")
        entry, loop, done = [ctx.new_bb(v) for _ in range(3)]
        n = ctx.new_nor_param(entry, i64)
        ctx.add_dest(ctx.new_branch(entry), mu.MU_DEST_NORMAL, loop, [n, one])
        i, product = ctx.new_nor_param(loop, i64), ctx.new_nor_param(loop, i64)
        more = ctx.new_inst_res(ctx.new_binop(loop, mu.MU_BINOP_MUL, i64, i, product))
        less = ctx.new_inst_res(ctx.new_binop(loop, mu.MU_BINOP_SUB, i64, i, one))
        again = ctx.new_inst_res(ctx.new_cmp(loop, mu.MU_CMP_UGT, i64, less, one))
        branch = ctx.new_branch2(loop, again)
        ctx.add_dest(branch, mu.MU_DEST_TRUE, loop, [less, more])
        ctx.add_dest(branch, mu.MU_DEST_FALSE, done, [more])
        ctx.new_ret(done, [ctx.new_nor_param(done, i64)])
        return f

    def test_fac(self):
        ctx = self.ctx
        b = ctx.new_bundle()
        self.assertIs(type(b), mu.MuBundleNode)
        f = self.build_fac(b)
        id = ctx.get_id(b, f)
        ctx.load_bundle_from_node(b)
        self.assertEqual(id, ctx.id_of("@fac"))
        self.assertEqual(ctx.function("@fac", INT64, INT64)(10), 3628800)
        self.fails("get_id: E_HANDLE: the bundle was loaded or given up", ctx.get_id, b, f)

    def test_with(self):
        ctx = self.ctx
        with ctx.new_bundle() as b:
            self.build_fac(b)
        self.assertEqual(ctx.function("@fac", INT64, INT64)(5), 120)
        with self.assertRaises(ZeroDivisionError):
            with ctx.new_bundle() as b:
                ctx.set_name(b, ctx.new_type_int(b, 7), "@i7")
                1 / 0
        self.fails('id_of: E_NAME: nothing is named "@i7"', ctx.id_of, "@i7")
        self.fails("new_type_int: E_HANDLE: the bundle was loaded or given up", ctx.new_type_int, b, 7)

    def test_opcodes(self):
        # The numbers of some common instructions differ between the generations.
        ctx = self.ctx
        with ctx.new_bundle() as b:
            i64 = ctx.get_node(b, ctx.id_of("@i64"))
            f = ctx.new_func(b, ctx.new_funcsig(b, (), [i64]))
            ctx.set_name(b, f, "@cookie")
            bb = ctx.new_bb(ctx.new_func_ver(b, f))
            inst = ctx.new_comminst(bb, mu.MU_CI_UVM_NATIVE_GET_COOKIE, (), (), (), ())
            ctx.new_ret(bb, [ctx.new_inst_res(inst)])
            self.fails("opcode: refimpl2-2016 has no MU_CI_UVM_NATIVE_GET_ADDR", ctx.new_comminst, bb, mu.MU_CI_UVM_NATIVE_GET_ADDR, (), (), (), ())
        self.assertEqual(ctx.function("@cookie", INT64, cookie=99)(), 99)

    def test_misuse(self):
        ctx = self.ctx
        b = ctx.new_bundle()
        with self.assertRaisesRegex(TypeError, "^elemty: a MuBundleNode, want a MuTypeNode$"):
            ctx.new_type_array(b, b, 5)
        with self.assertRaisesRegex(TypeError, "^b: a MuIntValue, want a MuBundleNode$"):
            ctx.new_type_int(ctx.handle_from_sint8(1), 5)
        with self.assertRaisesRegex(AttributeError, "^refimpl2-2016 has no MuCtx.new_ir_builder$"):
            ctx.new_ir_builder()
        ctx.abort_bundle_node(b)


@each("rmu-ref", "zebu-2017")
class IRBuilder(TestCase):
    def build_fac(self, b):
        """Builds @fac, from its users to what they use; returns its ID."""
        sym = b.gen_sym
        i64, sig, zero, one, f, v = sym("@n"), sym(), sym("@0"), sym("@1"), sym("@fac"), sym("@fac.v1")
        entry, loop, body, done = [sym("@fac.v1." + name) for name in ("entry", "loop", "body", "done")]
        n, n1, r1, cond, n2, r2, less, more, r3 = [sym() for _ in range(9)]
        jump, cmp, branch, mul, sub, back, ret = [sym() for _ in range(7)]
        begin, to_done, to_body, again = [sym() for _ in range(4)]
        b.new_func_ver(v, f, [entry, loop, body, done])
        b.new_func(f, sig)
        b.new_bb(entry, [n], [i64], insts=[jump])
        b.new_branch(jump, begin)
        b.new_dest_clause(begin, loop, [n, one])
        b.new_bb(loop, (n1, r1), (i64, i64), None, [cmp, branch])
        b.new_cmp(cmp, cond, mu.MU_CMP_EQ, i64, n1, zero)
        b.new_branch2(branch, cond, to_done, to_body)
        b.new_dest_clause(to_done, done, [r1])
        b.new_dest_clause(to_body, body, [n1, r1])
        b.new_bb(body, [n2, r2], [i64, i64], mu.MU_NO_ID, [mul, sub, back])
        b.new_binop(mul, more, mu.MU_BINOP_MUL, i64, r2, n2)
        b.new_binop(sub, less, mu.MU_BINOP_SUB, i64, n2, one)
        b.new_branch(back, again)
        b.new_dest_clause(again, loop, [less, more])
        b.new_bb(done, [r3], [i64], None, [ret])
        b.new_ret(ret, [r3])
        b.new_funcsig(sig, [i64], [i64])
        b.new_const_int(zero, i64, 0)
        b.new_const_int(one, i64, 1)
        b.new_type_int(i64, 64)
        return f

    def test_fac(self):
        ctx = self.ctx
        b = ctx.new_ir_builder()
        self.assertIs(type(b), mu.MuIRBuilder)
        f = self.build_fac(b)
        b.load()
        self.assertEqual(f, ctx.id_of("@fac"))
        self.assertEqual(ctx.function(f, INT64, INT64)(10), 3628800)

    def test_with(self):
        ctx = self.ctx
        with ctx.new_ir_builder() as b:
            self.build_fac(b)
        self.assertEqual(ctx.function("@fac", INT64, INT64)(5), 120)
        with self.assertRaises(ZeroDivisionError):
            with ctx.new_ir_builder() as b:
                b.new_type_int(b.gen_sym("@i7"), 7)
                1 / 0
        self.fails('id_of: E_NAME: nothing is named "@i7"', ctx.id_of, "@i7")
        self.fails("gen_sym: E_HANDLE: the bundle was loaded or given up", b.gen_sym)
        self.fails("load: E_HANDLE: the bundle was loaded or given up", b.load)
        for end in "load", "abort":
            with ctx.new_ir_builder() as b:
                getattr(b, end)()

    def test_names(self):
        # What is loaded may be given by its name; so may the opcodes that differ between generations.
        ctx = self.ctx
        with ctx.new_ir_builder() as b:
            sig, v, bb, inst, ret, r = [b.gen_sym() for _ in range(6)]
            b.new_funcsig(sig, [], ["@i64"])
            b.new_func(b.gen_sym("@cookie"), sig)
            f = b.gen_sym("@cookie2")
            b.new_func(f, sig)
            b.new_func_ver(v, f, [bb])
            b.new_bb(bb, [], [], None, [inst, ret])
            b.new_comminst(inst, [r], mu.MU_CI_UVM_NATIVE_GET_COOKIE, [], [], [], [])
            b.new_ret(ret, [r])
            self.fails(
                "opcode: %s has no MU_CI_UVM_IRBUILDER_NEW_BUNDLE" % self.generation, b.new_comminst, inst, [], mu.MU_CI_UVM_IRBUILDER_NEW_BUNDLE, [], [], [], []
            )
        self.assertEqual(ctx.function("@cookie2", INT64, cookie=7)(), 7)

    def test_status(self):
        with self.ctx.new_ir_builder() as b:
            sig, f, v, bb, x, y, r, n, z, op, conv, ret, w = [b.gen_sym() for _ in range(13)]
            b.new_funcsig(sig, ["@i64", "@i64"], ["@i64"])
            b.new_func(f, sig)
            b.new_func_ver(v, f, [bb])
            b.new_bb(bb, [x, y], ["@i64", "@i64"], None, [op, conv, ret])
            b.new_binop_with_status(op, r, [n, z], mu.MU_BINOP_SUB, mu.MU_BOS_N | mu.MU_BOS_Z, "@i64", x, y)
            b.new_conv(conv, w, mu.MU_CONV_ZEXT, "@i1", "@i64", z)
            b.new_ret(ret, [w])
        f = self.ctx.function(f, INT64, INT64, INT64)
        self.assertEqual((f(5, 5), f(5, 6)), (1, 0))

    def test_misuse(self):
        ctx = self.ctx
        with self.assertRaisesRegex(AttributeError, "^%s has no MuCtx.new_bundle$" % self.generation):
            ctx.new_bundle()
        b = ctx.new_ir_builder()
        with self.assertRaisesRegex(ValueError, "^2 nor_param_ids, but 1 nor_param_types: want as many$"):
            b.new_bb(b.gen_sym(), [b.gen_sym(), b.gen_sym()], [b.gen_sym()])
        with self.assertRaisesRegex(TypeError, "^ty: None, want an ID or a name$"):
            b.new_type_ref(b.gen_sym(), None)
        t = b.gen_sym("@wrong")
        b.new_type_struct(t, [b.gen_sym("@undefined")])
        with self.assertRaisesRegex(mu.MuError, "^load: E_[A-Z]+: .*@undefined"):
            b.load()
        self.fails("load: E_HANDLE: the bundle was loaded or given up", b.load)
        other = ctx.new_ir_builder()
        self.vm.close()
        self.fails("gen_sym: E_HANDLE: the bundle was loaded or given up", other.gen_sym)


if __name__ == "__main__":
    unittest.main()
