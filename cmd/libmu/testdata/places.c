// 2016 rmu
// ok
#include "client.h"

// Accesses of memory: those of numbers and pointers in objects and cells, which the library makes in C, and others.

static const char bundle[] =
	".typedef @i1 = int<1> .typedef @i8 = int<8> .typedef @i16 = int<16> .typedef @i32 = int<32> .typedef @i52 = int<52> .typedef @i64 = int<64>\n"
	".typedef @float = float .typedef @double = double .typedef @void = void .typedef @p = uptr<@i8> .typedef @q = uptr<@i64>\n"
	".funcsig @v = () -> () .typedef @fp = ufuncptr<@v> .typedef @r = ref<@i64>\n"
	".typedef @s = struct<@i8 @i16 @i32 @i52 @i64 @float @double @p @fp @r @i1> .typedef @a = array<@i32 5> .typedef @h = hybrid<@i64 @i16>\n"
	".global @g <@s> .global @cell <@i64> .funcdef @add VERSION %v <@v> { %entry(): %x = ATOMICRMW SEQ_CST ADD <@i64> @cell @c40 COMMINST @uvm.thread_exit }\n"
	".const @c40 <@i64> = 40 .typedef @flat = struct<@i8 @i64 @double @a @q> .global @gf <@flat> .typedef @v3 = vector<@float 3> .global @gv <@v3>\n"
	".typedef @tag = tagref64 .global @gt <@tag> .typedef @rv = ref<@void> .typedef @iv = iref<@void> .typedef @is = iref<@s>\n";

static MuVM *vm;
static MuCtx *ctx;

static MuValue number(int64_t x, int bits) { return ctx->handle_from_sint64(ctx, x, bits); }

static uint64_t at(MuIRefValue loc, MuMemOrd ord) { return ctx->handle_to_uint64(ctx, ctx->load(ctx, ord, loc)); }

// together stores and loads values with parts, which C keeps, and takes them apart.
static void together(void) {
	MuIRefValue gf = global(ctx, "@gf"), gv = global(ctx, "@gv"), ga = ctx->get_field_iref(ctx, gf, 3);
	MuStructValue s = ctx->load(ctx, MU_ORD_NOT_ATOMIC, gf);
	MuStructValue t = ctx->insert_value(ctx, s, 0, number(-2, 64)); // cut
	t = ctx->insert_value(ctx, ctx->insert_value(ctx, t, 1, number(77, 8)), 2, ctx->handle_from_double(ctx, 0.5));
	MuArrayValue a = ctx->extract_value(ctx, t, 3);
	for (int i = 0; i < 5; i++) a = ctx->insert_element(ctx, a, number(i, 8), number(-10 - i, 32));
	t = ctx->insert_value(ctx, ctx->insert_value(ctx, t, 3, a), 4, ctx->handle_from_ptr(ctx, id(ctx, "@p"), &vm));
	OK();
	for (int round = 0; round < 2; round++) {
		CHECK(ctx->handle_to_sint8(ctx, ctx->extract_value(ctx, s, 0)) == 0); // as it was
		CHECK(ctx->handle_to_sint8(ctx, ctx->extract_value(ctx, t, 0)) == -2 && ctx->handle_to_sint64(ctx, ctx->extract_value(ctx, t, 1)) == 77);
		CHECK(ctx->handle_to_double(ctx, ctx->extract_value(ctx, t, 2)) == 0.5 && ctx->handle_to_ptr(ctx, ctx->extract_value(ctx, t, 4)) == (MuCPtr)&vm);
		CHECK(ctx->handle_to_sint32(ctx, ctx->extract_element(ctx, ctx->extract_value(ctx, t, 3), number(4, 64))) == -14);
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, gf, t);
		CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, ctx->get_field_iref(ctx, gf, 1))) == 77);
		CHECK(ctx->handle_to_sint32(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, ctx->get_elem_iref(ctx, ga, number(2, 64)))) == -12);
		t = ctx->load(ctx, MU_ORD_NOT_ATOMIC, gf);
	}
	OK();
	MuVectorValue v = ctx->insert_element(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, gv), number(1, 64), ctx->handle_from_float(ctx, 2.5f));
	CHECK(ctx->handle_to_float(ctx, ctx->extract_element(ctx, v, number(1, 32))) == 2.5f && ctx->handle_to_float(ctx, ctx->extract_element(ctx, v, number(0, 32))) == 0);
	OK();
	// Errors.
	ctx->store(ctx, MU_ORD_SEQ_CST, gf, t);
	CHECK(failed(vm));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, gf, v);
	CHECK(failed(vm));
	CHECK(!ctx->extract_value(ctx, t, 5) && failed(vm));
	CHECK(!ctx->extract_value(ctx, v, 0) && failed(vm));
	CHECK(!ctx->extract_element(ctx, v, number(3, 64)) && failed(vm));
	CHECK(!ctx->extract_element(ctx, t, number(0, 64)) && failed(vm));
	CHECK(!ctx->insert_value(ctx, t, 2, number(1, 64)) && failed(vm));
	ctx->delete_value(ctx, v);
	CHECK(!ctx->insert_element(ctx, v, number(0, 64), number(1, 64)) && failed(vm));
}

