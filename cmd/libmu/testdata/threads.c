// 2016 rmu
// arguments 204.5 -3 7
// fresh 1 1 1
// threads 64
// ends 64
// pointers 5000
// further 43
#include "client.h"

#include <pthread.h>

// Calls of Mu functions by threads of C, which keep a Mu thread between calls.

static const char bundle[] =
	".typedef @i8 = int<8> .typedef @i64 = int<64> .typedef @float = float .typedef @double = double .typedef @void = void\n"
	".typedef @ref = ref<@void> .typedef @obj = ref<@i64> .typedef @cell = iref<@i64>\n"
	".funcsig @get = () -> (@i64) .funcsig @one = (@i64) -> (@i64) .funcsig @neg_s = (@i8) -> (@i8) .funcsig @half_s = (@float) -> (@float)\n"
	".funcsig @many_s = (@i64 @i64 @i64 @i64 @i64 @i64 @i64 @i8 @double @double @double @double @double @double @double @double @double @float) -> (@double)\n"
	".const @c0 <@i64> = 0 .const @c1 <@i64> = 1 .const @zero <@i8> = 0 .const @two <@float> = 2.0f .const @null <@ref> = NULL .global @count <@i64>\n"
	".expose @many_c = @many #DEFAULT @c0 .expose @neg_c = @neg #DEFAULT @c0 .expose @half_c = @half #DEFAULT @c0\n"
	".expose @fresh_c = @fresh #DEFAULT @c0 .expose @work_c = @work #DEFAULT @c0\n"
	".funcdef @many VERSION %v1 <@many_s> { %entry(<@i64> %a <@i64> %b <@i64> %c <@i64> %d <@i64> %e <@i64> %f <@i64> %g <@i8> %h\n"
	"  <@double> %p <@double> %q <@double> %r <@double> %s <@double> %t <@double> %u <@double> %v <@double> %w <@double> %x <@float> %y):\n"
	"  %1 = ADD <@i64> %a %b %2 = ADD <@i64> %1 %c %3 = ADD <@i64> %2 %d %4 = ADD <@i64> %3 %e %5 = ADD <@i64> %4 %f %6 = ADD <@i64> %5 %g\n"
	"  %7 = SEXT <@i8 @i64> %h %8 = ADD <@i64> %6 %7 %9 = SITOFP <@i64 @double> %8\n"
	"  %10 = FADD <@double> %9 %p %11 = FADD <@double> %10 %q %12 = FADD <@double> %11 %r %13 = FADD <@double> %12 %s %14 = FADD <@double> %13 %t\n"
	"  %15 = FADD <@double> %14 %u %16 = FADD <@double> %15 %v %17 = FADD <@double> %16 %w %18 = FADD <@double> %17 %x\n"
	"  %19 = FPEXT <@float @double> %y %20 = FADD <@double> %18 %19 RET %20 }\n"
	".funcdef @neg VERSION %v1 <@neg_s> { %entry(<@i8> %x): %y = SUB <@i8> @zero %x RET %y }\n"
	".funcdef @half VERSION %v1 <@half_s> { %entry(<@float> %x): %y = FMUL <@float> %x @two RET %y }\n"
	// @fresh tells whether its thread has no thread-local reference, and gives it one.
	".funcdef @fresh VERSION %v <@get> { %entry(): %r = COMMINST @uvm.get_threadlocal %is = EQ <@ref> %r @null\n"
	"  %o = NEW <@i64> %p = REFCAST <@obj @ref> %o COMMINST @uvm.set_threadlocal (%p) BRANCH2 %is %yes() %no()\n"
	"  %yes(): RET @c1 %no(): RET @c0 }\n"
	".funcdef @work VERSION %v <@one> { %entry(<@i64> %n): BRANCH %loop(%n)\n"
	"  %loop(<@i64> %i): %o = NEW <@i64> %end = EQ <@i64> %i @c0 BRANCH2 %end %done() %next(%i)\n"
	"  %next(<@i64> %i): %j = SUB <@i64> %i @c1 BRANCH %loop(%j)\n"
	"  %done(): %x = ATOMICRMW SEQ_CST ADD <@i64> @count @c1 RET %x }\n"
	".funcdef @inc VERSION %v <@one> { %entry(<@i64> %x): %y = ADD <@i64> %x @c1 RET %y }\n";

