// A program for TestLongHot: a function that C calls runs long. The library is opened for this program alone.
#include <dlfcn.h>

#include "client.h"

#include "measure.h"

int main(int argc, char **argv) {
	if (argc < 2) return 2;
	void *lib = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	MuVM *(*make)(void) = lib ? (MuVM * (*)(void))(uintptr_t)dlsym(lib, "mu_refimpl2_new") : NULL;
	if (!make) return 3;
	MuVM *vm = make();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, ".typedef @i64 = int<64> .funcsig @one = (@i64) -> (@i64) .const @1 <@i64> = 1 .const @0 <@i64> = 0 .typedef @p = ref<@i64>\n"
		".funcdef @sum VERSION %v <@one> {\n"
		"  %e(<@i64> %n): %o = NEW <@i64> BRANCH %l(%n @0 %o)\n"
		"  %l(<@i64> %n <@i64> %s <@p> %o): %t = ADD <@i64> %s %n %u = XOR <@i64> %t %n %m = SUB <@i64> %n @1 %z = EQ <@i64> %m @0\n"
		"    BRANCH2 %z %d(%u %o) %l(%m %u %o)\n"
		"  %d(<@i64> %s <@p> %o): %i = GETIREF <@i64> %o STORE <@i64> %i %s %r = LOAD <@i64> %i RET %r }\n"
		".expose @sum_c = @sum #DEFAULT @0\n");
	int64_t (*sum)(int64_t) = (int64_t(*)(int64_t))(uintptr_t)ctx->handle_to_fp(ctx, ctx->handle_from_expose(ctx, id(ctx, "@sum_c")));
	OK();
	uint64_t want = 0;
	for (uint64_t n = 1000003; n; n--) want = (want + n) ^ n;
	double begin = now();
	for (int i = 0; i < 20; i++) CHECK((uint64_t)sum(1000003) == want);
	printf("%.2f\n", (now() - begin) / 20 / 1000003);
	return 0;
}
