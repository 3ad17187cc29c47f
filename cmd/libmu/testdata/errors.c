// 2016 rmu zebu
// 1 id_of: E_NAME: nothing is named "@nothing"
// 2 load_bundle: E_PARSE: load_bundle: 1:1: wanted a definition such as .typedef, found x
// other 1 load: E_HANDLE: loc: the handle is NULL
// still 2 load_bundle: E_PARSE: load_bundle: 1:1: wanted a definition such as .typedef, found x
// keepalives 0 1 2
// 3 mu_count_keepalives: E_HANDLE: cursor: the handle is NULL
#include "client.h"

#include <pthread.h>

#ifdef ZEBU
#define GENERATION "zebu-2017"
#elif defined RMU
#define GENERATION "rmu-ref"
#else
#define GENERATION "refimpl2-2016"
#endif

static const char bundle[] =
	".typedef @i64 = int<64> .funcsig @v = () -> () .global @cell <@i64> .const @c1 <@i64> = 1\n"
	".funcdef @traps VERSION %v1 <@v> { %entry(): [%none] TRAP <> %a = ADD <@i64> @c1 @c1 [%one] TRAP <> KEEPALIVE (%a)\n"
	"  [%two] TRAP <> KEEPALIVE (%a %a) STORE <@i64> @cell @c1 COMMINST @uvm.thread_exit }\n";

static MuVM *vm;
static MuCtx *ctx;

// A thread has errors of its own.
static void *other(void *arg) {
	int *count = mu_take_errors();
	MuCtx *mine = vm->new_context(vm);
	CHECK(!*count && !mine->load(mine, MU_ORD_NOT_ATOMIC, NULL) && count != arg);
	printf("other %d %s\n", *count, mu_error_text());
	mine->close_context(mine);
	return NULL;
}

static void handler(MuCtx *ctx, MuThreadRefValue thread, MuStackRefValue stack, MuWPID wpid, MuTrapHandlerResult *result, MuStackRefValue *new_stack,
	MuValue **values, MuArraySize *nvalues, MuValuesFreer *free_values, MuCPtr *freerdata, MuRefValue *exception, MuCPtr userdata) {
	(void)thread, (void)wpid, (void)values, (void)nvalues, (void)free_values, (void)freerdata, (void)exception, (void)userdata;
	MuFCRefValue cur = ctx->new_cursor(ctx, stack);
	printf(" %d", (int)mu_count_keepalives(ctx, cur));
	ctx->close_cursor(ctx, cur);
	*result = MU_REBIND_PASS_VALUES;
	*new_stack = stack;
}

int main(void) {
	CHECK(!mu_error_text());
	int *count = mu_take_errors();
	CHECK(count == mu_take_errors() && !*count);
	// Not even a wrong option ends the process.
#ifdef ZEBU
	CHECK(!mu_fastimpl_new_with_opts("init_mu --fast") && !strcmp(mu_error_text(), "mu_fastimpl_new: unknown option --fast"));
#else
	CHECK(!mu_refimpl2_new_ex("big") && !strcmp(mu_error_text(), "mu_refimpl2_new_ex: line 1 of the configuration: \"big\": want key=value"));
#endif
	CHECK(*count == 1);
	*count = 0;
	vm = new_vm();
	CHECK(!strcmp(mu_get_generation(vm), GENERATION) && !mu_get_generation(NULL));
	ctx = vm->new_context(vm);
	CHECK(!ctx->id_of(ctx, "@nothing"));
	printf("%d %s\n", *count, mu_error_text());
	ctx->load_bundle(ctx, "x", 1);
	printf("%d %s\n", *count, mu_error_text());
	pthread_t thread;
	pthread_create(&thread, NULL, other, count);
	pthread_join(thread, NULL);
	printf("still %d %s\n", *count, mu_error_text());
	load_text(ctx, bundle);
	if (*count > 2) printf("%s\n", mu_error_text());
	vm->set_trap_handler(vm, handler, NULL);
	printf("keepalives");
	MuIRefValue cell = global(ctx, "@cell");
	ctx->new_thread_nor(ctx, ctx->new_stack(ctx, func(ctx, "@traps")), NULL, NULL, 0);
#ifdef ZEBU
	while (!ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, cell))) usleep(1000);
#else
	vm->execute(vm);
	CHECK(ctx->handle_to_sint64(ctx, ctx->load(ctx, MU_ORD_SEQ_CST, cell)) == 1);
#endif
	printf("\n");
	CHECK(!mu_count_keepalives(ctx, NULL));
	printf("%d %s\n", *count, mu_error_text());
	OK(); // the error number is for clients that do not take errors
	return 0;
}
