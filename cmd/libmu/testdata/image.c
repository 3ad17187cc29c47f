// A program for TestImage: it fills the heap, and makes an executable with the name in the first argument.
#include "client.h"

static char bundle[] =
	".typedef @i8 = int<8> .typedef @i32 = int<32> .typedef @i64 = int<64> .typedef @d = double .typedef @v = void\n"
	".typedef @node = struct<@i64 @rn @d> .typedef @rn = ref<@node> .typedef @text = hybrid<@i64 @i8> .typedef @rt = ref<@text>\n"
	".typedef @p8 = uptr<@i8> .typedef @pp8 = uptr<@p8> .typedef @rv = ref<@v> .typedef @pv = uptr<@v>\n"
	".global @say <@putsP> .global @head <@rn> .global @hello <@rt> .global @there <@i64>\n"
	".const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @out <@i32> = 1\n"
	".funcsig @writeS = (@i32 @pv @i64) -> (@i64) .funcsig @putsS = (@p8) -> (@i32) .funcsig @exitS = (@i32) -> ()\n"
	".typedef @writeP = ufuncptr<@writeS> .typedef @putsP = ufuncptr<@putsS> .typedef @exitP = ufuncptr<@exitS>\n"
	".const @write <@writeP> = EXTERN \"write\" .const @exit <@exitP> = EXTERN \"exit\"\n"
	".funcsig @mainS = (@i32 @pp8) -> (@i64)\n"
	// Fields of an object, which nothing else refers to, and of a cell have symbols.
	".typedef @pair = struct<@i64 @i64> .typedef @pi64 = uptr<@i64> .typedef @ppi64 = uptr<@pi64> .funcsig @step = (@i64) -> (@i64) .funcsig @last = (@i64) -> ()\n"
	".global @kept <@pair> .global @other <@pi64> .const @second <@pi64> = EXTERN \"second_of_pair\" .const @other.at <@ppi64> = EXTERN \"other_at\"\n"
	".funcdef @plus VERSION %v <@step> {\n"
	"  %e(<@i64> %x): %a = LOAD PTR <@i64> @second %o = LOAD PTR <@pi64> @other.at %b = LOAD PTR <@i64> %o\n"
	"    %y = ADD <@i64> %x %a %z = ADD <@i64> %y %b RET %z }\n"
	".funcdef @end VERSION %v <@last> { %e(<@i64> %x): %s32 = TRUNC <@i64 @i32> %x CCALL #DEFAULT <@exitP @exitS> @exit (%s32) RET () }\n"
	".funcdef @main VERSION %v <@mainS> {\n"
	"  %e(<@i32> %argc <@pp8> %argv):\n"
	"    %t = LOAD <@rt> @hello %p = COMMINST @uvm.native.pin <@rt> (%t)\n"
	"    %l = GETIREF <@text> %t %f = GETFIELDIREF <@text 0> %l %n = LOAD <@i64> %f\n"
	"    %b = GETVARPARTIREF PTR <@text> %p %c = PTRCAST <@p8 @pv> %b\n"
	"    %w = CCALL #DEFAULT <@writeP @writeS> @write (@out %c %n) COMMINST @uvm.native.unpin <@rt> (%t)\n"
	"    %1 = SHIFTIREF PTR <@p8 @i64> %argv @1 %a = LOAD PTR <@p8> %1\n"
	"    %puts = LOAD <@putsP> @say %u = CCALL #DEFAULT <@putsP @putsS> %puts (%a)\n"
	"    %x = LOAD <@rn> @head BRANCH %loop(%x @0)\n"
	"  %loop(<@rn> %x <@i64> %sum):\n"
	"    %i = GETIREF <@node> %x %vf = GETFIELDIREF <@node 0> %i %val = LOAD <@i64> %vf %s = ADD <@i64> %sum %val\n"
	"    %nf = GETFIELDIREF <@node 1> %i %next = LOAD <@rn> %nf %first = LOAD <@rn> @head\n"
	"    %end = EQ <@rn> %next %first BRANCH2 %end %done(%s) %loop(%next %s)\n"
	"  %done(<@i64> %s):\n"
	"    RET %s }\n";

int main(int argc, char **argv) {
	if (argc < 2) return 2;
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	// A ring of three nodes, 1 + 2 + 4.
	MuRefValue nodes[3];
	for (int i = 0; i < 3; i++) nodes[i] = ctx->new_fixed(ctx, id(ctx, "@node"));
	for (int i = 0; i < 3; i++) {
		MuIRefValue n = ctx->get_iref(ctx, nodes[i]);
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, ctx->get_field_iref(ctx, n, 0), ctx->handle_from_sint64(ctx, 1 << i, 64));
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, ctx->get_field_iref(ctx, n, 1), nodes[(i + 1) % 3]);
	}
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@head"), nodes[0]);
	static const char hello[] = "hello from the image\n";
	MuRefValue text = ctx->new_hybrid(ctx, id(ctx, "@text"), ctx->handle_from_uint64(ctx, sizeof hello - 1, 64));
	MuIRefValue whole = ctx->get_iref(ctx, text), chars = ctx->get_var_part_iref(ctx, whole);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, ctx->get_field_iref(ctx, whole, 0), ctx->handle_from_sint64(ctx, sizeof hello - 1, 64));
	for (int i = 0; hello[i]; i++)
		ctx->store(ctx, MU_ORD_NOT_ATOMIC, ctx->shift_iref(ctx, chars, ctx->handle_from_sint64(ctx, i, 64)), ctx->handle_from_sint8(ctx, hello[i], 8));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@hello"), text);
	// The frames of a stack: @main, then @plus, then @end.
	MuStackRefValue stack = ctx->new_stack(ctx, func(ctx, "@end"));
	ctx->push_frame(ctx, stack, func(ctx, "@plus"));
	ctx->push_frame(ctx, stack, func(ctx, "@main"));
	MuIRefValue pair = ctx->get_iref(ctx, ctx->new_fixed(ctx, id(ctx, "@pair")));
	MuIRefValue second = ctx->get_field_iref(ctx, pair, 1), kept = ctx->get_field_iref(ctx, global(ctx, "@kept"), 1);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, second, ctx->handle_from_sint64(ctx, 16, 64));
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, kept, ctx->handle_from_sint64(ctx, 32, 64));
	MuIRefValue other = global(ctx, "@other"), places[] = {second, kept, other};
	MuCString place_names[] = {"second_of_pair", "kept_at", "other_at"};
	MuID whitelist[] = {id(ctx, "@main")};
	MuIRefValue say = global(ctx, "@say"); // has no address yet
	MuIRefValue fields[] = {say, other};
	MuCString names[] = {"puts", "kept_at"};
	ctx->make_boot_image(ctx, whitelist, 1, NULL, stack, NULL, places, place_names, 3, fields, names, 2, argv[1]);
	OK();
	return 0;
}
