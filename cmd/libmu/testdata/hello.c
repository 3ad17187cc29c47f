// 2016 rmu
// Hello world!
// Goodbye world!
// 42
#include "client.h"

static const char bundle[] =
	".typedef @i8 = int<8> .typedef @i32 = int<32> .typedef @i64 = int<64> .typedef @void = void\n"
	".typedef @size_t = int<64> .typedef @cchar = int<8> .typedef @pcchar = uptr<@cchar>\n"
	".funcsig @write.sig = (@i32 @pcchar @size_t) -> (@size_t)\n"
	".typedef @write.fp = ufuncptr<@write.sig>\n"
	".typedef @bytes = hybrid<@i8> .typedef @bytes.r = ref<@bytes> .typedef @void.r = ref<@void>\n"
	".typedef @bytes.p = uptr<@bytes>\n"
	".const @one <@i32> = 1 .const @thirteen <@size_t> = 13 .const @fifteen <@size_t> = 15\n"
	".funcsig @main.sig = () -> ()\n"
	".const @write <@write.fp> = EXTERN \"write\"\n"
	".global @hello <@pcchar>\n"
	".global @answer <@i64>\n"
	".const @i64_42 <@i64> = 42\n"
	".funcdef @hello_main VERSION %v1 <@main.sig> { %entry():\n"
	"  %p = LOAD <@pcchar> @hello\n"
	"  %n = CCALL #DEFAULT <@write.fp @write.sig> @write (@one %p @thirteen)\n"
	"  STORE <@i64> @answer @i64_42\n"
	"  COMMINST @uvm.thread_exit }\n"
	".funcdef @goodbye_main VERSION %v1 <@main.sig> { %entry():\n"
	"  %t = COMMINST @uvm.get_threadlocal\n"
	"  %b = REFCAST <@void.r @bytes.r> %t\n"
	"  %p = COMMINST @uvm.native.pin <@bytes.r> (%b)\n"
	"  %c = PTRCAST <@bytes.p @pcchar> %p\n"
	"  %n = CCALL #DEFAULT <@write.fp @write.sig> @write (@one %c @fifteen)\n"
	"  COMMINST @uvm.native.unpin <@bytes.r> (%b)\n"
	"  COMMINST @uvm.thread_exit }\n";

int main(void) {
	static const char hello[] = "Hello world!\n";
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	OK();

	ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@hello"), ctx->handle_from_ptr(ctx, id(ctx, "@pcchar"), (MuCPtr)hello));
	MuStackRefValue stack = ctx->new_stack(ctx, func(ctx, "@hello_main"));
	ctx->new_thread_nor(ctx, stack, NULL, NULL, 0);
	OK();
	vm->execute(vm);
	OK();

	MuRefValue bytes = ctx->new_hybrid(ctx, id(ctx, "@bytes"), ctx->handle_from_uint64(ctx, 256, 64));
	MuUPtrValue pinned = ctx->pin(ctx, bytes);
	strcpy(ctx->handle_to_ptr(ctx, pinned), "Goodbye world!\n");
	stack = ctx->new_stack(ctx, func(ctx, "@goodbye_main"));
	ctx->new_thread_nor(ctx, stack, bytes, NULL, 0);
	ctx->unpin(ctx, bytes);
	OK();
	vm->execute(vm);
	vm->execute(vm); // with nothing to do
	OK();

	MuValue answer = ctx->load(ctx, MU_ORD_SEQ_CST, global(ctx, "@answer"));
	printf("%d\n", (int)ctx->handle_to_sint32(ctx, answer));
	ctx->close_context(ctx);
	OK();
	mu_refimpl2_close(vm);
	OK();
	return 0;
}
