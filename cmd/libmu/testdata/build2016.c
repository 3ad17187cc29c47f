// 2016
// Hello world!
// 3628800
// @fac.v1.loop.next
#include "client.h"

static MuVM *vm;
static MuCtx *ctx;
static MuBundleNode b;

// named gives a node a name, and returns its ID.
static MuID named(MuChildNode node, const char *name) {
	char copy[64];
	strcpy(copy, name);
	ctx->set_name(ctx, b, node, copy);
	memset(copy, 'x', sizeof copy); // the name was copied
	return ctx->get_id(ctx, b, node);
}

static MuInstResNode result(MuInstNode inst) { return ctx->new_inst_res(ctx, inst); }

// hello builds a function that writes a text of this program, and clears a cell.
static void hello(void) {
	static const char text[] = "Hello world!\n";
	b = ctx->new_bundle(ctx);
	MuTypeNode i8 = ctx->new_type_int(ctx, b, 8), i32 = ctx->new_type_int(ctx, b, 32), i64 = ctx->new_type_int(ctx, b, 64);
	MuTypeNode pi8 = ctx->new_type_uptr(ctx, b), ppi8 = ctx->new_type_uptr(ctx, b), pvoid = ctx->new_type_uptr(ctx, b), empty = ctx->new_type_void(ctx, b);
	ctx->set_type_uptr(ctx, pi8, i8);
	ctx->set_type_uptr(ctx, ppi8, pi8);
	ctx->set_type_uptr(ctx, pvoid, empty);
	MuTypeNode write_params[] = {i32, pvoid, i64}, params[] = {i32, ppi8};
	MuFuncSigNode write_sig = ctx->new_funcsig(ctx, b, write_params, 3, &i64, 1), sig = ctx->new_funcsig(ctx, b, params, 2, NULL, 0);
	MuTypeNode write_fp = ctx->new_type_ufuncptr(ctx, b);
	ctx->set_type_ufuncptr(ctx, write_fp, write_sig);
	MuConstNode c_write = ctx->new_const_int(ctx, b, write_fp, (uint64_t)(uintptr_t)write), c_text = ctx->new_const_int(ctx, b, pi8, (uint64_t)(uintptr_t)text);
	MuConstNode one = ctx->new_const_int(ctx, b, i32, 1), size = ctx->new_const_int(ctx, b, i64, sizeof text - 1), zero = ctx->new_const_int(ctx, b, i32, 0);
	MuGlobalNode cell = ctx->new_global_cell(ctx, b, i32);
	named(cell, "@status");
	named(pi8, "@pi8"), named(ppi8, "@ppi8"), named(i32, "@i32");
	MuFuncNode f = ctx->new_func(ctx, b, sig);
	MuID id_f = named(f, "@hello_main");
	MuFuncVerNode v = ctx->new_func_ver(ctx, b, f);
	MuBBNode entry = ctx->new_bb(ctx, v);
	ctx->new_nor_param(ctx, entry, i32);
	ctx->new_nor_param(ctx, entry, ppi8);
	MuVarNode p = result(ctx->new_conv(ctx, entry, MU_CONV_PTRCAST, pi8, pvoid, c_text)), args[] = {one, p, size};
	result(ctx->new_ccall(ctx, entry, MU_CC_DEFAULT, write_fp, write_sig, c_write, args, 3));
	ctx->new_store(ctx, entry, 0, MU_ORD_SEQ_CST, i32, cell, zero);
	ctx->new_comminst(ctx, entry, MU_CI_UVM_THREAD_EXIT, NULL, 0, NULL, 0, NULL, 0, NULL, 0);
	OK();
	ctx->load_bundle_from_node(ctx, b);
	OK();
	CHECK(id(ctx, "@hello_main") == id_f);
	ctx->get_id(ctx, b, f); // the nodes are gone
	CHECK(failed(vm));

	char *argv[] = {"client", NULL};
	MuValue vals[] = {ctx->handle_from_sint32(ctx, 1, 32), ctx->handle_from_ptr(ctx, id(ctx, "@ppi8"), argv)};
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@status"), ctx->handle_from_sint32(ctx, 7, 32));
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, ctx->handle_from_func(ctx, id_f)), NULL, vals, 2);
	vm->execute(vm);
	CHECK(ctx->handle_to_sint32(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@status"))) == 0);
	OK();
}

// fac builds a factorial with a loop, whose types are those of the first bundle.
static void fac(void) {
	b = ctx->new_bundle(ctx);
	MuTypeNode i32 = ctx->get_node(ctx, b, id(ctx, "@i32"));
	MuFuncSigNode sig = ctx->new_funcsig(ctx, b, &i32, 1, NULL, 0);
	MuConstNode one = ctx->new_const_int(ctx, b, i32, 1);
	MuGlobalNode cell = ctx->get_node(ctx, b, id(ctx, "@status"));
	MuFuncNode f = ctx->new_func(ctx, b, sig);
	named(f, "@fac");
	MuFuncVerNode v = ctx->new_func_ver(ctx, b, f);
	named(v, "@fac.v1");
	MuBBNode entry = ctx->new_bb(ctx, v), loop = ctx->new_bb(ctx, v), done = ctx->new_bb(ctx, v);
	MuVarNode n = ctx->new_nor_param(ctx, entry, i32), begin[] = {n, one};
	ctx->add_dest(ctx, ctx->new_branch(ctx, entry), MU_DEST_NORMAL, loop, begin, 2);
	MuVarNode i = ctx->new_nor_param(ctx, loop, i32), product = ctx->new_nor_param(ctx, loop, i32);
	MuInstNode mul = ctx->new_binop(ctx, loop, MU_BINOP_MUL, i32, i, product);
	named(mul, "@fac.v1.loop.next");
	MuVarNode next = result(mul), less = result(ctx->new_binop(ctx, loop, MU_BINOP_SUB, i32, i, one));
	MuVarNode more = result(ctx->new_cmp(ctx, loop, MU_CMP_UGT, i32, less, one)), again[] = {less, next};
	MuInstNode branch = ctx->new_branch2(ctx, loop, more);
	ctx->add_dest(ctx, branch, MU_DEST_TRUE, loop, again, 2);
	ctx->add_dest(ctx, branch, MU_DEST_FALSE, done, &next, 1);
	MuVarNode last = ctx->new_nor_param(ctx, done, i32);
	ctx->new_store(ctx, done, 0, MU_ORD_NOT_ATOMIC, i32, cell, last);
	ctx->new_comminst(ctx, done, MU_CI_UVM_THREAD_EXIT, NULL, 0, NULL, 0, NULL, 0, NULL, 0);
	ctx->load_bundle_from_node(ctx, b);
	OK();
	MuValue ten = ctx->handle_from_sint32(ctx, 10, 32);
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@fac")), NULL, &ten, 1);
	vm->execute(vm);
	OK();
	printf("%d\n%s\n", (int)ctx->handle_to_sint32(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@status"))), ctx->name_of(ctx, id(ctx, "@fac.v1.loop.next")));
}

// wrong uses the builder wrongly.
static void wrong(void) {
	MuBundleNode other = ctx->new_bundle(ctx);
	b = ctx->new_bundle(ctx);
	MuTypeNode i8 = ctx->new_type_int(ctx, b, 8);
	OK();
#define BAD(call) CHECK(!(call) && failed(vm))
	BAD(ctx->new_type_array(ctx, other, i8, 3));
	BAD(ctx->new_const_null(ctx, b, b));
	BAD(ctx->new_const_null(ctx, b, NULL));
	BAD(ctx->new_const_null(ctx, b, ctx->handle_from_sint8(ctx, 1, 8)));
	BAD(ctx->handle_to_sint8(ctx, i8));
	BAD(ctx->get_id(ctx, i8, i8));
	ctx->load_bundle_from_node(ctx, i8);
	CHECK(failed(vm));
	ctx->abort_bundle_node(ctx, b);
	OK();
	BAD(ctx->new_type_int(ctx, b, 8));
	ctx->delete_value(ctx, i8);
	ctx->abort_bundle_node(ctx, other);
	OK();
	b = ctx->new_bundle(ctx);
	named(ctx->new_type_int(ctx, b, 8), "@i32");
	ctx->load_bundle_from_node(ctx, b);
	CHECK(failed(vm));
}

int main(void) {
	vm = mu_refimpl2_new_ex("sosSize=524288\nlosSize=524288\nglobalSize=1048576\nstackSize=32768\n\nvmLog=DEBUG\n");
	ctx = vm->new_context(vm);
	CHECK(freopen("/dev/null", "w", stderr)); // errors are wanted
	hello();
	fac();
	wrong();
	ctx->close_context(ctx);
	mu_refimpl2_close(vm);
	return 0;
}
