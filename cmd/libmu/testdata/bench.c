// Prints what calls cost, in nanoseconds of processor time.
#include "client.h"

#include "measure.h"

int main(void) {
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, ".typedef @i64 = int<64> .funcsig @one = (@i64) -> (@i64) .const @c <@i64> = 1 .global @g <@i64>\n"
		".typedef @s = struct<@i64 @i64> .typedef @ref = ref<@s> .global @r <@ref> .global @gs <@s>\n"
		".funcdef @inc VERSION %v <@one> { %e(<@i64> %x): %y = ADD <@i64> %x @c RET %y } .expose @inc_c = @inc #DEFAULT @c\n"
		".funcsig @v = () -> () .funcdef @none VERSION %v <@v> { %e(): COMMINST @uvm.thread_exit }\n");
	int64_t (*inc)(int64_t) = (int64_t(*)(int64_t))(uintptr_t)ctx->handle_to_fp(ctx, ctx->handle_from_expose(ctx, id(ctx, "@inc_c")));
	OK();
	MuValue v = ctx->handle_from_sint64(ctx, 1, 64);
	MuIRefValue g = global(ctx, "@g");
	MuIRefValue global_s = global(ctx, "@gs");
	MuFuncRefValue f = func(ctx, "@none");
	MuID i64 = id(ctx, "@i64"), gid = id(ctx, "@g");
	volatile int64_t sink = 0;
	MuIRefValue r = global(ctx, "@r"), field = ctx->get_field_iref(ctx, ctx->get_iref(ctx, ctx->new_fixed(ctx, id(ctx, "@s"))), 1);
	MEASURE("handle_to_sint64", 20000, sink += ctx->handle_to_sint64(ctx, v));
	MEASURE("handle_from_sint64+delete_value", 20000, ctx->delete_value(ctx, ctx->handle_from_sint64(ctx, i, 64)));
	MEASURE("handle_from_sint64", 2000, ctx->handle_from_sint64(ctx, i, 64));
	MEASURE("load+delete_value", 20000, ctx->delete_value(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, g)));
	MEASURE("store", 20000, ctx->store(ctx, MU_ORD_NOT_ATOMIC, g, v));
	MEASURE("store-in-object", 20000, ctx->store(ctx, MU_ORD_NOT_ATOMIC, field, v));
	MEASURE("name_of", 5000, sink += ctx->name_of(ctx, gid) != NULL);
	MEASURE("handle_from_global+delete_value", 5000, ctx->delete_value(ctx, ctx->handle_from_global(ctx, gid)));
	MEASURE("get_field_iref+delete_value", 5000, ctx->delete_value(ctx, ctx->get_field_iref(ctx, global_s, 1)));
	MEASURE("load-of-ref+delete_value", 5000, ctx->delete_value(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, r)));
	MEASURE("new_fixed+delete_value", 5000, ctx->delete_value(ctx, ctx->new_fixed(ctx, i64)));
	MEASURE("call", 20000, sink += inc(i));
	MEASURE("thread", 20, MuValue s = ctx->new_stack(ctx, f); ctx->new_thread_nor(ctx, s, NULL, NULL, 0); vm->execute(vm));
	return 0;
}
