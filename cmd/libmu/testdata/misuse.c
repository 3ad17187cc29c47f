// Every use here is wrong: it prints its name, the client checks that the error number is set and that the result is empty, and the test
// compares the lines on standard error.
#include "client.h"

static MuVM *vm;
static MuCtx *ctx;
static int n;

// BAD calls something that must fail, and FAIL something that must return nothing as well.
#define BAD(call)                                              \
	do {                                                       \
		call;                                                  \
		if (!failed(vm)) printf("%d: no error: %s\n", __LINE__, #call); \
		n++;                                                   \
	} while (0)
#define NONE(call) BAD(if (call) printf("%d: a result: %s\n", __LINE__, #call))

static const char bundle[] =
	".typedef @i64 = int<64> .typedef @f = float .typedef @p = uptr<@i64> .typedef @h = hybrid<@i64> .typedef @s = struct<@i64 @i64> .typedef @a = array<@i64 3>\n"
	".typedef @ri = ref<@i64> .const @null <@ri> = NULL .const @c <@i64> = 5 .const @zero <@i64> = 0\n"
	".global @g <@i64> .global @gs <@s> .global @ga <@a> .funcsig @v = () -> () .funcsig @one = (@i64) -> ()\n"
	".funcdef @quiet VERSION %v1 <@v> { %e(): COMMINST @uvm.thread_exit }\n"
	".funcdef @takes VERSION %v1 <@one> { %e(<@i64> %x): COMMINST @uvm.thread_exit }\n"
	".funcdef @throws VERSION %v1 <@v> { %e(): %r = NEW <@i64> THROW %r }\n"
	".funcdef @divides VERSION %v1 <@one> { %e(<@i64> %x): %y = SDIV <@i64> %x @zero STORE <@i64> @g %y COMMINST @uvm.thread_exit }\n"
	".funcdecl @undefined <@v> .funcdef @calls VERSION %v1 <@v> { %e(): CALL <@v> @undefined () COMMINST @uvm.thread_exit }\n"
	".funcdef @traps VERSION %v1 <@v> { %e(): TRAP <> COMMINST @uvm.thread_exit }\n";

static void *other(void *arg) { return ((MuCtx *)arg)->handle_from_sint64((MuCtx *)arg, 7, 64); }

static void wrong_handler(MuCtx *c, MuThreadRefValue thread, MuStackRefValue stack, MuWPID wpid, MuTrapHandlerResult *result, MuStackRefValue *new_stack,
	MuValue **values, MuArraySize *nvalues, MuValuesFreer *freer, MuCPtr *freerdata, MuRefValue *exception, MuCPtr userdata) {
	(void)thread, (void)stack, (void)wpid, (void)new_stack, (void)values, (void)nvalues, (void)freer, (void)freerdata, (void)exception;
	BAD(c->close_context(c));
	BAD(c->handle_to_sint8(c, ctx->handle_from_sint8(ctx, 1, 8))); // a value of another context
	*result = (MuTrapHandlerResult)(uintptr_t)userdata;
}

int main(void) {
	vm = new_vm();
	ctx = vm->new_context(vm);
	// Texts and names.
	BAD(load_text(ctx, ".typedef @x = int<32"));
	BAD(load_text(ctx, ".typedef @x = struct<@nothing>\n.const @y <@z> = 1"));
	BAD(ctx->load_hail(ctx, (char *)".new", 4));
	load_text(ctx, bundle);
	OK();
	BAD(load_text(ctx, ".typedef @i64 = int<32>"));
	NONE(ctx->id_of(ctx, (MuName) "i64"));
	NONE(ctx->id_of(ctx, NULL));
	NONE(vm->id_of(vm, (MuName) "@nothing"));
	NONE(ctx->name_of(ctx, 123456789));
	NONE(ctx->name_of(ctx, 0));
	NONE(ctx->handle_from_const(ctx, id(ctx, "@g")));
	NONE(ctx->handle_from_global(ctx, id(ctx, "@c")));
	NONE(ctx->handle_from_func(ctx, id(ctx, "@i64")));
	NONE(ctx->handle_from_expose(ctx, 0));
	// Lengths and types.
	NONE(ctx->handle_from_sint8(ctx, 1, 0));
	NONE(ctx->handle_from_uint64(ctx, 1, -5));
	NONE(ctx->handle_from_uint64(ctx, 1, 129));
	NONE(ctx->handle_from_uint64(ctx, 1, (int)id(ctx, "@f")));
	NONE(ctx->handle_from_ptr(ctx, id(ctx, "@i64"), ctx));
	NONE(ctx->handle_from_ptr(ctx, 0, ctx));
	NONE(ctx->handle_from_fp(ctx, id(ctx, "@nothing"), NULL)); // two errors
	// Handles.
	MuValue i = ctx->handle_from_sint64(ctx, 1, 64), f = ctx->handle_from_float(ctx, 1), gone = ctx->handle_from_sint64(ctx, 2, 64);
	MuIRefValue g = global(ctx, "@g"), gs = global(ctx, "@gs"), ga = global(ctx, "@ga"), away = global(ctx, "@g");
	ctx->delete_value(ctx, gone);
	ctx->delete_value(ctx, away);
	OK();
	BAD(ctx->delete_value(ctx, gone));
	BAD(ctx->delete_value(ctx, away));
	BAD(ctx->delete_value(ctx, NULL));
	MuValue fresh = ctx->handle_from_sint64(ctx, 3, 64); // in the same place
	NONE(ctx->handle_to_sint64(ctx, gone));
	CHECK(ctx->handle_to_sint64(ctx, fresh) == 3);
	NONE(ctx->load(ctx, MU_ORD_NOT_ATOMIC, away));
	NONE(ctx->handle_to_sint64(ctx, NULL));
	NONE(ctx->handle_to_uint8(ctx, f));
	NONE(ctx->handle_to_uint8(ctx, g));
	NONE(ctx->handle_to_float(ctx, i) != 0);
	NONE(ctx->handle_to_double(ctx, f) != 0);
	NONE(ctx->handle_to_ptr(ctx, i));
	NONE(ctx->handle_to_fp(ctx, g));
	NONE(ctx->handle_to_sint64(ctx, (MuValue)&vm));
	NONE(ctx->get_iref(ctx, (MuValue)(uintptr_t)1));
	MuCtx *second = vm->new_context(vm);
	NONE(ctx->handle_to_sint64(ctx, second->handle_from_sint64(second, 1, 64)));
	NONE(ctx->load(ctx, MU_ORD_NOT_ATOMIC, global(second, "@g")));
	// Memory.
	NONE(ctx->load(ctx, MU_ORD_RELEASE, g));
	NONE(ctx->load(ctx, 99, g));
	BAD(ctx->store(ctx, MU_ORD_NOT_ATOMIC, g, f));
	BAD(ctx->store(ctx, MU_ORD_NOT_ATOMIC, i, i));
	NONE(ctx->get_field_iref(ctx, gs, 2));
	NONE(ctx->get_field_iref(ctx, gs, -1));
	NONE(ctx->get_elem_iref(ctx, ga, ctx->handle_from_sint64(ctx, 3, 64)));
	NONE(ctx->get_elem_iref(ctx, gs, i));
	NONE(ctx->get_iref(ctx, ctx->handle_from_const(ctx, id(ctx, "@null"))));
	NONE(ctx->new_fixed(ctx, id(ctx, "@h")));
	NONE(ctx->new_hybrid(ctx, id(ctx, "@h"), f));
	NONE(ctx->refcast(ctx, g, id(ctx, "@ri")));
	NONE(ctx->cmpxchg(ctx, MU_ORD_SEQ_CST, MU_ORD_SEQ_CST, 0, g, i, i, NULL));
	NONE(ctx->atomicrmw(ctx, MU_ORD_SEQ_CST, 11, g, i));
	BAD(ctx->fence(ctx, MU_ORD_RELAXED));
	BAD(ctx->unpin(ctx, g));
	NONE(ctx->pin(ctx, i));
	NONE(ctx->ref_eq(ctx, g, i));
	// Stacks, threads and traps.
	MuStackRefValue stack = ctx->new_stack(ctx, func(ctx, "@takes"));
	NONE(ctx->new_stack(ctx, NULL));
	NONE(ctx->new_thread_nor(ctx, stack, NULL, NULL, 0));
	NONE(ctx->new_thread_nor(ctx, stack, NULL, &f, 1));
	NONE(ctx->new_thread_exc(ctx, stack, NULL, NULL));
	CHECK(ctx->new_thread_nor(ctx, stack, NULL, &i, 1));
	OK();
	NONE(ctx->new_thread_nor(ctx, stack, NULL, &i, 1));
	BAD(ctx->kill_stack(ctx, stack));
	NONE(ctx->new_cursor(ctx, stack));
	NONE(ctx->get_threadlocal(ctx, i));
	vm->execute(vm);
	OK();
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@throws")), NULL, NULL, 0);
	OK();
	BAD(vm->execute(vm));
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@divides")), NULL, &i, 1);
	BAD(vm->execute(vm));
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@traps")), NULL, NULL, 0);
	BAD(vm->execute(vm));
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@calls")), NULL, NULL, 0);
	BAD(vm->execute(vm));
	for (uintptr_t result = 1; result <= 3; result++) {
		vm->set_trap_handler(vm, wrong_handler, (MuCPtr)result);
		ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@traps")), NULL, NULL, 0);
		OK();
		BAD(vm->execute(vm));
	}
	NONE(ctx->expose(ctx, func(ctx, "@quiet"), 1, i));
	BAD(ctx->unexpose(ctx, MU_CC_DEFAULT, i));
	// Contexts.
	NONE(((MuCtx *)ctx)->handle_from_sint64(NULL, 1, 64));
	NONE(ctx->get_iref(NULL, i));
	NONE(vm->new_context(NULL));
	second->close_context(second);
	OK();
	NONE(second->handle_from_sint64(second, 1, 64));
	NONE(second->id_of(second, (MuName) "@g"));
	BAD(second->close_context(second));
	NONE(other(second));
	// Nothing is broken.
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, g, ctx->handle_from_sint64(ctx, 11, 64));
	CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, g)) == 11 && ctx->handle_to_sint64(ctx, i) == 1);
	OK();
	mu_refimpl2_close(vm);
	OK();
	BAD(mu_refimpl2_close(vm));
	NONE(vm->new_context(vm));
	NONE(vm->id_of(vm, (MuName) "@g"));
	NONE(ctx->new_fixed(ctx, 65536));
	printf("%d\n", n);
	return 0;
}
