// The argument is a configuration text; prints whether it makes a VM.
#include "client.h"

int main(int argc, char **argv) {
	MuVM *vm = mu_refimpl2_new_ex(argc > 1 ? argv[1] : NULL);
	puts(vm ? "ok" : "NULL");
	return 0;
}