// beside makes references of others, deletes those that they were made of, and lets others take their places.
static void beside(void) {
	MuRefValue o = ctx->new_fixed(ctx, id(ctx, "@s"));
	MuIRefValue whole = ctx->get_iref(ctx, o), f = ctx->get_field_iref(ctx, whole, 4);
	MuRefValue any = ctx->refcast(ctx, o, id(ctx, "@rv"));
	MuIRefValue cast = ctx->refcast(ctx, ctx->refcast(ctx, whole, id(ctx, "@iv")), id(ctx, "@is"));
	CHECK(ctx->ref_eq(ctx, any, o) && ctx->ref_eq(ctx, cast, whole) && ctx->ref_ult(ctx, whole, f) && !ctx->ref_ult(ctx, f, whole));
	MuTagRef64Value tag = ctx->tr64_from_ref(ctx, any, number(37, 6));
	ctx->delete_value(ctx, o), ctx->delete_value(ctx, whole), ctx->delete_value(ctx, any);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, f, number(4711, 64));
	for (int i = 0; i < 20000; i++) ctx->delete_value(ctx, ctx->new_fixed(ctx, id(ctx, "@s"))); // which would take its memory
	CHECK(at(f, MU_ORD_NOT_ATOMIC) == 4711 && at(ctx->get_field_iref(ctx, cast, 4), MU_ORD_NOT_ATOMIC) == 4711);
	for (int round = 0; round < 2; round++) {
		CHECK(ctx->tr64_is_ref(ctx, tag) && !ctx->tr64_is_int(ctx, tag) && !ctx->tr64_is_fp(ctx, tag));
		CHECK(ctx->handle_to_uint64(ctx, ctx->tr64_to_tag(ctx, tag)) == 37);
		MuRefValue back = ctx->tr64_to_ref(ctx, tag);
		CHECK(ctx->ref_eq(ctx, back, ctx->tr64_to_ref(ctx, tag)));
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@gt"), tag); // brings it to Go
		tag = ctx->load(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@gt"));
	}
	OK();
	static const double doubles[] = {0, -1.5, 1e308, -1e-320};
	for (unsigned i = 0; i < sizeof doubles / sizeof *doubles; i++) {
		MuTagRef64Value t = ctx->tr64_from_fp(ctx, ctx->handle_from_double(ctx, doubles[i]));
		CHECK(ctx->tr64_is_fp(ctx, t) && ctx->handle_to_double(ctx, ctx->tr64_to_fp(ctx, t)) == doubles[i]);
	}
	MuTagRef64Value inf = ctx->tr64_from_fp(ctx, ctx->handle_from_double(ctx, __builtin_inf())), nan = ctx->tr64_from_fp(ctx, ctx->handle_from_double(ctx, -__builtin_nan("12345")));
	double n = ctx->handle_to_double(ctx, ctx->tr64_to_fp(ctx, nan));
	CHECK(ctx->tr64_is_fp(ctx, inf) && ctx->tr64_is_fp(ctx, nan) && ctx->handle_to_double(ctx, ctx->tr64_to_fp(ctx, inf)) == __builtin_inf() && n != n);
	static const int64_t ints[] = {0, -1, 1, -((int64_t)1 << 51), ((int64_t)1 << 51) - 1};
	for (unsigned i = 0; i < sizeof ints / sizeof *ints; i++) {
		MuTagRef64Value t = ctx->tr64_from_int(ctx, number(ints[i], 52));
		CHECK(ctx->tr64_is_int(ctx, t) && ctx->handle_to_sint64(ctx, ctx->tr64_to_int(ctx, t)) == ints[i]);
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@gt"), t);
		CHECK(ctx->handle_to_sint64(ctx, ctx->tr64_to_int(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@gt")))) == ints[i]);
		CHECK(!ctx->tr64_to_fp(ctx, t) && failed(vm) && !ctx->tr64_to_ref(ctx, t) && failed(vm));
	}
	// What leads out of the object is not accessed in C, and the variable part of a new hybrid is.
	MuIRefValue h = ctx->get_iref(ctx, ctx->new_hybrid(ctx, id(ctx, "@h"), number(4, 64))), var = ctx->get_var_part_iref(ctx, h);
	for (int i = 0; i < 4; i++) ctx->store(ctx, MU_ORD_RELAXED, ctx->shift_iref(ctx, var, number(i, 8)), number(i - 100, 16));
	MuIRefValue last = ctx->shift_iref(ctx, ctx->shift_iref(ctx, var, number(5, 64)), number(-2, 64));
	CHECK(ctx->handle_to_sint16(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, last)) == -97);
	OK();
	MuIRefValue far = ctx->shift_iref(ctx, var, number((int64_t)1 << 44, 64));
	CHECK(!ctx->load(ctx, MU_ORD_NOT_ATOMIC, far) && failed(vm));
	OK();
}

// atomics changes numbers with all operators, in C and, as the expected results say, as the reference does.
static void atomics(void) {
	MuIRefValue cell = global(ctx, "@cell"), i32 = ctx->get_field_iref(ctx, global(ctx, "@g"), 2);
	for (int bits = 32; bits <= 64; bits += 32) {
		MuIRefValue loc = bits == 64 ? cell : i32;
		static const int64_t want[] = {-7, -4, -10, 1, -2, -5, -6, 3, -7, -7, 3};
		for (int op = 0; op < 11; op++) {
			ctx->store(ctx, MU_ORD_NOT_ATOMIC, loc, number(op == 0 ? 3 : -7, bits));
			MuValue old = ctx->atomicrmw(ctx, MU_ORD_SEQ_CST, (MuAtomicRMWOptr)op, loc, number(op == 0 ? -7 : 3, bits));
			CHECK(ctx->handle_to_sint64(ctx, old) == (op == 0 ? 3 : -7));
			CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, loc)) == want[op]);
		}
		MuBool done = 7;
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, loc, number(-1, bits));
		CHECK(ctx->handle_to_sint64(ctx, ctx->cmpxchg(ctx, MU_ORD_SEQ_CST, MU_ORD_RELAXED, 1, loc, number(5, bits), number(6, bits), &done)) == -1 && !done);
		CHECK(ctx->handle_to_sint64(ctx, ctx->cmpxchg(ctx, MU_ORD_ACQ_REL, MU_ORD_ACQUIRE, 0, loc, number(-1, bits), number(6, bits), &done)) == -1 && done);
		CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, loc)) == 6);
		OK();
		CHECK(!ctx->cmpxchg(ctx, MU_ORD_NOT_ATOMIC, MU_ORD_RELAXED, 0, loc, number(6, bits), number(7, bits), &done) && failed(vm));
		CHECK(!ctx->cmpxchg(ctx, MU_ORD_SEQ_CST, MU_ORD_RELEASE, 0, loc, number(6, bits), number(7, bits), &done) && failed(vm));
		CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, loc)) == 6);
	}
}

