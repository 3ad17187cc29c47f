// The player: a client of libmu that builds the bundle in a file, runs a function of it, and prints what traps show as the default
// trap handler would (docs/language.md, "Programs"). The package comment of the package describes the file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "refimpl2-start.h"

// FAILED is the exit status after an error, which libmu has reported; BROKEN after a fault of the file or of the player.
enum { FAILED = 9, BROKEN = 10 };

static MuVM *vm;

static void broken(const char *why, const char *what) {
	fprintf(stderr, "player: %s: %s\n", why, what);
	_exit(BROKEN);
}

// check ends the process if a function of the API has failed.
static void check(void) {
	if (*vm->get_mu_error_ptr(vm)) {
		fflush(stdout);
		_exit(FAILED);
	}
}

// Reading the file.

static char *at; // what comes next

static uint64_t read_number(void) {
	char *end;
	uint64_t n = strtoull(at, &end, 10);
	if (end == at) broken("want a number", at);
	at = end;
	return n;
}

// read_text reads a text: its length, a space, its bytes and one more, which becomes its end. An empty one is NULL.
static char *read_text(void) {
	size_t n = read_number();
	char *s = ++at;
	at += n;
	*at++ = 0;
	return n ? s : NULL;
}

static float read_bits32(void) {
	uint32_t n = (uint32_t)read_number();
	float f;
	memcpy(&f, &n, sizeof f);
	return f;
}

static double read_bits64(void) {
	uint64_t n = read_number();
	double d;
	memcpy(&d, &n, sizeof d);
	return d;
}

// The lists of one call. They are overwritten after it, because the functions copy them.
static char *room;
static size_t used;

static void *list(MuArraySize *n, size_t size) {
	*n = read_number();
	used = (used + 7) & ~(size_t)7;
	void *l = room + used;
	used += *n * size;
	return l;
}

static void forget(void) {
	memset(room, 0xee, used);
	used = 0;
}

static uint64_t *read_words(MuArraySize *n) {
	uint64_t *l = list(n, sizeof *l);
	for (MuArraySize i = 0; i < *n; i++) l[i] = read_number();
	return l;
}

static MuFlag *read_flags(MuArraySize *n) {
	MuFlag *l = list(n, sizeof *l);
	for (MuArraySize i = 0; i < *n; i++) l[i] = (MuFlag)read_number();
	return l;
}

// IDs: those below FIRST are as they are, the others places in syms.
enum { FIRST = 0x10000 };
static MuID *syms;
static size_t nsyms;

static MuID read_id(void) {
	uint64_t n = read_number();
	return n < FIRST ? (MuID)n : syms[n - FIRST];
}

static void same(MuArraySize n, MuArraySize m) {
	if (n != m) broken("two lists with one length differ", at);
}

//BUILD
// What traps show.

// A variable is one that a trap keeps alive. Its type is one letter for each kind, see show.
typedef struct {
	char *name, *type;
} variable;

typedef struct {
	MuID inst;
	char *name; // that is shown if the instruction has none
	uint64_t results, count;
	variable *vars;
} trap;

static trap *traps;
static size_t ntraps;

static int by_inst(const void *a, const void *b) {
	MuID i = ((const trap *)a)->inst, k = ((const trap *)b)->inst;
	return i < k ? -1 : i > k;
}

static MuID named(MuCtx *ctx, const char *name) { return ctx->id_of(ctx, (MuName)name); }

// is_null compares with the NULL of a kind of reference.
static int is_null(MuCtx *ctx, MuValue v, const char *kind) {
	char name[32];
	snprintf(name, sizeof name, "@player.null.%s", kind);
	return ctx->ref_eq(ctx, v, ctx->handle_from_const(ctx, named(ctx, name)));
}

static void show_ref(MuCtx *ctx, MuValue v, const char *kind) { fputs(is_null(ctx, v, kind) ? "NULL" : kind, stdout); }

