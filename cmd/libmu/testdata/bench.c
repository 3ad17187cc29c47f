// Prints what calls cost, in nanoseconds of processor time.
#include "client.h"

#include <time.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define MEASURE(name, n, call)                                    \
	do {                                                          \
		double best = 1e18;                                       \
		for (int round = 0; round < 5; round++) {                 \
			double begin = now();                                 \
			for (int i = 0; i < n; i++) { call; }                 \
			double one = (now() - begin) / n;                     \
			if (one < best) best = one;                           \
		}                                                         \
		printf("%s %.1f\n", name, best);                          \
	} while (0)

int main(void) {
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, ".typedef @i64 = int<64> .funcsig @one = (@i64) -> (@i64) .const @c <@i64> = 1 .global @g <@i64>\n"
		".funcdef @inc VERSION %v <@one> { %e(<@i64> %x): %y = ADD <@i64> %x @c RET %y } .expose @inc_c = @inc #DEFAULT @c\n"
		".funcsig @v = () -> () .funcdef @none VERSION %v <@v> { %e(): COMMINST @uvm.thread_exit }\n");
	int64_t (*inc)(int64_t) = (int64_t(*)(int64_t))(uintptr_t)ctx->handle_to_fp(ctx, ctx->handle_from_expose(ctx, id(ctx, "@inc_c")));
	OK();
	MuValue v = ctx->handle_from_sint64(ctx, 1, 64);
	MuIRefValue g = global(ctx, "@g");
	MuFuncRefValue f = func(ctx, "@none");
	MuID i64 = id(ctx, "@i64"), gid = id(ctx, "@g");
	volatile int64_t sink = 0;
	MEASURE("handle_to_sint64", 1000000, sink += ctx->handle_to_sint64(ctx, v));
	MEASURE("handle_from_sint64+delete_value", 1000000, ctx->delete_value(ctx, ctx->handle_from_sint64(ctx, i, 64)));
	MEASURE("handle_from_sint64", 200000, ctx->handle_from_sint64(ctx, i, 64));
	MEASURE("name_of", 100000, sink += ctx->name_of(ctx, gid) != NULL);
	MEASURE("handle_from_global+delete_value", 100000, ctx->delete_value(ctx, ctx->handle_from_global(ctx, gid)));
	MEASURE("load+delete_value", 100000, ctx->delete_value(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, g)));
	MEASURE("store", 100000, ctx->store(ctx, MU_ORD_NOT_ATOMIC, g, v));
	MEASURE("new_fixed+delete_value", 100000, ctx->delete_value(ctx, ctx->new_fixed(ctx, i64)));
	MEASURE("call", 100000, sink += inc(i));
	MEASURE("thread", 2000, MuValue s = ctx->new_stack(ctx, f); ctx->new_thread_nor(ctx, s, NULL, NULL, 0); vm->execute(vm));
	return 0;
}
