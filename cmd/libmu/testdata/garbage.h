// What the client of TestLongGarbage has beside the calls that are made from the table of the API: values that are right, wrong and stale.
#include "client.h"

static MuVM *vm, *other_vm;
static MuCtx *ctx;
static int *errors; // that the thread has taken
static uint64_t state = SEED;

static uint32_t chance(uint32_t n) {
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

enum { POOL = 64 };
static void *pool[POOL];
static MuID ids[32];
static uint32_t nids;

static void *handle(void) {
	switch (chance(16)) {
	case 0: return NULL;
	case 1: return (void *)(uintptr_t)state; // no handle
	case 2: return (void *)((uintptr_t)pool[chance(POOL)] + 1);
	default: return pool[chance(POOL)];
	}
}

// put keeps a handle that is a result.
static void put(void *h) {
	if (h) pool[chance(POOL)] = h;
}

static MuID any_id(void) {
	switch (chance(8)) {
	case 0: return chance(3);
	case 1: return (MuID)state;
	default: return ids[chance(nids)];
	}
}

static uint32_t number(void) { return chance(4) ? chance(12) : (uint32_t)state; }

static const char *const texts[] = {"", "@i64", "@nothing", "i64", "@f.v.e.x", ".typedef @x = int<6", ".new $a <@i64>", "\xff\xfe{", ".const @y <@i64> = ",
	".funcdef @f VERSION %w <@one> { %e(<@i64> %x): RET %x }", ".init @g = 7", "@@", "@a b"};
static char *text(void) { return chance(20) ? (char *)texts[chance(sizeof texts / sizeof *texts)] : NULL; }

static const char bundle[] =
	".typedef @i8 = int<8> .typedef @i64 = int<64> .typedef @i128 = int<128> .typedef @f32 = float .typedef @d = double .typedef @p = uptr<@i64> .typedef @void = void\n"
	".typedef @s = struct<@i64 @ref> .typedef @a = array<@i64 3> .typedef @v3 = vector<@f32 4> .typedef @h = hybrid<@i64 @i8> .typedef @ref = ref<@i64> .typedef @rv = ref<@void>\n"
	".typedef @tag = tagref64 .funcsig @one = (@i64) -> (@i64) .typedef @fp = ufuncptr<@one> .const @c <@i64> = 5 .const @null <@ref> = NULL .const @sc <@s> = {@c @null}\n"
	".global @g <@i64> .global @gs <@s> .global @ga <@a> .global @gt <@tag> .global @gv <@v3>\n"
	".funcdef @f VERSION %v <@one> { %e(<@i64> %x): [%t] TRAP <> KEEPALIVE (%x) RET %x } .funcdecl @u <@one> .expose @x = @f #DEFAULT @c\n";

static void begin(void) {
	vm = new_vm(), other_vm = new_vm();
	errors = mu_take_errors();
	MuCtx *o = other_vm->new_context(other_vm);
	load_text(o, bundle);
	ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	static const char *const names[] = {"@i8", "@i64", "@i128", "@f32", "@d", "@p", "@s", "@a", "@v3", "@h", "@ref", "@rv", "@tag", "@one", "@fp", "@c", "@null", "@sc", "@g", "@gs", "@ga",
		"@gt", "@gv", "@f", "@u", "@x"};
	for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) ids[nids++] = id(ctx, names[i]);
	for (int i = 0; i < POOL; i++) pool[i] = ctx->handle_from_global(ctx, id(ctx, names[18 + i % 5]));
	for (int i = 0; i < POOL / 4; i++) pool[chance(POOL)] = ctx->new_fixed(ctx, id(ctx, names[chance(8)]));
	pool[0] = o->handle_from_sint64(o, 1, 64); // of another VM
	CHECK(!*errors);
}

// works ends the client if the VM does not do what it did before.
static void works(void) {
	int before = *errors;
	MuIRefValue g = ctx->handle_from_global(ctx, id(ctx, "@g"));
	ctx->store(ctx, MU_ORD_SEQ_CST, g, ctx->handle_from_sint64(ctx, 1234, 64));
	CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, g)) == 1234);
	MuRefValue o = ctx->new_fixed(ctx, id(ctx, "@s"));
	MuIRefValue field = ctx->get_field_iref(ctx, ctx->get_iref(ctx, o), 1);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, field, ctx->new_fixed(ctx, id(ctx, "@i64")));
	CHECK(ctx->ref_eq(ctx, ctx->load(ctx, MU_ORD_NOT_ATOMIC, field), ctx->load(ctx, MU_ORD_NOT_ATOMIC, field)));
	CHECK(*errors == before);
}
