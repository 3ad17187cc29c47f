// zebu
// uvm2go
// 42 7
#include "client.h"

#include "mu-implfast.h"

int main(void) {
	printf("%.6s\n", mu_get_version());
	MuVM *vm = mu_fastimpl_new_with_opts(" init_mu --log-level=none --aot-emit-dir=emit --gc-immixspace-size=67108864 --disable-inline");
	CHECK(vm);
	MuCtx *ctx = vm->new_context(vm);
	vm->current_thread_as_mu_thread(vm, NULL);
	vm->current_thread_as_mu_thread(vm, NULL);
	load_text(ctx, ".typedef @i64 = int<64> .global @g <@i64> .const @c <@i64> = 7 .typedef @h = hybrid<@i64>\n");
	ctx->store(ctx, MU_ORD_SEQ_CST, global(ctx, "@g"), ctx->handle_from_sint64(ctx, 42, 64));
	MuValue v = ctx->load(ctx, MU_ORD_SEQ_CST, global(ctx, "@g"));
	printf("%d %d\n", (int)ctx->handle_to_sint64(ctx, v), (int)ctx->handle_to_sint64(ctx, ctx->handle_from_const(ctx, id(ctx, "@c"))));
	CHECK(ctx->handle_to_ptr(ctx, ctx->get_addr(ctx, global(ctx, "@g"))));
	CHECK(!ctx->new_hybrid(ctx, id(ctx, "@h"), ctx->handle_from_uint64(ctx, (uint64_t)1 << 50, 64))); // no memory
	// Threads begin at once.
	load_text(ctx, ".funcsig @v = () -> () .funcdef @f VERSION %v <@v> { %e(): STORE SEQ_CST <@i64> @g @c COMMINST @uvm.thread_exit }\n");
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@f")), NULL, NULL, 0);
	for (int i = 0; i < 10000 && ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, global(ctx, "@g"))) != 7; i++) usleep(1000);
	CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, global(ctx, "@g"))) == 7);
	ctx->close_context(ctx);
	return 0;
}
