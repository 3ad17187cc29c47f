// C twin of the kernel popcount: counts the bits of size pseudo-random words by shifts and masks: pure 64-bit arithmetic.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t popcount(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (x * 0x0101010101010101u) >> 56;
}

static int64_t run(int64_t size) {
    uint64_t x = 88172645463325252u;
    int64_t sum = 0;
    for (int64_t i = 0; i < size; i++) {
        // xorshift
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum += (int64_t)popcount(x) * (i & 15);
    }
    return sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 150000000;
    printf("trap popcount.done checksum=%lld\n", (long long)run(size));
    return 0;
}