// show_func shows the name of the function with which a new stack begins.
static void show_func(MuCtx *ctx, MuValue v) {
	if (is_null(ctx, v, "funcref")) {
		fputs("NULL", stdout);
		return;
	}
	MuStackRefValue stack = ctx->new_stack(ctx, v);
	MuFCRefValue cur = ctx->new_cursor(ctx, stack);
	fputs(ctx->name_of(ctx, ctx->cur_func(ctx, cur)), stdout);
	ctx->close_cursor(ctx, cur);
	ctx->kill_stack(ctx, stack);
}

// show_wide shows an int of more than 64 bits, which only memory shows.
static void show_wide(MuCtx *ctx, MuValue v, int bits) {
	char name[32], digits[48], *d = digits + sizeof digits;
	snprintf(name, sizeof name, "@player.int.%d", bits);
	MuRefValue box = ctx->new_fixed(ctx, named(ctx, name));
	MuIRefValue cell = ctx->get_iref(ctx, box);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, cell, v);
	unsigned __int128 n;
	memcpy(&n, ctx->handle_to_ptr(ctx, ctx->pin(ctx, cell)), sizeof n);
	ctx->unpin(ctx, cell);
	__int128 x = (__int128)(n << (128 - bits)) >> (128 - bits);
	n = x < 0 ? -(unsigned __int128)x : (unsigned __int128)x;
	*--d = 0;
	do *--d = (char)('0' + (int)(n % 10));
	while (n /= 10);
	printf("%s%s", x < 0 ? "-" : "", d);
}

static void show_int(uint64_t n, int bits) {
	if (bits == 1)
		printf("%d", (int)(n & 1));
	else
		printf("%lld", (long long)((int64_t)(n << (64 - bits)) >> (64 - bits)));
}

// show_float shows the bits between two marks: Render knows how Mu prints them.
static void show_float(float f) {
	uint32_t n;
	memcpy(&n, &f, sizeof n);
	printf("\001f%x\002", n);
}

static void show_double(double f) {
	uint64_t n;
	memcpy(&n, &f, sizeof n);
	printf("\001d%llx\002", (unsigned long long)n);
}

// show shows a value of the type at *type, and moves *type behind it.
static void show(MuCtx *ctx, MuValue v, const char **type) {
	char kind = *(*type)++;
	switch (kind) {
	case 'i': {
		int bits = (int)strtoul(*type, (char **)type, 10);
		if (bits > 64)
			show_wide(ctx, v, bits);
		else
			show_int(ctx->handle_to_uint64(ctx, v), bits);
		break;
	}
	case 'f': show_float(ctx->handle_to_float(ctx, v)); break;
	case 'd': show_double(ctx->handle_to_double(ctx, v)); break;
	case 'p': printf("0x%llx", (unsigned long long)(uintptr_t)ctx->handle_to_ptr(ctx, v)); break;
	case 'q': printf("0x%llx", (unsigned long long)(uintptr_t)ctx->handle_to_fp(ctx, v)); break;
	case 't':
		if (ctx->tr64_is_int(ctx, v)) {
			fputs("int(", stdout);
			show_int(ctx->handle_to_uint64(ctx, ctx->tr64_to_int(ctx, v)), 52);
		} else if (ctx->tr64_is_ref(ctx, v)) {
			fputs("ref(", stdout);
			show_ref(ctx, ctx->tr64_to_ref(ctx, v), "ref");
			printf(",%d", (int)ctx->handle_to_uint64(ctx, ctx->tr64_to_tag(ctx, v)));
		} else {
			fputs("fp(", stdout);
			show_double(ctx->handle_to_double(ctx, ctx->tr64_to_fp(ctx, v)));
		}
		putchar(')');
		break;
	case 'F': show_func(ctx, v); break;
	case 'r': show_ref(ctx, v, "ref"); break;
	case 'I': show_ref(ctx, v, "iref"); break;
	case 'H': show_ref(ctx, v, "threadref"); break;
	case 'S': show_ref(ctx, v, "stackref"); break;
	case 'C': show_ref(ctx, v, "framecursorref"); break;
	case '{': // a struct, or an array or vector: the types of all elements
	case '[': {
		char end = kind == '{' ? '}' : ']';
		putchar(kind);
		for (int i = 0; **type != end; i++) {
			if (i) putchar(' ');
			MuValue part = kind == '{' ? ctx->extract_value(ctx, v, i) : ctx->extract_element(ctx, v, ctx->handle_from_sint32(ctx, i, 32));
			show(ctx, part, type);
		}
		++*type;
		putchar(end);
		break;
	}
	default: broken("unknown type", *type - 1);
	}
}

