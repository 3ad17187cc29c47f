// 2016 rmu
// fib 6765
// nested 55
// cookie 77
// watch 1 2 1
// pushed 42
// threads 4000
// signals 1 1 1
#include "client.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static const char bundle[] =
	".typedef @i1 = int<1> .typedef @i32 = int<32> .typedef @i64 = int<64> .typedef @void = void .typedef @pvoid = uptr<@void>\n"
	".funcsig @one = (@i64) -> (@i64) .funcsig @take = (@i64) -> () .funcsig @v = () -> () .funcsig @get = () -> (@i64) .typedef @fp = ufuncptr<@one>\n"
	".const @c0 <@i64> = 0 .const @c1 <@i64> = 1 .const @c2 <@i64> = 2 .const @cookie <@i64> = 77\n"
	".global @cell <@i64> .global @callback <@fp>\n"
	".expose @fib_c = @fib #DEFAULT @c0 .expose @kept = @cookie_of #DEFAULT @cookie\n"
	".funcdef @fib VERSION %v1 <@one> { %entry(<@i64> %n): %small = ULT <@i64> %n @c2 BRANCH2 %small %ret(%n) %more(%n)\n"
	"  %ret(<@i64> %n): RET %n\n"
	"  %more(<@i64> %n): %a = SUB <@i64> %n @c1 %x = CALL <@one> @fib (%a) %b = SUB <@i64> %n @c2 %y = CALL <@one> @fib (%b) %z = ADD <@i64> %x %y RET %z }\n"
	".funcdef @sum VERSION %v1 <@one> { %entry(<@i64> %n): %p = LOAD <@fp> @callback %r = CCALL #DEFAULT <@fp @one> %p (%n) %s = ADD <@i64> %r %n RET %s }\n"
	".funcdef @cookie_of VERSION %v1 <@get> { %entry(): %c = COMMINST @uvm.native.get_cookie RET %c }\n"
	".funcdef @watch VERSION %v1 <@v> { %entry(): WPBRANCH 7 %off() %on()\n"
	"  %off(): STORE <@i64> @cell @c1 COMMINST @uvm.thread_exit\n"
	"  %on(): STORE <@i64> @cell @c2 COMMINST @uvm.thread_exit }\n"
	".funcdef @keep VERSION %v1 <@take> { %entry(<@i64> %x): STORE <@i64> @cell %x COMMINST @uvm.thread_exit }\n"
	".funcdef @count VERSION %v1 <@v> { %entry(): %x = ATOMICRMW SEQ_CST ADD <@i64> @cell @c1 COMMINST @uvm.thread_exit }\n"
	".funcdef @null VERSION %v1 <@v> { %entry(): %x = LOAD PTR <@i64> @nullptr COMMINST @uvm.thread_exit }\n"
	".typedef @pi64 = uptr<@i64> .const @nullptr <@pi64> = 0\n";

typedef int64_t one(int64_t);

static MuVM *vm;
static MuCtx *ctx;
static one *sum;

static int64_t cell(void) { return ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, global(ctx, "@cell"))); }

// callback is called by Mu code, and calls Mu code that calls it.
static int64_t callback(int64_t n) { return n ? sum(n - 1) : 0; }

static void run(const char *name) {
	CHECK(ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, name)), NULL, NULL, 0));
	vm->execute(vm);
}

// worker makes a context of its own, and uses that of the creator, too.
static void *worker(void *arg) {
	MuCtx *mine = vm->new_context(vm);
	for (int i = 0; i < 1000; i++) {
		MuStackRefValue s = mine->new_stack(mine, func(mine, "@count"));
		CHECK(mine->new_thread_nor(mine, s, NULL, NULL, 0));
		mine->delete_value(mine, s);
	}
	mine->close_context(mine);
	return ctx->handle_from_sint64(ctx, (int64_t)(intptr_t)arg, 64);
}

static volatile sig_atomic_t users, faults;
static void on_user(int sig) { (void)sig, users++; }

// on_fault handles the faults of this program, and leaves those of Mu code to the handler that was there before.
static struct sigaction before;
static sigjmp_buf after;
static volatile int mine;
static void on_fault(int sig, siginfo_t *info, void *uc) {
	if (!mine) {
		before.sa_sigaction(sig, info, uc);
		return;
	}
	faults++;
	siglongjmp(after, 1);
}

