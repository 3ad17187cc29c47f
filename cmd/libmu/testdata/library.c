// A program for TestLongLibrary: "make" makes a library, in a folder, of the functions in library.uir and of one that the builder
// makes, and calls them in the same process; "open" only opens the library; "attach" does so when there is another VM. With ALONE the
// program does not know of Mu.
#ifdef ALONE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#else
#include "client.h"
#endif

#include <dlfcn.h>
#include <math.h>

static int wrong;

// CALL compares the result of a function of a library. In the end every function has been called twice.
#define CALL(result, types, name, args, want)                                                                   \
	for (int i = 0; i < 2; i++) {                                                                           \
		result(*f) types = (result(*) types)dlsym(lib, #name);                                          \
		if (!f) {                                                                                       \
			printf("%s: %s\n", #name, dlerror());                                                   \
			wrong = 1;                                                                              \
			break;                                                                                  \
		}                                                                                               \
		result is = f args;                                                                             \
		if (is != (want) && !(is != 0 && fabs((double)is / (double)(want) - 1) < 1e-6)) {               \
			printf("%s%s: %g %llx, want %s\n", #name, #args, (double)is, (long long)is, #want);     \
			wrong = 1;                                                                              \
		}                                                                                               \
	}

static void call(void *lib, int cell) {
	CALL(int8_t, (void), test_fnc, (), 9)
	CALL(int8_t, (void), sub, (), 11)
	CALL(uint8_t, (void), mul, (), 0xf6)
	CALL(uint8_t, (void), sdiv, (), 0xf4)
	CALL(int8_t, (void), udiv, (), 12)
	CALL(uint8_t, (void), srem, (), 0xff)
	CALL(int8_t, (void), urem, (), 5)
	CALL(uint64_t, (void), shl, (), 0x7e707560c92d5400)
	CALL(uint64_t, (void), ashr, (), 0xffe367e707560c92)
	CALL(uint64_t, (void), lshr, (), 0x2367e707560c92)
	CALL(uint64_t, (void), and, (), 0x8588901c10004b14)
	CALL(uint64_t, (void), or, (), 0xddbffedff83febf5)
	CALL(uint64_t, (void), xor, (), 0x58376ec3e83fa0e1)
	CALL(uint64_t, (void), eq_int, (), 0)
	CALL(uint64_t, (void), ne_int, (), 1)
	CALL(uint64_t, (void), eq_ref, (), 0)
	CALL(uint64_t, (void), ne_ref, (), 1)
	CALL(int8_t, (void), sge, (), 1)
	CALL(int8_t, (void), sgt, (), 0)
	CALL(int8_t, (void), sle, (), 1)
	CALL(int8_t, (void), ule, (), 1)
	CALL(int8_t, (void), slt, (), 0)
	CALL(int8_t, (void), ult, (), 0)
	CALL(int64_t, (void), branch, (), 30)
	CALL(int64_t, (int8_t), branch2, (1), 30)
	CALL(int64_t, (int8_t), branch2, (0), 200)
	CALL(int64_t, (_Bool), select1, (0), 20)
	CALL(int64_t, (_Bool), select1, (1), 10)
	CALL(uint64_t, (uint64_t), test_ccall, (0x7e707560c92d5400), 0x7e707560c92d5400)
	CALL(int64_t, (const void *, int64_t), test_write, ("hello world!\n", 13), 13)
	CALL(int32_t, (void), trunc64, (), 0x58324b55)
	CALL(uint64_t, (void), sext, (), 0xffffffffa8324b55)
	CALL(uint64_t, (void), zext, (), 2821868373)
	CALL(double, (void), double_add, (), 5.859873)
	CALL(double, (void), double_sub, (), 0.423313)
	CALL(double, (void), double_mul, (), 8.53972942004)
	CALL(double, (void), double_div, (), 1.1557282546316052)
	CALL(double, (double, double), double_arg_pass, (3.141593, 2.71828), 5.859873)
	CALL(int64_t, (void), double_ordered_lt, (), 1)
	CALL(double, (void), double_sitofp, (), -42.0)
	CALL(double, (void), double_uitofp, (), 42.0)
	CALL(int64_t, (void), double_fptosi, (), -3)
	CALL(int64_t, (void), double_fptoui, (), 3)
	uint32_t place = 0;
	CALL(uint32_t, (uint32_t *), uptr_store_load, (&place), 0x8d9f9c1d)
	struct { uint8_t a; uint64_t b; uint32_t c[5]; } record = {25, 0xabcdef0123456789, {0xcafebabe, 1, 2, 3, 4}};
	CALL(uint32_t, (void *), getfieldiref, (&record), 0xcafebabe)
	CALL(uint32_t, (void *), getvarpartiref, (&record), 0xcafebabe)
	int64_t five[5] = {-23, 35, 42, 0, 152};
	CALL(int64_t, (int64_t *, int64_t), getelemiref, (five, 2), 42)
	CALL(int64_t, (void), constfunc, (), 0)
	CALL(int64_t, (int64_t), milsum, (1000000), 500000500000)
	CALL(int64_t, (int64_t), fac, (20), 2432902008176640000)
	CALL(int64_t, (int64_t), fib, (20), 6765)
	CALL(int64_t, (void), entry, (), 6765)
	CALL(int64_t, (void), test_pin, (), 6)
	CALL(int64_t, (void), count, (), cell++)
	CALL(int64_t, (int64_t), test_throw, (0), 20)
	CALL(int64_t, (int64_t), test_throw, (100), 10)
}

#ifdef ZEBU
// test_fnc returns the sum of 4 and 5. Nothing but the function has a name.
static void build(MuCtx *ctx) {
	MuIRBuilder *b = ctx->new_ir_builder(ctx);
	MuID i8 = b->gen_sym(b, NULL), sig = b->gen_sym(b, NULL), c4 = b->gen_sym(b, NULL), c5 = b->gen_sym(b, NULL);
	MuID f = b->gen_sym(b, "@test_fnc"), v = b->gen_sym(b, NULL), entry = b->gen_sym(b, NULL);
	MuID add = b->gen_sym(b, NULL), res = b->gen_sym(b, NULL), ret = b->gen_sym(b, NULL);
	b->new_type_int(b, i8, 8);
	b->new_funcsig(b, sig, NULL, 0, &i8, 1);
	b->new_const_int(b, c4, i8, 4);
	b->new_const_int(b, c5, i8, 5);
	b->new_func(b, f, sig);
	b->new_func_ver(b, v, f, &entry, 1);
	MuID body[] = {add, ret};
	b->new_bb(b, entry, NULL, NULL, 0, 0, body, 2);
	b->new_binop(b, add, res, MU_BINOP_ADD, i8, c4, c5, 0);
	b->new_ret(b, ret, &res, 1);
	b->load(b);
}

static void make(char *file, char *source, char *bundle) {
	static char text[1 << 16];
	FILE *in = fopen(bundle, "r");
	CHECK(in && fread(text, 1, sizeof text - 1, in));
	MuVM *vm = mu_fastimpl_new_with_opts("init_mu --aot-emit-dir=made/below");
	MuCtx *ctx = vm->new_context(vm);
	build(ctx);
	load_text(ctx, text);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@cell"), ctx->handle_from_sint64(ctx, 298, 64));
	MuRefValue hello = ctx->new_fixed(ctx, id(ctx, "@hello"));
	for (int i = 0; i < 6; i++)
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, ctx->get_elem_iref(ctx, ctx->get_iref(ctx, hello), ctx->handle_from_sint64(ctx, i, 64)),
			ctx->handle_from_sint8(ctx, "hello\n"[i], 8));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@text"), hello);
	vm->compile_to_sharedlib(vm, file, &source, 1);
}
#endif

int main(int argc, char **argv) {
	if (argc < 3) return 2;
	setvbuf(stdout, NULL, _IONBF, 0);
#ifdef ZEBU
	if (!strcmp(argv[1], "make")) make(argv[2], argv[3], argv[4]);
	if (!strcmp(argv[1], "attach")) {
		MuVM *vm = mu_fastimpl_new();
		vm->current_thread_as_mu_thread(vm, NULL);
	}
#endif
	char path[500] = "made/below/";
	void *lib = dlopen(strcat(path, argv[2]), RTLD_LAZY | RTLD_GLOBAL);
	if (!lib) {
		printf("%s\n", dlerror());
		return 1;
	}
	int64_t *data = dlsym(lib, "cell");
	void **text = dlsym(lib, "text");
	if (!data || *data != 298 || !text || *text) { // a number is there, a reference is not
		printf("the cells are not data\n");
		return 1;
	}
	*data = 500;
	call(lib, 500);
	void *(*cell)(const char *) = (void *(*)(const char *))dlsym(lib, "uvm2go_cell");
	if (!cell || cell("no_such_cell") || cell("cell") != data || *data != 502 || cell("text") != text || !*text) {
		printf("uvm2go_cell is wrong\n");
		return 1;
	}
	return wrong;
}
