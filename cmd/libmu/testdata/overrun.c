// Writes beyond its memory, which the address sanitizer reports.
#include "client.h"

int main(void) {
	MuVM *vm = new_vm();
	MuCtx *ctx = vm->new_context(vm);
	volatile char *p = malloc(8);
	p[8 + (ctx == NULL)] = 1;
	free((void *)p);
	return 0;
}
