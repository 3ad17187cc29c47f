// A C source of library.c.
#include <stdint.h>

int64_t fnc(int64_t x) { return x; }
