// 2016 rmu zebu
// 100
// -2147483648 2147483648
// 10000 3.25
// 40 50
// 3 7 11 14 77
#include "client.h"

static const char bundle[] =
	".typedef @i1 = int<1> .typedef @i8 = int<8> .typedef @i32 = int<32> .typedef @i64 = int<64> .typedef @i128 = int<128>\n"
	".typedef @float = float .typedef @double = double\n"
	".typedef @pi64 = uptr<@i64> .typedef @tr = tagref64 .typedef @ri64 = ref<@i64>\n"
	".typedef @st = struct<@i8 @i64 @double @float>\n"
	".typedef @ar = array<@i64 5> .typedef @ve = vector<@i32 4>\n"
	".const @c0 <@i64> = 10000 .const @c1 <@double> = 3.25d .const @c8 <@i8> = 30 .const @c2 <@i64> = 40 .const @c3 <@double> = 50.0d .const @cf <@float> = 60.0f\n"
	".const @a1 <@i64> = 3 .const @a2 <@i64> = 4 .const @a3 <@i64> = 5 .const @a4 <@i64> = 6 .const @a5 <@i64> = 7\n"
	".const @v1 <@i32> = 11 .const @v2 <@i32> = 12 .const @v3 <@i32> = 13 .const @v4 <@i32> = 14\n"
	".const @cs <@st> = {@c8 @c2 @c3 @cf}\n"
	".const @ca <@ar> = {@a1 @a2 @a3 @a4 @a5}\n"
	".const @cv <@ve> = {@v1 @v2 @v3 @v4}\n"
	".const @null <@ri64> = NULL\n"
	".global @g <@i64>\n"
	".funcsig @sig = () -> ()\n"
	".funcdecl @f <@sig>\n";

static int64_t element(MuCtx *ctx, MuSeqValue seq, int i) {
	return ctx->handle_to_sint64(ctx, ctx->extract_element(ctx, seq, ctx->handle_from_uint64(ctx, (uint64_t)i, 64)));
}

// numbers checks every function for numbers, at their limits.
static void numbers(MuVM *vm, MuCtx *ctx) {
	MuValue v;
	v = ctx->handle_from_sint8(ctx, -1, 64);
	CHECK(ctx->handle_to_sint8(ctx, v) == -1 && ctx->handle_to_uint8(ctx, v) == 0xff && ctx->handle_to_uint64(ctx, v) == UINT64_MAX);
	v = ctx->handle_from_uint8(ctx, 0xff, 64);
	CHECK(ctx->handle_to_sint64(ctx, v) == 255 && ctx->handle_to_sint8(ctx, v) == -1);
	v = ctx->handle_from_sint16(ctx, INT16_MIN, 16);
	CHECK(ctx->handle_to_sint16(ctx, v) == INT16_MIN && ctx->handle_to_uint16(ctx, v) == 0x8000 && ctx->handle_to_sint32(ctx, v) == INT16_MIN);
	v = ctx->handle_from_uint16(ctx, 0xffff, 17);
	CHECK(ctx->handle_to_sint32(ctx, v) == 0xffff);
	v = ctx->handle_from_sint32(ctx, INT32_MIN, 33);
	CHECK(ctx->handle_to_sint64(ctx, v) == INT32_MIN && ctx->handle_to_uint64(ctx, v) == 0x180000000);
	v = ctx->handle_from_uint32(ctx, UINT32_MAX, 1);
	CHECK(ctx->handle_to_sint64(ctx, v) == -1 && ctx->handle_to_uint32(ctx, v) == 1);
	v = ctx->handle_from_sint64(ctx, INT64_MIN, 64);
	CHECK(ctx->handle_to_sint64(ctx, v) == INT64_MIN && ctx->handle_to_sint32(ctx, v) == 0);
	v = ctx->handle_from_sint64(ctx, -2, 128);
	CHECK(ctx->handle_to_sint64(ctx, v) == -2 && ctx->handle_to_uint64(ctx, v) == UINT64_MAX - 1);
	uint64_t words[3] = {5, 6, 7};
	v = ctx->handle_from_uint64s(ctx, words, 3, 128);
	CHECK(ctx->handle_to_uint64(ctx, v) == 5 && ctx->handle_to_sint8(ctx, v) == 5);
	v = ctx->handle_from_uint64s(ctx, words, 1, 2);
	CHECK(ctx->handle_to_uint64(ctx, v) == 1);
	v = ctx->handle_from_uint64s(ctx, NULL, 9, 64);
	CHECK(ctx->handle_to_uint64(ctx, v) == 0);
	OK();
	// A length that is the ID of a type is that of the type.
	v = ctx->handle_from_sint32(ctx, 0x1ff, (int)id(ctx, "@i8"));
	CHECK(ctx->handle_to_uint32(ctx, v) == 0xff);
	v = ctx->handle_from_sint32(ctx, -1, (int)id(ctx, "@i128"));
	CHECK(ctx->handle_to_sint64(ctx, v) == -1);
	v = ctx->handle_from_float(ctx, 0.1f);
	CHECK(ctx->handle_to_float(ctx, v) == 0.1f);
	v = ctx->handle_from_double(ctx, -0.1);
	CHECK(ctx->handle_to_double(ctx, v) == -0.1);
	for (int i = 0; i < 3; i++) {
		v = ctx->handle_from_ptr(ctx, id(ctx, "@pi64"), words + i);
		CHECK(ctx->handle_to_ptr(ctx, v) == words + i);
	}
	OK();
}