typedef int64_t one(int64_t);

static MuVM *vm;
static one *work;
static pthread_key_t at_end;

static void *function(MuCtx *ctx, const char *name) {
	void *p = (void *)(uintptr_t)ctx->handle_to_fp(ctx, ctx->handle_from_expose(ctx, id(ctx, name)));
	OK();
	return p;
}

static int64_t count(MuCtx *ctx) { return ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, global(ctx, "@count"))); }

// ends calls Mu code when the thread ends: twice, so that the second time the library may have let it go.
static void ends(void *times) {
	work(10);
	if (times == (void *)2) pthread_setspecific(at_end, (void *)1);
}

static void *worker(void *arg) {
	(void)arg;
	MuCtx *mine = vm->new_context(vm);
	MuValue x = mine->handle_from_sint64(mine, 1, 64);
	MuRefValue r = mine->new_fixed(mine, id(mine, "@i64"));
	MuIRefValue loc = mine->get_iref(mine, r);
	for (int i = 0; i < 20; i++) {
		work(2000);
		mine->store(mine, MU_ORD_NOT_ATOMIC, loc, x);
		MuValue y = mine->load(mine, MU_ORD_NOT_ATOMIC, loc);
		CHECK(mine->handle_to_sint64(mine, y) == 1);
		mine->delete_value(mine, y);
	}
	mine->close_context(mine);
	return NULL;
}

static void *late(void *arg) {
	(void)arg;
	pthread_setspecific(at_end, (void *)2);
	work(1);
	return NULL;
}

// rounds starts threads, four at a time.
static void rounds(void *(*run)(void *)) {
	for (int i = 0; i < 8; i++) {
		pthread_t threads[4];
		for (int k = 0; k < 4; k++) CHECK(pthread_create(threads + k, NULL, run, NULL) == 0);
		for (int k = 0; k < 4; k++) pthread_join(threads[k], NULL);
	}
}

int main(void) {
	vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	OK();
	double (*many)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int8_t, double, double, double, double, double, double, double, double,
		double, float) = (double (*)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int8_t, double, double, double, double, double, double, double,
		double, double, float))function(ctx, "@many_c");
	int8_t (*neg)(int8_t) = (int8_t(*)(int8_t))function(ctx, "@neg_c");
	float (*half)(float) = (float (*)(float))function(ctx, "@half_c");
	printf("arguments %.1f %d %.0f\n", many(1, 2, 3, 4, 5, 6, 7, -8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 58.5f), neg(3), half(3.5f));
	int64_t (*fresh)(void) = (int64_t(*)(void))function(ctx, "@fresh_c");
	printf("fresh %d", (int)fresh());
	printf(" %d", (int)fresh());
	printf(" %d\n", (int)fresh());

	work = function(ctx, "@work_c");
	rounds(worker);
	OK();
	CHECK(count(ctx) == 32 * 20);
	printf("threads %d\n", (int)count(ctx) / 10);
	CHECK(pthread_key_create(&at_end, ends) == 0);
	ctx->store(ctx, MU_ORD_SEQ_CST, global(ctx, "@count"), ctx->handle_from_sint64(ctx, 0, 64));
	rounds(late);
	CHECK(count(ctx) == 32 * 3);
	printf("ends %d\n", (int)count(ctx) - 32);

	// More function pointers of a signature than are compiled.
	MuFuncRefValue inc = func(ctx, "@inc");
	MuValue none = ctx->handle_from_sint64(ctx, 0, 64);
	int64_t sum = 0;
	for (int i = 0; i < 5000; i++) {
		MuValue p = ctx->expose(ctx, inc, MU_CC_DEFAULT, none);
		sum += ((one *)(uintptr_t)ctx->handle_to_fp(ctx, p))(0);
		ctx->delete_value(ctx, p);
	}
	OK();
	printf("pointers %d\n", (int)sum);

	// A thread that has called one VM calls another.
	mu_refimpl2_close(vm);
	vm = new_vm();
	ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	MuValue p = ctx->expose(ctx, func(ctx, "@inc"), MU_CC_DEFAULT, ctx->handle_from_sint64(ctx, 0, 64));
	printf("further %d\n", (int)((one *)(uintptr_t)ctx->handle_to_fp(ctx, p))(42));
	OK();
	return 0;
}
