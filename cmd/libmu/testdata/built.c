// Prints the milliseconds from the first of 10,000 calls of the builder until the function that they build has returned: of processor time, in
// the best of five rounds.
#include "client.h"

#include <time.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

enum { BLOCKS = 25, CALLS = 10000 };

int main(void) {
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, ".typedef @i64 = int<64> .funcsig @one = (@i64) -> (@i64) .const @c1 <@i64> = 1 .const @c0 <@i64> = 0\n");
	OK();
	double best = 1e9;
	for (int round = 0; round < 5; round++) {
		double begin = now();
		MuBundleNode b = ctx->new_bundle(ctx);
		MuTypeNode i64 = ctx->get_node(ctx, b, id(ctx, "@i64"));
		MuConstNode one = ctx->get_node(ctx, b, id(ctx, "@c1"));
		MuFuncNode f = ctx->new_func(ctx, b, ctx->get_node(ctx, b, id(ctx, "@one")));
		MuID fid = ctx->get_id(ctx, b, f);
		MuFuncVerNode v = ctx->new_func_ver(ctx, b, f);
		int calls = 8, adds = 0;
		MuBBNode bb = ctx->new_bb(ctx, v);
		MuVarNode x = ctx->new_nor_param(ctx, bb, i64);
		for (int i = 0; i < BLOCKS; i++) {
			for (; calls < (CALLS - 10) * (i + 1) / BLOCKS; calls += 2, adds++) x = ctx->new_inst_res(ctx, ctx->new_binop(ctx, bb, MU_BINOP_ADD, i64, x, one));
			MuBBNode next = ctx->new_bb(ctx, v);
			ctx->add_dest(ctx, ctx->new_branch(ctx, bb), MU_DEST_NORMAL, next, &x, 1);
			bb = next;
			x = ctx->new_nor_param(ctx, bb, i64);
			calls += 4;
		}
		ctx->new_ret(ctx, bb, &x, 1);
		ctx->load_bundle_from_node(ctx, b);
		OK();
		MuValue p = ctx->expose(ctx, ctx->handle_from_func(ctx, fid), MU_CC_DEFAULT, ctx->handle_from_const(ctx, id(ctx, "@c0")));
		OK();
		CHECK(((int64_t(*)(int64_t))(uintptr_t)ctx->handle_to_fp(ctx, p))(1) == 1 + adds);
		CHECK(calls >= CALLS - 100);
		double ms = now() - begin;
		if (ms < best) best = ms;
	}
	printf("built %.1f\n", best);
	return 0;
}
