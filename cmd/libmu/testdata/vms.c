// 2016 rmu
// 1 2 3
#include "client.h"

#include <pthread.h>

static const char bundle[] =
	".typedef @i8 = int<8> .typedef @i64 = int<64> .funcsig @v = () -> () .global @cell <@i64> .const @c <@i64> = %d\n"
	".funcdef @test_fnc VERSION @test_fnc.v1 <@v> { %%entry(): STORE <@i64> @cell @c COMMINST @uvm.thread_exit }\n";

// Every VM has names of its own.
static MuVM *test(int n) {
	char text[sizeof bundle + 20];
	snprintf(text, sizeof text, bundle, n);
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, text);
	MuIRefValue cell = global(ctx, "@cell");
	CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, cell)) == 0);
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@test_fnc")), NULL, NULL, 0);
	vm->execute(vm);
	OK();
	printf("%d%c", (int)ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, cell)), n < 3 ? ' ' : '\n');
	return vm;
}

static void *in_thread(void *n) { return test((int)(intptr_t)n); }

int main(void) {
	MuVM *first = test(1), *vm = test(2);
	CHECK(vm != first);
	mu_refimpl2_close(first);
	OK();
	pthread_t thread;
	void *third;
	pthread_create(&thread, NULL, in_thread, (void *)3);
	pthread_join(thread, &third);
	OK();
	// What VM 2 has is still there.
	MuCtx *ctx = vm->new_context(vm);
	CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, global(ctx, "@cell"))) == 2);
	ctx->close_context(ctx);
	for (int i = 0; i < 20; i++) mu_refimpl2_close(new_vm());
	// A thread that has not begun ends with its VM.
	ctx = vm->new_context(vm);
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@test_fnc")), NULL, NULL, 0);
	OK();
	mu_refimpl2_close(vm);
	mu_refimpl2_close(third);
	vm = new_vm();
	OK();
	return 0;
}
