// C twin of the kernel collatz: the longest Collatz sequence below size: a tight loop of shifts and branches.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t run(int64_t size) {
    int64_t best = 0, longest = 0, total = 0;
    for (int64_t i = 1; i < size; i++) {
        int64_t steps = 0;
        for (uint64_t n = (uint64_t)i; n != 1; steps++) {
            if (n & 1)
                n = n * 3 + 1;
            else
                n >>= 1;
        }
        total += steps;
        if (steps > longest) {
            longest = steps;
            best = i;
        }
    }
    return best * 1000003 + longest + total;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 2500000;
    printf("trap collatz.done checksum=%lld\n", (long long)run(size));
    return 0;
}
