// A program for TestImageFaults: images that there cannot be.
#include "client.h"

static char bundle[] =
	".typedef @i64 = int<64> .typedef @stackref = stackref .funcsig @one = (@i64) -> () .funcsig @none = () -> () .global @stack <@stackref>\n"
	".typedef @p = uptr<@i64> .global @pointer <@p>\n"
	".funcdef @f VERSION %v <@one> { %e(<@i64> %x): RET () } .funcdef @g VERSION %v <@none> { %e(): RET () }\n";

int main(void) {
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	MuFuncRefValue f = func(ctx, "@f"), g = func(ctx, "@g");
	MuStackRefValue stack = ctx->new_stack(ctx, g);
	MuIRefValue place = global(ctx, "@pointer");
	MuCString name = "name";
	MuID ids[] = {id(ctx, "@g")}, seven[] = {7}, all[] = {id(ctx, "@g"), id(ctx, "@stack")};
	int errors = 0;
#define BAD(list, n, func, stack, sym, nsyms, file)                                                                                  \
	ctx->make_boot_image(ctx, list, n, func, stack, NULL, sym, &name, nsyms, NULL, NULL, 0, file);                               \
	errors += failed(vm)
	BAD(ids, 1, NULL, NULL, NULL, 0, "bad");
	ctx->kill_stack(ctx, stack);
	BAD(ids, 1, NULL, stack, NULL, 0, "bad");
	stack = ctx->new_stack(ctx, g);
	BAD(ids, 1, g, stack, NULL, 0, "bad");
	name = "a b";
	BAD(ids, 1, g, NULL, &place, 1, "bad");
	name = "name";
	MuIRefValue places[] = {place, global(ctx, "@stack")};
	MuCString names[] = {name, name};
	ctx->make_boot_image(ctx, ids, 1, g, NULL, NULL, places, names, 2, NULL, NULL, 0, "bad");
	errors += failed(vm);
	ctx->make_boot_image(ctx, all, 2, g, NULL, NULL, NULL, NULL, 0, places + 1, names, 1, "bad"); // a stackref
	errors += failed(vm);
	BAD(ids, 1, f, NULL, NULL, 0, "bad");
	BAD(seven, 1, g, NULL, NULL, 0, "bad");
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@stack"), stack);
	BAD(all, 2, g, NULL, NULL, 0, "bad");
	BAD(ids, 1, NULL, NULL, NULL, 0, "bad.so");
	CHECK(errors == 10);
	printf("made %s\n", access("bad", F_OK) && access("bad.so", F_OK) ? "nothing" : "something");
	return 0;
}
