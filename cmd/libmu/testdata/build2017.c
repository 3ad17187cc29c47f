// rmu zebu
// 3628800
// Hello world!
// 14
// status 1 0 1 0
#include "client.h"

static MuVM *vm;
static MuCtx *ctx;
static MuIRBuilder *b;

static MuID sym(const char *name) {
	char copy[64];
	if (!name) return b->gen_sym(b, NULL);
	strcpy(copy, name);
	MuID id = b->gen_sym(b, copy);
	memset(copy, 'x', sizeof copy);
	return id;
}

static void *pointer_of(const char *function) {
	MuValue p = ctx->expose(ctx, func(ctx, function), MU_CC_DEFAULT, ctx->handle_from_uint64(ctx, 0, 64));
	return ctx->handle_to_ptr(ctx, p);
}

// fac builds a factorial, from its users to what they use.
static void fac(void) {
	b = ctx->new_ir_builder(ctx);
	MuID i64 = sym("@i64"), i1 = sym("@i1"), sig = sym("@fac_sig"), zero = sym("@0_i64"), one = sym("@1_i64"), f = sym("@fac"), v = sym("@fac_v1");
	MuID blk0 = sym("@fac_v1.blk0"), blk1 = sym("@fac_v1.blk1"), blk2 = sym("@fac_v1.blk2"), n = sym("@fac_v1.blk0.n");
	MuID n1 = sym(NULL), r1 = sym(NULL), cond = sym(NULL), n2 = sym(NULL), r2 = sym(NULL), less = sym(NULL), more = sym(NULL), r3 = sym(NULL);
	MuID entry = sym(NULL), loop = sym(NULL);
	(void)entry, (void)loop;
	MuID blks[] = {blk0, blk1, blk2, sym(NULL)}, i64s[] = {i64, i64}, p1[] = {n1, r1}, p2[] = {n2, r2};
	MuID jump = sym(NULL), cmp = sym(NULL), br = sym(NULL), mul = sym(NULL), sub = sym(NULL), back = sym(NULL), ret = sym(NULL);
	MuID to1 = sym(NULL), to_body = sym(NULL), to_done = sym(NULL), again = sym(NULL);
	b->new_func_ver(b, v, f, blks, 4);
	b->new_func(b, f, sig);
	MuID begin[] = {n, one}, first[] = {jump}, second[] = {cmp, br}, third[] = {mul, sub, back}, last[] = {ret}, next[] = {less, more};
	b->new_bb(b, blk0, &n, i64s, 1, MU_NO_ID, first, 1);
	b->new_branch(b, jump, to1);
	b->new_dest_clause(b, to1, blk1, begin, 2);
	b->new_bb(b, blk1, p1, i64s, 2, MU_NO_ID, second, 2);
	b->new_cmp(b, cmp, cond, MU_CMP_EQ, i64, n1, zero);
	b->new_branch2(b, br, cond, to_done, to_body);
	b->new_dest_clause(b, to_done, blks[3], &r1, 1);
	b->new_dest_clause(b, to_body, blk2, p1, 2);
	b->new_bb(b, blk2, p2, i64s, 2, MU_NO_ID, third, 3);
	b->new_binop(b, mul, more, MU_BINOP_MUL, i64, r2, n2, MU_NO_ID);
	b->new_binop(b, sub, less, MU_BINOP_SUB, i64, n2, one, MU_NO_ID);
	b->new_branch(b, back, again);
	b->new_dest_clause(b, again, blk1, next, 2);
	b->new_bb(b, blks[3], &r3, i64s, 1, MU_NO_ID, last, 1);
	b->new_ret(b, ret, &r3, 1);
	b->new_funcsig(b, sig, &i64, 1, &i64, 1);
	b->new_const_int(b, zero, i64, 0);
	b->new_const_int(b, one, i64, 1);
	b->new_type_int(b, i64, 64);
	b->new_type_int(b, i1, 1);
	b->load(b);
	OK();
	CHECK(id(ctx, "@fac") == f && !strcmp(ctx->name_of(ctx, n), "@fac_v1.blk0.n"));
	printf("%d\n", (int)((int64_t(*)(int64_t))(uintptr_t)pointer_of("@fac"))(10));
}

