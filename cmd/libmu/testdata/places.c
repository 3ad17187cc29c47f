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
	".const @c40 <@i64> = 40\n";

static MuVM *vm;
static MuCtx *ctx;

static MuValue number(int64_t x, int bits) { return ctx->handle_from_sint64(ctx, x, bits); }

static uint64_t at(MuIRefValue loc, MuMemOrd ord) { return ctx->handle_to_uint64(ctx, ctx->load(ctx, ord, loc)); }

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