// tagged checks tagrefs.
static void tagged(MuVM *vm, MuCtx *ctx) {
	MuTagRef64Value d = ctx->tr64_from_fp(ctx, ctx->handle_from_double(ctx, 1.5)), i = ctx->tr64_from_int(ctx, ctx->handle_from_uint64(ctx, 77, 52));
	MuTagRef64Value r = ctx->tr64_from_ref(ctx, ctx->handle_from_const(ctx, id(ctx, "@null")), ctx->handle_from_uint8(ctx, 9, 6));
	CHECK(ctx->tr64_is_fp(ctx, d) && !ctx->tr64_is_int(ctx, d) && !ctx->tr64_is_ref(ctx, d));
	CHECK(ctx->tr64_is_int(ctx, i) == 1 && ctx->tr64_is_ref(ctx, r) == 1);
	CHECK(ctx->handle_to_double(ctx, ctx->tr64_to_fp(ctx, d)) == 1.5);
	CHECK(ctx->handle_to_uint64(ctx, ctx->tr64_to_int(ctx, i)) == 77);
	CHECK(ctx->handle_to_uint64(ctx, ctx->tr64_to_tag(ctx, r)) == 9);
	CHECK(ctx->tr64_to_ref(ctx, r) != NULL);
	OK();
}

int main(void) {
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	printf("%d\n", (int)ctx->handle_to_sint64(ctx, ctx->handle_from_sint64(ctx, 100, 64)));
	MuValue big = ctx->handle_from_uint64(ctx, 2147483648, 32);
	printf("%lld %llu\n", (long long)ctx->handle_to_sint64(ctx, big), (unsigned long long)ctx->handle_to_uint64(ctx, big));

	load_text(ctx, bundle);
	OK();
	MuValue c0 = ctx->handle_from_const(ctx, id(ctx, "@c0")), c1 = ctx->handle_from_const(ctx, id(ctx, "@c1"));
	printf("%d %g\n", ctx->handle_to_sint32(ctx, c0), ctx->handle_to_double(ctx, c1));
	MuValue g = global(ctx, "@g"), f = func(ctx, "@f");
	CHECK(g && f && g != f && c0 != c1);
	CHECK(!strcmp(vm->name_of(vm, id(ctx, "@g")), "@g") && vm->name_of(vm, id(ctx, "@g")) == ctx->name_of(ctx, vm->id_of(vm, (MuName) "@g")));
	MuValue all[] = {g, f, c0, c1, big};
	for (int i = 0; i < 5; i++) ctx->delete_value(ctx, all[i]);
	OK();

	MuStructValue s = ctx->handle_from_const(ctx, id(ctx, "@cs"));
	MuStructValue t = ctx->insert_value(ctx, s, 1, ctx->handle_from_sint64(ctx, 41, 64));
	printf("%d %g\n", (int)ctx->handle_to_sint64(ctx, ctx->extract_value(ctx, s, 1)), ctx->handle_to_double(ctx, ctx->extract_value(ctx, s, 2)));
	CHECK(ctx->handle_to_sint64(ctx, ctx->extract_value(ctx, t, 1)) == 41 && ctx->handle_to_float(ctx, ctx->extract_value(ctx, t, 3)) == 60);
	MuArrayValue a = ctx->handle_from_const(ctx, id(ctx, "@ca"));
	MuVectorValue v = ctx->handle_from_const(ctx, id(ctx, "@cv"));
	a = ctx->insert_element(ctx, a, ctx->handle_from_sint32(ctx, 4, 32), ctx->handle_from_sint64(ctx, 7, 64));
	MuVectorValue w = ctx->insert_element(ctx, v, ctx->handle_from_sint8(ctx, 2, 8), ctx->handle_from_sint32(ctx, 77, 32));
	printf("%d %d %d %d %d\n", (int)element(ctx, a, 0), (int)element(ctx, a, 4), (int)element(ctx, v, 0), (int)element(ctx, v, 3), (int)element(ctx, w, 2));
	OK();
	numbers(vm, ctx);
	tagged(vm, ctx);
	ctx->close_context(ctx);
	OK();
	return 0;
}