int main(void) {
	struct sigaction user = {.sa_handler = on_user};
	sigaction(SIGUSR1, &user, NULL);
	vm = new_vm();
	ctx = vm->new_context(vm);
	load_text(ctx, bundle);
	OK();
	one *fib = (one *)(uintptr_t)ctx->handle_to_fp(ctx, ctx->handle_from_expose(ctx, id(ctx, "@fib_c")));
	printf("fib %d\n", (int)fib(20));
	MuValue fp = ctx->expose(ctx, func(ctx, "@sum"), MU_CC_DEFAULT, ctx->handle_from_sint64(ctx, 0, 64));
	sum = (one *)(uintptr_t)ctx->handle_to_fp(ctx, fp);
	ctx->store(ctx, MU_ORD_NOT_ATOMIC, global(ctx, "@callback"), ctx->handle_from_fp(ctx, id(ctx, "@fp"), (MuCFP)(uintptr_t)callback));
	printf("nested %d\n", (int)sum(10));
	ctx->unexpose(ctx, MU_CC_DEFAULT, fp);
	int64_t (*kept)(void) = (int64_t(*)(void))(uintptr_t)ctx->handle_to_fp(ctx, ctx->handle_from_expose(ctx, id(ctx, "@kept")));
	printf("cookie %d\n", (int)kept());
	OK();

	printf("watch");
	run("@watch");
	printf(" %d", (int)cell());
	ctx->enable_watchpoint(ctx, 7);
	run("@watch");
	printf(" %d", (int)cell());
	ctx->disable_watchpoint(ctx, 7);
	run("@watch");
	printf(" %d\n", (int)cell());
	OK();

	// A frame that waits for an int is put on a stack, in the place of another.
	MuStackRefValue stack = ctx->new_stack(ctx, func(ctx, "@watch"));
	MuFCRefValue cur = ctx->new_cursor(ctx, stack), copy = ctx->copy_cursor(ctx, cur);
	CHECK(ctx->cur_func(ctx, copy) == id(ctx, "@watch") && ctx->cur_func_ver(ctx, copy) == id(ctx, "@watch.v1") && ctx->cur_inst(ctx, copy) == 0);
	ctx->close_cursor(ctx, copy);
	ctx->pop_frames_to(ctx, cur);
	ctx->close_cursor(ctx, cur);
	ctx->push_frame(ctx, stack, func(ctx, "@keep"));
	MuValue x = ctx->handle_from_sint64(ctx, 42, 64);
	ctx->new_thread_nor(ctx, stack, NULL, &x, 1);
	OK();
	vm->execute(vm);
	printf("pushed %d\n", (int)cell());
	stack = ctx->new_stack(ctx, func(ctx, "@watch"));
	ctx->kill_stack(ctx, stack);
	OK();

	ctx->store(ctx, MU_ORD_SEQ_CST, global(ctx, "@cell"), ctx->handle_from_sint64(ctx, 0, 64));
	pthread_t threads[4];
	for (int i = 0; i < 4; i++) pthread_create(threads + i, NULL, worker, (void *)(intptr_t)i);
	int busy = 0;
	for (int i = 0; i < 4; i++) {
		void *handle;
		pthread_join(threads[i], &handle);
		if (!handle) busy++; // another thread was using the context: an error, and nothing worse
		else CHECK(ctx->handle_to_sint64(ctx, handle) == i);
	}
	if (busy) CHECK(failed(vm));
	vm->execute(vm);
	OK();
	printf("threads %d\n", (int)cell());

	// The program's own signals, and its own faults.
	raise(SIGUSR1);
	struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGSEGV, &fault, &before);
	if (!sigsetjmp(after, 1)) {
		mine = 1;
		*(volatile int *)(uintptr_t)mine = 0;
	}
	mine = 0;
	CHECK(freopen("/dev/null", "w", stderr)); // an error is wanted
	run("@null");
	printf("signals %d %d %d\n", (int)users, (int)faults, failed(vm));
	ctx->close_context(ctx);
	OK();
	return 0;
}