static void handler(MuCtx *ctx, MuThreadRefValue thread, MuStackRefValue stack, MuWPID wpid, MuTrapHandlerResult *result, MuStackRefValue *new_stack,
	MuValue **values, MuArraySize *nvalues, MuValuesFreer *freer, MuCPtr *freerdata, MuRefValue *exception, MuCPtr userdata) {
	(void)thread, (void)wpid, (void)values, (void)nvalues, (void)freer, (void)freerdata, (void)exception, (void)userdata;
	MuFCRefValue cur = ctx->new_cursor(ctx, stack);
	trap key = {.inst = ctx->cur_inst(ctx, cur)}, *t = bsearch(&key, traps, ntraps, sizeof key, by_inst);
	if (key.inst && !t) broken("an unknown trap", ctx->name_of(ctx, key.inst));
	if (t) {
		MuValue *kept = calloc(t->count + 1, sizeof *kept);
		if (t->count) ctx->dump_keepalives(ctx, cur, kept);
		printf("trap %s", t->name ? t->name : ctx->name_of(ctx, t->inst) + 1);
		for (uint64_t i = 0; i < t->count; i++) {
			const char *type = t->vars[i].type;
			printf(" %s=", t->vars[i].name);
			show(ctx, kept[i], &type);
		}
		putchar('\n');
		fflush(stdout);
		free(kept);
	}
	ctx->close_cursor(ctx, cur);
	check();
	if (!t || t->results) { // there is no handler for an undefined function, or a trap with results
		fputs("player: E_UNHANDLED_TRAP\n", stderr);
		_exit(FAILED);
	}
	*result = MU_REBIND_PASS_VALUES;
	*new_stack = stack;
}

static void read_file(const char *name) {
	FILE *f = fopen(name, "rb");
	if (!f) broken("cannot be opened", name);
	fseek(f, 0, SEEK_END);
	size_t n = (size_t)ftell(f);
	rewind(f);
	at = malloc(n + 1);
	room = malloc(8 * n + 8); // an element is a digit and a space, at least
	if (!at || !room || fread(at, 1, n, f) != n) broken("cannot be read", name);
	at[n] = 0;
	fclose(f);
}

int main(int argc, char **argv) {
	if (argc < 2) broken("usage", "player FILE [ARGUMENT...]");
	read_file(argv[1]);
	vm = mu_refimpl2_new();
	if (!vm) return BROKEN;
	MuCtx *ctx = vm->new_context(vm);
	nsyms = read_number();
	syms = calloc(nsyms + 1, sizeof *syms);
	build(ctx);
	check();

	ntraps = read_number();
	traps = calloc(ntraps + 1, sizeof *traps);
	for (size_t i = 0; i < ntraps; i++) {
		trap *t = &traps[i];
		t->inst = read_id();
		t->name = read_text();
		t->results = read_number();
		t->count = read_number();
		t->vars = calloc(t->count + 1, sizeof *t->vars);
		for (size_t k = 0; k < t->count; k++) {
			t->vars[k].name = read_text();
			t->vars[k].type = read_text();
		}
	}
	qsort(traps, ntraps, sizeof *traps, by_inst);

	vm->set_trap_handler(vm, handler, NULL);
	MuFuncRefValue entry = ctx->handle_from_func(ctx, named(ctx, "@player.main"));
	MuValue args[] = {ctx->handle_from_sint32(ctx, argc - 1, 32), ctx->handle_from_ptr(ctx, named(ctx, "@player.argv"), argv + 1)};
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, entry), NULL, args, 2);
	check();
	vm->execute(vm);
	MuValue status = ctx->load(ctx, MU_ORD_NOT_ATOMIC, ctx->handle_from_global(ctx, named(ctx, "@player.status")));
	check();
	return ctx->handle_to_uint8(ctx, status);
}