// fields stores in the fields of a struct and loads them.
static void fields(MuIRefValue s) {
	static const int bits[] = {8, 16, 32, 52, 64};
	for (int i = 0; i < 5; i++) {
		MuIRefValue f = ctx->get_field_iref(ctx, s, i);
		uint64_t all = bits[i] == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits[i]) - 1;
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, f, number(-2, bits[i]));
		CHECK(at(f, MU_ORD_NOT_ATOMIC) == all - 1);
		CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, f)) == -2);
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, f, number(-3, 64)); // cut
		CHECK(at(f, MU_ORD_NOT_ATOMIC) == all - 2);
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, f, number(-1, 6)); // extended with zeros
		CHECK(at(f, MU_ORD_NOT_ATOMIC) == 63);
		OK();
		static const MuMemOrd loads[] = {MU_ORD_RELAXED, MU_ORD_CONSUME, MU_ORD_ACQUIRE, MU_ORD_SEQ_CST};
		static const MuMemOrd stores[] = {MU_ORD_RELAXED, MU_ORD_RELEASE, MU_ORD_SEQ_CST};
		for (int k = 0; k < 3; k++) {
			ctx->store(ctx, stores[k], f, number(20 + k, bits[i]));
			CHECK(failed(vm) == (bits[i] == 52));
			CHECK(at(f, MU_ORD_NOT_ATOMIC) == (bits[i] == 52 ? 63 : 20u + (unsigned)k));
		}
		for (int k = 0; k < 4; k++) CHECK(bits[i] == 52 || at(f, loads[k]) == 22);
		OK();
	}
	MuIRefValue f = ctx->get_field_iref(ctx, s, 5), d = ctx->get_field_iref(ctx, s, 6), p = ctx->get_field_iref(ctx, s, 7), fp = ctx->get_field_iref(ctx, s, 8);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, f, ctx->handle_from_float(ctx, -1.5f));
	ctx->store(ctx, MU_ORD_SEQ_CST, d, ctx->handle_from_double(ctx, 2.25));
	CHECK(ctx->handle_to_float(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, f)) == -1.5f);
	CHECK(ctx->handle_to_double(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, d)) == 2.25);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, p, ctx->handle_from_ptr(ctx, id(ctx, "@q"), &vm));
	MuValue v = ctx->load(ctx, MU_ORD_NOT_ATOMIC, p);
	CHECK(ctx->handle_to_ptr(ctx, v) == (MuCPtr)&vm);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, fp, v);
	CHECK((uintptr_t)ctx->handle_to_fp(ctx, ctx->load(ctx, MU_ORD_RELAXED, fp)) == (uintptr_t)&vm);
	MuIRefValue r = ctx->get_field_iref(ctx, s, 9), b = ctx->get_field_iref(ctx, s, 10);
	MuRefValue o = ctx->new_fixed(ctx, id(ctx, "@i64"));
	ctx->store(ctx, MU_ORD_SEQ_CST, r, o);
	CHECK(ctx->ref_eq(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, r), o));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, b, number(3, 64));
	CHECK(at(b, MU_ORD_NOT_ATOMIC) == 1);
	OK();
	// Values of another kind.
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, f, number(1, 32));
	CHECK(failed(vm));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, d, ctx->handle_from_float(ctx, 1));
	CHECK(failed(vm));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, p, number(1, 64));
	CHECK(failed(vm));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, d, o);
	CHECK(failed(vm));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, d, NULL);
	CHECK(failed(vm));
	ctx->store(ctx, MU_ORD_ACQUIRE, d, ctx->handle_from_double(ctx, 1));
	CHECK(failed(vm));
	CHECK(!ctx->load(ctx, MU_ORD_RELEASE, d) && failed(vm));
	CHECK(!ctx->load(ctx, 7, d) && failed(vm));
	CHECK(!ctx->load(ctx, MU_ORD_NOT_ATOMIC, s) || !failed(vm)); // a struct
	CHECK(ctx->handle_to_double(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, d)) == 2.25);
	ctx->delete_value(ctx, d);
	CHECK(!ctx->load(ctx, MU_ORD_NOT_ATOMIC, d) && failed(vm));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, d, ctx->handle_from_double(ctx, 1));
	CHECK(failed(vm));
}

