// C twin of the kernel generator: a generator on its own stack yields size values, one at a time: two stack switches each.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// A generator as C has it: its state in a struct, one call a value.
struct generator {
    int64_t left;
    uint64_t seed;
};

__attribute__((noinline)) static bool next(struct generator *g, int64_t *value) {
    if (g->left == 0)
        return false;
    g->left--;
    g->seed = g->seed * 6364136223846793005u + 1442695040888963407u;
    *value = (int64_t)g->seed >> 20;
    return true;
}

static int64_t run(int64_t size) {
    struct generator g = {size, 42};
    uint64_t sum = 0;
    for (int64_t v; next(&g, &v);)
        sum = sum * 31 + (uint64_t)v;
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 4000000;
    printf("trap generator.done checksum=%lld\n", (long long)run(size));
    return 0;
}
