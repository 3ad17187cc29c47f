// 2016 rmu
// 100 200 500
#include "client.h"

static const char bundle[] =
	".typedef @i64 = int<64> .typedef @void = void .typedef @rvoid = ref<@void>\n"
	".typedef @s = struct<@i64 @i64 @i64> .typedef @rs = ref<@s> .typedef @a = array<@i64 10>\n"
	".typedef @h = hybrid<@i64 @i64> .typedef @ri64 = ref<@i64> .typedef @node = struct<@ri64 @i64>\n"
	".global @cell <@i64> .global @root <@rvoid>\n";

static int64_t at(MuCtx *ctx, MuIRefValue loc) { return ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, loc)); }

int main(void) {
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	MuRefValue s = ctx->new_fixed(ctx, id(ctx, "@s")), a = ctx->new_fixed(ctx, id(ctx, "@a"));
	MuRefValue h = ctx->new_hybrid(ctx, id(ctx, "@h"), ctx->handle_from_sint64(ctx, 3, 64));
	OK();

	MuIRefValue is = ctx->get_iref(ctx, s), second = ctx->get_field_iref(ctx, is, 1);
	ctx->store(ctx, MU_ORD_SEQ_CST, second, ctx->handle_from_sint64(ctx, 42, 64));
	CHECK(at(ctx, second) == 42);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, second, ctx->handle_from_sint64(ctx, -1, 64));
	CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, second)) == -1);
	MuIRefValue ia = ctx->get_iref(ctx, a), zeroth = ctx->get_elem_iref(ctx, ia, ctx->handle_from_sint64(ctx, 0, 64));
	MuIRefValue third = ctx->get_elem_iref(ctx, ia, ctx->handle_from_sint8(ctx, 3, 8));
	CHECK(ctx->ref_eq(ctx, third, ctx->shift_iref(ctx, zeroth, ctx->handle_from_sint64(ctx, 3, 64))) == 1);
	CHECK(ctx->ref_eq(ctx, zeroth, ctx->shift_iref(ctx, third, ctx->handle_from_sint64(ctx, -3, 64))) == 1);
	CHECK(ctx->ref_ult(ctx, zeroth, third) == 1 && ctx->ref_ult(ctx, third, zeroth) == 0 && ctx->ref_eq(ctx, zeroth, third) == 0);
	MuIRefValue ih = ctx->get_iref(ctx, h);
	CHECK(ctx->ref_eq(ctx, ctx->get_var_part_iref(ctx, ih), ctx->shift_iref(ctx, ctx->get_field_iref(ctx, ih, 0), ctx->handle_from_sint64(ctx, 1, 64))));
	CHECK(ctx->handle_to_ptr(ctx, ctx->pin(ctx, h)) == ctx->handle_to_ptr(ctx, ctx->pin(ctx, ctx->get_field_iref(ctx, ih, 0))));
#ifdef RMU
	CHECK(ctx->handle_to_ptr(ctx, ctx->get_addr(ctx, h)) == ctx->handle_to_ptr(ctx, ctx->pin(ctx, h)));
	ctx->unpin(ctx, h);
#endif
	ctx->unpin(ctx, ctx->get_field_iref(ctx, ih, 0));
	ctx->unpin(ctx, h);
	OK();

	// References of other types are converted when they are stored and compared.
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@root"), s);
	MuValue root = ctx->load(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@root"));
	CHECK(ctx->ref_eq(ctx, root, s) == 1 && ctx->ref_eq(ctx, s, root) == 1 && ctx->ref_eq(ctx, a, root) == 0);
	CHECK(at(ctx, ctx->get_field_iref(ctx, ctx->get_iref(ctx, ctx->refcast(ctx, root, id(ctx, "@rs"))), 1)) == -1);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, second, ctx->handle_from_uint8(ctx, 255, 8));
	CHECK(at(ctx, second) == 255);
	OK();

	MuIRefValue cell = global(ctx, "@cell");
	MuBool done = 7;
	ctx->store(ctx, MU_ORD_SEQ_CST, cell, ctx->handle_from_sint64(ctx, 100, 64));
	MuValue hundred = ctx->handle_from_sint64(ctx, 100, 64), two = ctx->handle_from_sint64(ctx, 200, 64);
	MuValue old = ctx->cmpxchg(ctx, MU_ORD_SEQ_CST, MU_ORD_SEQ_CST, 0, cell, hundred, two, &done);
	CHECK(done == 1);
	printf("%d", (int)ctx->handle_to_sint64(ctx, old));
	old = ctx->cmpxchg(ctx, MU_ORD_ACQ_REL, MU_ORD_ACQUIRE, 1, cell, hundred, two, &done);
	CHECK(done == 0 && ctx->handle_to_sint64(ctx, old) == 200);
	old = ctx->atomicrmw(ctx, MU_ORD_SEQ_CST, MU_ARMW_ADD, cell, ctx->handle_from_sint64(ctx, 300, 64));
	printf(" %d %d\n", (int)ctx->handle_to_sint64(ctx, old), (int)at(ctx, cell));
	ctx->fence(ctx, MU_ORD_SEQ_CST);
	OK();

	// Handles that are never deleted keep what they stand for; those that are, do not.
	MuRefValue kept = ctx->new_fixed(ctx, id(ctx, "@node"));
	for (int i = 0; i < 300000; i++) ctx->handle_from_sint64(ctx, i, 64);
	for (int i = 0; i < 30000; i++) {
		MuRefValue r = ctx->new_fixed(ctx, id(ctx, "@a"));
		CHECK(r);
		if (i % 3) ctx->delete_value(ctx, r);
	}
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, ctx->get_field_iref(ctx, ctx->get_iref(ctx, kept), 1), two);
	CHECK(at(ctx, ctx->get_field_iref(ctx, ctx->get_iref(ctx, kept), 1)) == 200);
	OK();
	ctx->load_hail(ctx, ".new $x <@s>\n.init $x = {1 2 3}\n.init @root = $x\n", strlen(".new $x <@s>\n.init $x = {1 2 3}\n.init @root = $x\n"));
	CHECK(at(ctx, ctx->get_field_iref(ctx, ctx->get_iref(ctx, ctx->refcast(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@root")), id(ctx, "@rs"))), 2)) == 3);
	OK();
	ctx->close_context(ctx);
	return 0;
}