int main(void) {
	if (!freopen("/dev/null", "w", stderr)) return 1; // errors are wanted
	vm = new_vm();
	ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	OK();
	fields(global(ctx, "@g"));
	fields(ctx->get_iref(ctx, ctx->new_fixed(ctx, id(ctx, "@s"))));
	OK();

	// Elements, and what is reached by way of Go.
	MuIRefValue a = ctx->get_iref(ctx, ctx->new_fixed(ctx, id(ctx, "@a")));
	MuIRefValue h = ctx->get_iref(ctx, ctx->new_hybrid(ctx, id(ctx, "@h"), number(4, 64))), part = ctx->get_var_part_iref(ctx, h);
	for (int i = 0; i < 4; i++) {
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, ctx->get_elem_iref(ctx, a, number(i, 64)), number(100 + i, 32));
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, ctx->shift_iref(ctx, part, number(i, 64)), number(200 + i, 16));
	}
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, ctx->get_field_iref(ctx, h, 0), number(-7, 64));
	MuIRefValue a0 = ctx->get_elem_iref(ctx, a, number(0, 64));
	for (int i = 0; i < 4; i++) {
		CHECK(at(ctx->get_elem_iref(ctx, a, number(i, 64)), MU_ORD_NOT_ATOMIC) == 100u + (unsigned)i);
		CHECK(at(ctx->shift_iref(ctx, a0, number(i, 64)), MU_ORD_NOT_ATOMIC) == 100u + (unsigned)i);
		CHECK(at(ctx->shift_iref(ctx, part, number(i, 64)), MU_ORD_NOT_ATOMIC) == 200u + (unsigned)i);
	}
	CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, ctx->get_field_iref(ctx, h, 0))) == -7);
	OK();
	// An element far outside: the access must fail, not end the process.
	CHECK(!ctx->load(ctx, MU_ORD_NOT_ATOMIC, ctx->shift_iref(ctx, a0, number(1L << 44, 64))) && failed(vm));

	together();
	beside();
	atomics();

	// An iref keeps its object when all other handles of it are gone, and memory is needed.
	MuRefValue o = ctx->new_fixed(ctx, id(ctx, "@s"));
	MuIRefValue whole = ctx->get_iref(ctx, o), kept = ctx->get_field_iref(ctx, whole, 4);
	ctx->delete_value(ctx, o);
	ctx->delete_value(ctx, whole);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, kept, number(77, 64));
	for (int i = 0; i < 3000; i++) {
		MuRefValue garbage = ctx->new_hybrid(ctx, id(ctx, "@h"), number(16000, 64));
		CHECK(garbage);
		ctx->delete_value(ctx, garbage);
	}
	CHECK(at(kept, MU_ORD_NOT_ATOMIC) == 77);

	// Mu code sees what C has stored, and C what Mu code has.
	MuIRefValue cell = global(ctx, "@cell");
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, cell, number(2, 64));
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@add")), NULL, NULL, 0);
	vm->execute(vm);
	CHECK(at(cell, MU_ORD_NOT_ATOMIC) == 42);
	OK();
	// Another context, a closed context, a closed VM.
	MuCtx *other = vm->new_context(vm);
	CHECK(!other->load(other, MU_ORD_NOT_ATOMIC, cell) && failed(vm));
	other->close_context(other);
	CHECK(!other->load(other, MU_ORD_NOT_ATOMIC, cell) && failed(vm));
	mu_refimpl2_close(vm);
	CHECK(!ctx->load(ctx, MU_ORD_NOT_ATOMIC, cell) && failed(vm));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, cell, cell);
	CHECK(failed(vm));
	printf("ok\n");
	return 0;
}
