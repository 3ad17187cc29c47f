// Prints what calls cost, in nanoseconds of processor time.
#include "client.h"

#include "measure.h"

static void on_trap(MuCtx *ctx, MuThreadRefValue thread, MuStackRefValue stack, MuWPID wpid, MuTrapHandlerResult *result, MuStackRefValue *new_stack,
	MuValue **values, MuArraySize *nvalues, MuValuesFreer *freer, MuCPtr *freerdata, MuRefValue *exception, MuCPtr userdata) {
	(void)thread, (void)wpid, (void)values, (void)freer, (void)freerdata, (void)exception, (void)userdata;
	volatile int sink = 0;
	MuRefValue null = ctx->get_threadlocal(ctx, thread);
	MEASURE("get_threadlocal+delete_value", 500, ctx->delete_value(ctx, ctx->get_threadlocal(ctx, thread)));
	MEASURE("set_threadlocal", 500, ctx->set_threadlocal(ctx, thread, null));
	MEASURE("new_cursor+close_cursor+delete_value", 200, MuFCRefValue c = ctx->new_cursor(ctx, stack); ctx->close_cursor(ctx, c); ctx->delete_value(ctx, c));
	MuFCRefValue cursor = ctx->new_cursor(ctx, stack);
	MEASURE("copy_cursor+close_cursor+delete_value", 200, MuFCRefValue c = ctx->copy_cursor(ctx, cursor); ctx->close_cursor(ctx, c); ctx->delete_value(ctx, c));
	MEASURE("cur_func", 500, sink += (int)ctx->cur_func(ctx, cursor));
	MEASURE("cur_func_ver", 500, sink += (int)ctx->cur_func_ver(ctx, cursor));
	MEASURE("cur_inst", 500, sink += (int)ctx->cur_inst(ctx, cursor));
	MEASURE("dump_keepalives+delete_value", 500, MuValue k[1]; ctx->dump_keepalives(ctx, cursor, k); ctx->delete_value(ctx, k[0]));
	ctx->close_cursor(ctx, cursor);
	*result = MU_REBIND_PASS_VALUES, *new_stack = stack, *nvalues = 0;
}

// DROP measures a call whose result is a handle.
#define DROP(name, n, call) MEASURE(name "+delete_value", n, ctx->delete_value(ctx, call))

