#include <stdint.h>

extern int64_t goSame(int64_t);

void n_empty_noinline(void) {}

static int64_t (*volatile same)(int64_t) = goSame;

int64_t n_apply_here(int64_t x) { return same(x) + 1; }