// hello builds a function that calls write, which it finds by name.
static void hello(void) {
	static const char text[] = "Hello world!\n";
	b = ctx->new_ir_builder(ctx);
	MuID i64 = id(ctx, "@i64"), i32 = sym("@i32"), empty = sym(NULL), pvoid = sym("@pvoid"), wsig = sym(NULL), fp = sym(NULL), wr = sym("@write"), one = sym(NULL);
	MuID sig = sym(NULL), f = sym("@hello"), v = sym("@hello_v1"), blk = sym(NULL), p = sym(NULL), n = sym(NULL), call = sym(NULL), ret = sym(NULL), r = sym(NULL);
	MuID write_params[] = {i32, pvoid, i64}, params[] = {pvoid, i64}, vars[] = {p, n}, args[] = {one, p, n}, insts[] = {call, ret};
	b->new_type_int(b, i32, 32);
	b->new_type_void(b, empty);
	b->new_type_uptr(b, pvoid, empty);
	b->new_funcsig(b, wsig, write_params, 3, &i64, 1);
	b->new_type_ufuncptr(b, fp, wsig);
	b->new_const_extern(b, wr, fp, (MuCString) "write");
	b->new_const_int(b, one, i32, 1);
	b->new_funcsig(b, sig, params, 2, &i64, 1);
	b->new_func(b, f, sig);
	b->new_func_ver(b, v, f, &blk, 1);
	b->new_bb(b, blk, vars, params, 2, MU_NO_ID, insts, 2);
	b->new_ccall(b, call, &r, 1, MU_CC_DEFAULT, fp, wsig, wr, args, 3, MU_NO_ID, MU_NO_ID);
	b->new_ret(b, ret, &r, 1);
	b->load(b);
	OK();
	fflush(stdout);
	printf("%d\n", (int)((int64_t(*)(const char *, int64_t))(uintptr_t)pointer_of("@hello"))(text, sizeof text - 1) + 1);
}

// status builds a subtraction with status flags, in an order of the client's.
static void status(void) {
	b = ctx->new_ir_builder(ctx);
	MuID i8 = sym("@i8"), i64 = id(ctx, "@i64"), sig = sym(NULL), f = sym("@sub"), v = sym(NULL), blk = sym(NULL), x = sym(NULL), y = sym(NULL), r = sym(NULL);
	MuID flags[] = {sym(NULL), sym(NULL), sym(NULL), sym(NULL)}, z[4], insts[13], params[] = {i8, i8}, vars[] = {x, y}, acc = MU_NO_ID, two = sym(NULL);
	int n = 0;
	b->new_type_int(b, i8, 8);
	b->new_const_int(b, two, i64, 2);
	b->new_funcsig(b, sig, params, 2, &i64, 1);
	b->new_func(b, f, sig);
	b->new_func_ver(b, v, f, &blk, 1);
	insts[n] = sym(NULL);
	b->new_binop_with_status(b, insts[n++], r, flags, 4, MU_BINOP_SUB, MU_BOS_V | MU_BOS_C | MU_BOS_N | MU_BOS_Z, i8, x, y, MU_NO_ID);
	for (int i = 0; i < 4; i++) { // acc = acc*2 + flag
		z[i] = sym(NULL);
		insts[n] = sym(NULL);
		b->new_conv(b, insts[n++], z[i], MU_CONV_ZEXT, id(ctx, "@i1"), i64, flags[i]);
		if (acc) {
			MuID twice = sym(NULL), sum = sym(NULL);
			insts[n] = sym(NULL);
			b->new_binop(b, insts[n++], twice, MU_BINOP_MUL, i64, acc, two, MU_NO_ID);
			insts[n] = sym(NULL);
			b->new_binop(b, insts[n++], sum, MU_BINOP_ADD, i64, twice, z[i], MU_NO_ID);
			acc = sum;
		} else {
			acc = z[i];
		}
	}
	insts[n] = sym(NULL);
	b->new_ret(b, insts[n++], &acc, 1);
	b->new_bb(b, blk, vars, params, 2, MU_NO_ID, insts, (MuArraySize)n);
	b->load(b);
	OK();
	int bits = (int)((int64_t(*)(int8_t, int8_t))(uintptr_t)pointer_of("@sub"))(5, 6);
	printf("status %d %d %d %d\n", bits >> 3 & 1, bits >> 2 & 1, bits >> 1 & 1, bits & 1);
}

#ifdef RMU
// wrong uses the builder wrongly.
static void wrong(void) {
	CHECK(freopen("/dev/null", "w", stderr)); // errors are wanted
	b = ctx->new_ir_builder(ctx);
	MuIRBuilder *other = ctx->new_ir_builder(ctx);
	CHECK(b && other && b != other);
	MuID t = sym("@wrong"), s = sym(NULL);
	b->new_type_struct(b, t, &s, 1); // which nothing defines
	OK();
	b->load(b);
	CHECK(failed(vm));
	b->load(b);
	CHECK(failed(vm));
	CHECK(!b->gen_sym(b, NULL) && failed(vm));
	b->new_type_int(b, t, 1);
	CHECK(failed(vm));
	CHECK(!id(ctx, "@wrong") && failed(vm));
	b = other;
	sym("@unused");
	b->abort(b);
	OK();
	b->abort(b);
	CHECK(failed(vm));
}
#endif

int main(void) {
	vm = new_vm();
	ctx = vm->new_context(vm);
	fac();
	hello();
	status();
#ifdef RMU
	wrong();
#endif
	ctx->close_context(ctx);
	return 0;
}