int main(void) {
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, ".typedef @i64 = int<64> .typedef @i8 = int<8> .funcsig @one = (@i64) -> (@i64) .const @c <@i64> = 1 .global @g <@i64>\n"
		".typedef @s = struct<@i64 @i64> .typedef @ref = ref<@s> .global @r <@ref> .global @gs <@s> .typedef @h = hybrid<@i64 @i64>\n"
		".typedef @a = array<@i64 4> .global @ga <@a> .typedef @p = uptr<@i64> .typedef @void = void .typedef @rv = ref<@void>\n"
		".funcdef @inc VERSION %v <@one> { %e(<@i64> %x): %y = ADD <@i64> %x @c RET %y } .expose @inc_c = @inc #DEFAULT @c\n"
		".funcdef @step VERSION %v <@one> { %e(<@i64> %x): [%t] TRAP <> KEEPALIVE (%x) RET %x }\n"
		".funcsig @v = () -> () .funcdef @none VERSION %v <@v> { %e(): COMMINST @uvm.thread_exit }\n"
		".funcdef @trap VERSION %v <@one> { %e(<@i64> %x): [%t] TRAP <> KEEPALIVE (%x) COMMINST @uvm.thread_exit }\n");
	int64_t (*inc)(int64_t) = (int64_t(*)(int64_t))(uintptr_t)ctx->handle_to_fp(ctx, ctx->handle_from_expose(ctx, id(ctx, "@inc_c")));
	OK();
	MuValue v = ctx->handle_from_sint64(ctx, 1, 64), zero = ctx->handle_from_sint64(ctx, 0, 64);
	MuFloatValue fl = ctx->handle_from_float(ctx, 1);
	MuDoubleValue db = ctx->handle_from_double(ctx, 1);
	MuIRefValue g = global(ctx, "@g"), global_s = global(ctx, "@gs"), global_a = global(ctx, "@ga"), r = global(ctx, "@r");
	MuFuncRefValue f = func(ctx, "@none"), finc = func(ctx, "@inc");
	MuID i64 = id(ctx, "@i64"), gid = id(ctx, "@g"), c1 = id(ctx, "@c"), h = id(ctx, "@h"), pid = id(ctx, "@p"), fid = id(ctx, "@none"), rv = id(ctx, "@rv"), xid = id(ctx, "@inc_c");
	volatile int64_t sink = 0;
	MuUPtrValue ptr = ctx->handle_from_ptr(ctx, pid, vm);
	MuRefValue object = ctx->new_fixed(ctx, id(ctx, "@s")), hybrid = ctx->new_hybrid(ctx, h, v);
	MuIRefValue whole = ctx->get_iref(ctx, object), field = ctx->get_field_iref(ctx, whole, 1), whole_h = ctx->get_iref(ctx, hybrid);
	MuStructValue str = ctx->load(ctx, MU_ORD_NOT_ATOMIC, global_s);
	MuArrayValue arr = ctx->load(ctx, MU_ORD_NOT_ATOMIC, global_a);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, r, object);
	MuTagRef64Value tf = ctx->tr64_from_fp(ctx, db), ti = ctx->tr64_from_int(ctx, v), tr = ctx->tr64_from_ref(ctx, object, v);
	MuBool ok;
	uint64_t words[2] = {1, 2};
	MEASURE("id_of", 5000, sink += ctx->id_of(ctx, "@g"));
	MEASURE("name_of", 5000, sink += ctx->name_of(ctx, gid) != NULL);
	MEASURE("handle_from_sint64", 2000, ctx->handle_from_sint64(ctx, i, 64));
	DROP("handle_from_sint64", 20000, ctx->handle_from_sint64(ctx, i, 64));
	DROP("handle_from_uint8", 20000, ctx->handle_from_uint8(ctx, 1, 8));
	MEASURE("handle_from_uint64s+delete_value", 5000, ctx->delete_value(ctx, ctx->handle_from_uint64s(ctx, words, 2, 128)));
	DROP("handle_from_float", 20000, ctx->handle_from_float(ctx, 1));
	DROP("handle_from_double", 20000, ctx->handle_from_double(ctx, 1));
	DROP("handle_from_ptr", 20000, ctx->handle_from_ptr(ctx, pid, &ok));
	MEASURE("handle_to_sint64", 20000, sink += ctx->handle_to_sint64(ctx, v));
	MEASURE("handle_to_uint8", 20000, sink += ctx->handle_to_uint8(ctx, v));
	MEASURE("handle_to_float", 20000, sink += ctx->handle_to_float(ctx, fl) > 0);
	MEASURE("handle_to_double", 20000, sink += ctx->handle_to_double(ctx, db) > 0);
	MEASURE("handle_to_ptr", 20000, sink += ctx->handle_to_ptr(ctx, ptr) != NULL);
	DROP("handle_from_const", 5000, ctx->handle_from_const(ctx, c1));
	DROP("handle_from_global", 5000, ctx->handle_from_global(ctx, gid));
	DROP("handle_from_func", 5000, ctx->handle_from_func(ctx, fid));
	DROP("handle_from_expose", 5000, ctx->handle_from_expose(ctx, xid));
	MEASURE("ref_eq", 20000, sink += ctx->ref_eq(ctx, object, hybrid));
	MEASURE("ref_ult", 20000, sink += ctx->ref_ult(ctx, whole, field));
	DROP("extract_value", 5000, ctx->extract_value(ctx, str, 1));
	DROP("insert_value", 5000, ctx->insert_value(ctx, str, 1, v));
	DROP("extract_element", 5000, ctx->extract_element(ctx, arr, v));
	DROP("insert_element", 5000, ctx->insert_element(ctx, arr, v, v));
	DROP("new_fixed", 5000, ctx->new_fixed(ctx, i64));
	DROP("new_hybrid", 5000, ctx->new_hybrid(ctx, h, v));
	DROP("refcast", 20000, ctx->refcast(ctx, object, rv));
	DROP("get_iref", 20000, ctx->get_iref(ctx, object));
	DROP("get_field_iref", 20000, ctx->get_field_iref(ctx, global_s, 1));
	DROP("get_elem_iref", 20000, ctx->get_elem_iref(ctx, global_a, v));
	DROP("shift_iref", 20000, ctx->shift_iref(ctx, field, v));
	DROP("get_var_part_iref", 20000, ctx->get_var_part_iref(ctx, whole_h));
	DROP("load", 20000, ctx->load(ctx, MU_ORD_NOT_ATOMIC, g));
	DROP("load-of-ref", 5000, ctx->load(ctx, MU_ORD_NOT_ATOMIC, r));
	DROP("load-of-struct", 5000, ctx->load(ctx, MU_ORD_NOT_ATOMIC, global_s));
	MEASURE("store", 20000, ctx->store(ctx, MU_ORD_NOT_ATOMIC, g, v));
	MEASURE("store-in-object", 20000, ctx->store(ctx, MU_ORD_NOT_ATOMIC, field, v));
	MEASURE("store-of-ref", 5000, ctx->store(ctx, MU_ORD_NOT_ATOMIC, r, object));
	MEASURE("store-seq-cst", 20000, ctx->store(ctx, MU_ORD_SEQ_CST, g, v));
	DROP("cmpxchg", 20000, ctx->cmpxchg(ctx, MU_ORD_SEQ_CST, MU_ORD_SEQ_CST, 0, g, v, v, &ok));
	DROP("atomicrmw", 20000, ctx->atomicrmw(ctx, MU_ORD_SEQ_CST, MU_ARMW_ADD, g, zero));
	MEASURE("fence", 20000, ctx->fence(ctx, MU_ORD_SEQ_CST));
	MEASURE("new_stack+kill_stack+delete_value", 20, MuStackRefValue s = ctx->new_stack(ctx, f); ctx->kill_stack(ctx, s); ctx->delete_value(ctx, s));
	MEASURE("push_frame+pop_frames_to+4", 20, MuStackRefValue s = ctx->new_stack(ctx, finc); MuFCRefValue c = ctx->new_cursor(ctx, s); ctx->push_frame(ctx, s, finc);
		ctx->pop_frames_to(ctx, c); ctx->close_cursor(ctx, c); ctx->kill_stack(ctx, s));
	MEASURE("tr64_is_fp", 20000, sink += ctx->tr64_is_fp(ctx, tf));
	MEASURE("tr64_is_int", 20000, sink += ctx->tr64_is_int(ctx, tf));
	MEASURE("tr64_is_ref", 20000, sink += ctx->tr64_is_ref(ctx, tf));
	DROP("tr64_to_fp", 20000, ctx->tr64_to_fp(ctx, tf));
	DROP("tr64_to_int", 20000, ctx->tr64_to_int(ctx, ti));
	DROP("tr64_to_ref", 20000, ctx->tr64_to_ref(ctx, tr));
	DROP("tr64_to_tag", 20000, ctx->tr64_to_tag(ctx, tr));
	DROP("tr64_from_fp", 20000, ctx->tr64_from_fp(ctx, db));
	DROP("tr64_from_int", 20000, ctx->tr64_from_int(ctx, v));
	DROP("tr64_from_ref", 20000, ctx->tr64_from_ref(ctx, object, v));
	MEASURE("enable_watchpoint", 2000, ctx->enable_watchpoint(ctx, 1));
	MEASURE("disable_watchpoint", 2000, ctx->disable_watchpoint(ctx, 1));
	MEASURE("pin+unpin+delete_value", 2000, MuUPtrValue p = ctx->pin(ctx, object); ctx->unpin(ctx, object); ctx->delete_value(ctx, p));
	MEASURE("expose+unexpose+delete_value", 200, MuUFPValue p = ctx->expose(ctx, finc, MU_CC_DEFAULT, zero); ctx->unexpose(ctx, MU_CC_DEFAULT, p); ctx->delete_value(ctx, p));
	MEASURE("new_context+close_context", 200, MuCtx *c = vm->new_context(vm); c->close_context(c));
	MEASURE("call", 20000, sink += inc(i));
	MEASURE("thread", 20, MuValue s = ctx->new_stack(ctx, f); ctx->new_thread_nor(ctx, s, NULL, NULL, 0); vm->execute(vm));
	OK();
	vm->set_trap_handler(vm, on_trap, NULL);
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@trap")), NULL, &v, 1);
	vm->execute(vm);
	OK();
	return 0;
}
