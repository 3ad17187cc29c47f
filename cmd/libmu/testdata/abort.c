// Without an argument this fails in a function, with one when the VM is made.
#include "client.h"

int main(int argc, char **argv) {
	MuVM *vm = mu_fastimpl_new_with_opts(argc > 1 ? argv[1] : "init_mu");
	MuCtx *ctx = vm->new_context(vm);
	ctx->handle_from_sint64(ctx, 1, 64);
	ctx->get_iref(ctx, NULL);
	puts("not here");
	return 0;
}
