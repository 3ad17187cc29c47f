"""Values and memory."""

import ctypes
import gc
import unittest

from support import WAITING, TestCase, each, mu

SEQ_CST, NOT_ATOMIC = mu.MU_ORD_SEQ_CST, mu.MU_ORD_NOT_ATOMIC


@each(*WAITING, "zebu-2017")
class Values(TestCase):
    text = """
.const @ten <@i64> = 10000 .const @pi <@double> = 3.25d .global @cell <@i64> .global @other <@i64>
.funcdecl @f <@v>
.typedef @s = struct<@i64 @double @i32> .typedef @a = array<@i64 5> .typedef @vec = vector<@i32 4> .typedef @h = hybrid<@i64 @i8>
.const @c3 <@i64> = 3 .const @c4 <@i64> = 4 .const @c5 <@i64> = 5 .const @c6 <@i64> = 6 .const @c7 <@i64> = 7
.const @c11 <@i32> = 11 .const @c12 <@i32> = 12 .const @c13 <@i32> = 13 .const @c14 <@i32> = 14
.const @struct <@s> = {@ten @pi @c11} .const @array <@a> = {@c3 @c4 @c5 @c6 @c7} .const @vector <@vec> = {@c11 @c12 @c13 @c14}
.typedef @tag = tagref64 .typedef @i52 = int<52> .typedef @i6 = int<6>
"""

    def test_numbers(self):
        ctx = self.ctx
        h = ctx.handle_from_sint64(100, 64)
        self.assertIs(type(h), mu.MuIntValue)
        self.assertEqual(ctx.handle_to_sint64(h), 100)
        h = ctx.handle_from_sint64(2147483648, 32)
        self.assertEqual((ctx.handle_to_sint32(h), ctx.handle_to_uint32(h)), (-2147483648, 2147483648))
        self.assertEqual((ctx.handle_to_sint64(h), ctx.handle_to_uint64(h)), (-2147483648, 2147483648))
        for bits in 8, 16, 32, 64:
            signed, low = getattr(ctx, "handle_from_sint%d" % bits), -(1 << bits - 1)
            self.assertEqual(ctx.handle_to_sint64(signed(low)), low)  # of that length
            unsigned = getattr(ctx, "handle_from_uint%d" % bits)
            self.assertEqual(ctx.handle_to_sint64(unsigned((1 << bits) - 1)), -1)
            self.assertEqual(getattr(ctx, "handle_to_uint%d" % bits)(signed(-1)), (1 << bits) - 1)
            self.assertEqual(getattr(ctx, "handle_to_sint%d" % bits)(signed(-2)), -2)
        self.assertEqual(ctx.handle_to_uint64(ctx.handle_from_uint64(300, len=8)), 44)
        self.assertEqual(ctx.handle_to_float(ctx.handle_from_float(0.5)), 0.5)
        self.assertEqual(ctx.handle_to_double(ctx.handle_from_double(1)), 1.0)

    def test_large_numbers(self):
        ctx = self.ctx
        n = (7 << 64) + 5
        wide = ctx.handle_from_uint64s([5, 7], 128)
        place = ctx.get_iref(ctx.new_fixed("@i128"))
        ctx.store(NOT_ATOMIC, place, wide)
        again = ctx.get_iref(ctx.new_fixed("@i128"))
        ctx.store(NOT_ATOMIC, again, ctx.handle_from_int(n, 128))
        for p in place, again:
            words = ctx.handle_to_ptr(ctx.pin(p))
            self.assertEqual(list((ctypes.c_uint64 * 2).from_address(words)), [5, 7])
            ctx.unpin(p)
        self.assertEqual(int(ctx.handle_from_int(-1, 64)), -1)
        self.assertEqual(ctx.handle_to_uint64(ctx.handle_from_int(-1, 33)), (1 << 33) - 1)

    def test_globals(self):
        ctx = self.ctx
        ten, pi = ctx.handle_from_const(ctx.id_of("@ten")), ctx.handle_from_const("@pi")
        self.assertEqual((ctx.handle_to_sint64(ten), ctx.handle_to_double(pi)), (10000, 3.25))
        self.assertEqual((int(ten), float(pi)), (10000, 3.25))
        self.assertEqual((type(ten), type(pi)), (mu.MuValue, mu.MuValue))
        self.assertIs(type(ten.cast(mu.MuIntValue)), mu.MuIntValue)
        cell, f = ctx.handle_from_global("@cell"), ctx.handle_from_func("@f")
        self.assertEqual((type(cell), type(f)), (mu.MuIRefValue, mu.MuFuncRefValue))
        self.assertIsInstance(cell, mu.MuGenRefValue)
        self.assertIsInstance(f, mu.MuValue)
        self.assertNotIsInstance(f, mu.MuIRefValue)
        for h in ten, pi, cell:
            ctx.delete_value(h)
        f.delete()
        self.assertIn("deleted", repr(f))

    def test_names(self):
        id = self.vm.id_of("@cell")
        self.assertEqual(self.ctx.id_of("@cell"), id)
        self.assertEqual((self.vm.name_of(id), self.ctx.name_of(id)), ("@cell", "@cell"))
        self.assertNotEqual(self.ctx.id_of("@other"), id)

    def test_aggregates(self):
        ctx = self.ctx
        s = ctx.handle_from_const("@struct").cast(mu.MuStructValue)
        self.assertEqual(float(ctx.extract_value(s, 1)), 3.25)
        self.assertEqual(int(ctx.extract_value(s, 2)), 11)
        t = ctx.insert_value(s, 2, ctx.handle_from_sint32(12))
        self.assertIs(type(t), mu.MuStructValue)
        self.assertEqual((int(ctx.extract_value(t, 2)), int(ctx.extract_value(s, 2))), (12, 11))
        for name, cls, want in ("@array", mu.MuArrayValue, [3, 4, 5, 6, 7]), ("@vector", mu.MuVectorValue, [11, 12, 13, 14]):
            h = ctx.handle_from_const(name).cast(cls)
            self.assertIsInstance(h, mu.MuSeqValue)
            self.assertEqual([int(ctx.extract_element(h, ctx.handle_from_sint64(i))) for i in range(len(want))], want)
            new = ctx.handle_from_const("@c6" if cls is mu.MuArrayValue else "@c14")
            changed = ctx.insert_element(h, ctx.handle_from_sint32(1, 32), new)
            self.assertIs(type(changed), cls)
            self.assertEqual(int(ctx.extract_element(changed, 1)), int(new))
            self.assertEqual(int(ctx.extract_element(h, 1)), want[1])

    def test_memory(self):
        ctx = self.ctx
        r = ctx.new_fixed("@s")
        self.assertIs(type(r), mu.MuRefValue)
        field = ctx.get_field_iref(ctx.get_iref(r), 0)
        for order in SEQ_CST, NOT_ATOMIC:
            ctx.store(order, field, ctx.handle_from_sint64(order + 1))
            self.assertEqual(int(ctx.load(order, field)), order + 1)
        array = ctx.get_iref(ctx.new_fixed("@a"))
        first = ctx.get_elem_iref(array, ctx.handle_from_sint64(0))
        third = ctx.get_elem_iref(array, ctx.handle_from_sint64(3))
        shifted = ctx.shift_iref(first, 3)
        self.assertIs(ctx.ref_eq(third, shifted), True)
        self.assertIs(ctx.ref_eq(third, first), False)
        self.assertIs(ctx.ref_ult(first, third), True)
        self.assertIs(ctx.ref_ult(third, first), False)
        hybrid = ctx.get_iref(ctx.new_hybrid("@h", ctx.handle_from_sint64(3, 64)))
        var = ctx.get_var_part_iref(hybrid)
        ctx.store(NOT_ATOMIC, ctx.shift_iref(var, 2), 77)
        self.assertEqual(int(ctx.load(NOT_ATOMIC, ctx.shift_iref(var, 2))), 77)
        void = ctx.refcast(r, "@rvoid")
        self.assertTrue(ctx.ref_eq(void, r))

    def test_hybrid_address(self):
        # The address of a hybrid is that of its first fixed field.
        ctx = self.ctx
        h = ctx.new_hybrid("@h", 3)
        whole = ctx.handle_to_ptr(ctx.pin(h))
        field = ctx.get_field_iref(ctx.get_iref(h), 0)
        self.assertEqual(ctx.handle_to_ptr(ctx.pin(field)), whole)
        ctx.unpin(field)
        ctx.unpin(h)
        self.assertNotEqual(whole, 0)

    def test_atomic(self):
        ctx = self.ctx
        cell = ctx.handle_from_global("@cell")
        ctx.store(SEQ_CST, cell, 100)
        old, ok = ctx.cmpxchg(SEQ_CST, SEQ_CST, False, cell, ctx.handle_from_sint64(100), ctx.handle_from_sint64(200))
        self.assertEqual((int(old), ok), (100, True))
        old, ok = ctx.cmpxchg(SEQ_CST, SEQ_CST, False, cell, 100, 300)
        self.assertEqual((int(old), ok), (200, False))
        self.assertEqual(int(ctx.atomicrmw(SEQ_CST, mu.MU_ARMW_ADD, cell, ctx.handle_from_sint64(300))), 200)
        self.assertEqual(self.cell(), 500)
        self.assertIsNone(ctx.fence(SEQ_CST))

    def test_tagged(self):
        ctx = self.ctx
        t = ctx.tr64_from_fp(ctx.handle_from_double(1.5))
        self.assertEqual((ctx.tr64_is_fp(t), ctx.tr64_is_int(t), ctx.tr64_is_ref(t)), (True, False, False))
        self.assertEqual(float(ctx.tr64_to_fp(t)), 1.5)
        t = ctx.tr64_from_int(ctx.handle_from_sint64(-3, 52))
        self.assertEqual(int(ctx.tr64_to_int(t)), -3)
        r = ctx.refcast(ctx.new_fixed("@i64"), "@rvoid")
        t = ctx.tr64_from_ref(r, ctx.handle_from_sint8(5, 6))
        self.assertIs(type(t), mu.MuTagRef64Value)
        self.assertEqual((ctx.tr64_is_ref(t), int(ctx.tr64_to_tag(t))), (True, 5))
        self.assertTrue(ctx.ref_eq(ctx.tr64_to_ref(t), r))

    def test_plain_numbers(self):
        # Numbers of Python where a value is wanted: an int<64> or a double.
        ctx = self.ctx
        s = ctx.get_iref(ctx.new_fixed("@s"))
        ctx.store(NOT_ATOMIC, ctx.get_field_iref(s, 0), 5)
        ctx.store(NOT_ATOMIC, ctx.get_field_iref(s, 1), 2.5)
        ctx.store(NOT_ATOMIC, ctx.get_field_iref(s, 2), -1)
        self.assertEqual(int(ctx.load(NOT_ATOMIC, ctx.get_field_iref(s, 0))), 5)
        self.assertEqual(float(ctx.load(NOT_ATOMIC, ctx.get_field_iref(s, 1))), 2.5)
        self.assertEqual(int(ctx.load(NOT_ATOMIC, ctx.get_field_iref(s, 2))), -1)

    def test_garbage(self):
        # Handles whose objects are gone are deleted, by the calls of the context.
        ctx = self.ctx
        deleted = []
        delete = ctx._f.delete_value
        ctx._f.delete_value = lambda p, h: deleted.append(h) or delete(p, h)
        h = ctx.new_fixed("@i64")
        number = h._h
        del h
        gc.collect()
        gc.collect()
        ctx.handle_from_sint64(1)
        self.assertIn(number, deleted)
        deleted.clear()
        ctx.store(NOT_ATOMIC, ctx.handle_from_global("@cell"), 5)  # 5 has a handle for the call
        gc.collect()
        ctx.handle_from_sint64(1)
        self.assertEqual(len(deleted), 3)  # of 1 above, of the cell, of 5
        for i in range(100):
            ctx.store(NOT_ATOMIC, ctx.handle_from_global("@cell"), i)  # which returns nothing
            self.assertLess(len(ctx._dead), 4)
        kept = ctx.new_fixed("@i64")
        for _ in range(1000):
            ctx.new_fixed("@i64")
        gc.collect()
        ctx.handle_from_sint64(1)
        self.assertGreater(len(deleted), 1000)
        self.assertNotIn(kept._h, deleted)
        self.assertEqual(int(ctx.load(NOT_ATOMIC, ctx.get_iref(kept))), 0)


if __name__ == "__main__":
    unittest.main()
