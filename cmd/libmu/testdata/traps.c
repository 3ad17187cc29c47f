// 2016 rmu
// 43
// exit: 42 43
// @rebind_test @rebind_test.v1 @rebind_test.v1.entry.trap1
// rebind: 6
// throw: exc
// local: 1 1
#include "client.h"

static const char bundle[] =
	".typedef @i64 = int<64> .typedef @void = void .typedef @rvoid = ref<@void> .typedef @ri64 = ref<@i64>\n"
	".funcsig @v = () -> () .funcsig @one = (@i64) -> () .funcsig @refs = (@rvoid) -> ()\n"
	".const @c1 <@i64> = 1 .const @c42 <@i64> = 42 .const @c43 <@i64> = 43\n"
	".global @cell <@i64>\n"
	".funcdef @inc VERSION %v1 <@one> { %entry(<@i64> %x): %y = ADD <@i64> %x @c1 STORE <@i64> @cell %y COMMINST @uvm.thread_exit }\n"
	".funcdef @exit_test VERSION %v1 <@v> { %entry(): %a = ADD <@i64> @c42 @c1 [%trap_exit] TRAP <> KEEPALIVE (%a) COMMINST @uvm.thread_exit }\n"
	".funcdef @rebind_test VERSION %v1 <@v> { %entry():\n"
	"  (%a %b %c) = [%trap1] TRAP <@i64 @i64 @i64> EXC (%nor(%a %b %c) %exc())\n"
	"  %nor(<@i64> %a <@i64> %b <@i64> %c): %d = ADD <@i64> %a %b %e = ADD <@i64> %d %c [%trap_nor] TRAP <> KEEPALIVE (%e) COMMINST @uvm.thread_exit\n"
	"  %exc()[%x]: [%trap_exc] TRAP <> KEEPALIVE (%x) COMMINST @uvm.thread_exit }\n"
	".funcdef @local_test VERSION %v1 <@refs> { %entry(<@rvoid> %p):\n"
	"  %t = COMMINST @uvm.get_threadlocal [%first] TRAP <> KEEPALIVE (%p %t)\n"
	"  %u = COMMINST @uvm.get_threadlocal [%second] TRAP <> KEEPALIVE (%p %u) COMMINST @uvm.thread_exit }\n";

static int freed;
static void freer(MuValue *values, MuCPtr data) {
	CHECK(data == &freed);
	freed++;
	free(values);
}

static MuVM *vm;

// where tells whether the top frame of a stack rests at an instruction; if so it dumps n variables.
static int where(MuCtx *ctx, MuStackRefValue stack, const char *name, MuValue *to, int n) {
	MuFCRefValue cur = ctx->new_cursor(ctx, stack);
	MuID inst = ctx->cur_inst(ctx, cur);
	int here = !strcmp(ctx->name_of(ctx, inst), name);
	if (here && n) ctx->dump_keepalives(ctx, cur, to);
	ctx->close_cursor(ctx, cur);
	OK();
	return here;
}

// The parameter nvalues is often taken for a pointer to int.
static void handler(MuCtx *ctx, MuThreadRefValue thread, MuStackRefValue stack, MuWPID wpid, MuTrapHandlerResult *result, MuStackRefValue *new_stack,
	MuValue **values, MuArraySize *nvalues, MuValuesFreer *free_values, MuCPtr *freerdata, MuRefValue *exception, MuCPtr userdata) {
	MuValue kept[3];
	CHECK(wpid == 0 && userdata == &freed);
	*new_stack = stack;
	if (where(ctx, stack, "@exit_test.v1.entry.trap_exit", kept, 1)) {
		printf("exit: 42 %d\n", (int)ctx->handle_to_sint64(ctx, kept[0]));
		*result = MU_THREAD_EXIT;
	} else if (where(ctx, stack, "@rebind_test.v1.entry.trap1", kept, 0)) {
		static int times;
		MuFCRefValue cur = ctx->new_cursor(ctx, stack);
		if (!times)
			printf("%s %s %s\n", ctx->name_of(ctx, ctx->cur_func(ctx, cur)), ctx->name_of(ctx, ctx->cur_func_ver(ctx, cur)),
				ctx->name_of(ctx, ctx->cur_inst(ctx, cur)));
		ctx->close_cursor(ctx, cur);
		if (times++) {
			*result = MU_REBIND_THROW_EXC;
			*exception = ctx->refcast(ctx, ctx->get_threadlocal(ctx, thread), id(ctx, "@rvoid"));
			return;
		}
		MuValue *list = malloc(3 * sizeof *list);
		list[0] = ctx->handle_from_sint64(ctx, 1, 64);
		list[1] = ctx->handle_from_sint64(ctx, 2, 64);
		list[2] = ctx->handle_from_sint8(ctx, 3, 8); // of another length
		*result = MU_REBIND_PASS_VALUES;
		*values = list;
		*(int *)nvalues = 3;
		*free_values = freer;
		*freerdata = &freed;
	} else if (where(ctx, stack, "@rebind_test.v1.nor.trap_nor", kept, 1)) {
		printf("rebind: %d\n", (int)ctx->handle_to_sint64(ctx, kept[0]));
	} else if (where(ctx, stack, "@rebind_test.v1.exc.trap_exc", kept, 1)) {
		printf("throw: %s\n", ctx->ref_eq(ctx, kept[0], ctx->get_threadlocal(ctx, thread)) ? "exc" : "another");
	} else if (where(ctx, stack, "@local_test.v1.entry.first", kept, 2)) {
		printf("local: %d", ctx->ref_eq(ctx, kept[0], kept[1]) && ctx->ref_eq(ctx, kept[1], ctx->get_threadlocal(ctx, thread)));
		ctx->set_threadlocal(ctx, thread, ctx->new_fixed(ctx, id(ctx, "@i64")));
		*result = MU_REBIND_PASS_VALUES;
	} else if (where(ctx, stack, "@local_test.v1.entry.second", kept, 2)) {
		printf(" %d\n", !ctx->ref_eq(ctx, kept[0], kept[1]) && ctx->ref_eq(ctx, kept[1], ctx->get_threadlocal(ctx, thread)));
	} else {
		CHECK(!"a trap");
	}
	OK();
}

static void run(MuCtx *ctx, const char *name, MuRefValue local, MuValue *vals, MuArraySize n) {
	MuThreadRefValue thread = ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, name)), local, vals, n);
	CHECK(thread);
	OK();
	vm->execute(vm);
	OK();
}

int main(void) {
	vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	OK();
	// A thread waits for execute, so that its trap handler can be set after it was made.
	MuValue x = ctx->handle_from_sint64(ctx, 42, 64);
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@inc")), NULL, &x, 1);
	usleep(20000);
	CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, global(ctx, "@cell"))) == 0);
	vm->execute(vm);
	printf("%d\n", (int)ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, global(ctx, "@cell"))));
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@exit_test")), NULL, NULL, 0);
	vm->set_trap_handler(vm, handler, &freed);
	vm->execute(vm);
	OK();
	MuRefValue object = ctx->new_fixed(ctx, id(ctx, "@i64")); // a ref<int<64>> where a ref<void> is wanted
	run(ctx, "@rebind_test", object, NULL, 0);
	CHECK(freed == 1);
	run(ctx, "@rebind_test", object, NULL, 0);
	run(ctx, "@local_test", object, &object, 1);
	ctx->close_context(ctx);
	OK();
	return 0;
}
