// Prints what a call from C into an empty Go function costs, in nanoseconds of processor time.
#include <stdio.h>

#include "measure.h"

extern void empty(long);

int main(void) {
	MEASURE("empty", 20000, empty(i));
	return 0;
}
