// C twin of the kernel primetest: Miller-Rabin tests of size odd numbers: modular powers, unsigned remainders.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// x to the power e modulo m, m below 2^32.
static uint64_t powmod(uint64_t x, uint64_t e, uint64_t m) {
    uint64_t r = 1;
    for (; e; e >>= 1) {
        if (e & 1)
            r = r * x % m;
        x = x * x % m;
    }
    return r;
}

// Whether n passes the test to base a; n - 1 = d * 2^s, d odd.
static bool witness(uint64_t n, uint64_t a, uint64_t d, int s) {
    uint64_t x = powmod(a, d, n);
    if (x == 1 || x == n - 1)
        return true;
    for (int i = 1; i < s; i++) {
        x = x * x % n;
        if (x == n - 1)
            return true;
    }
    return false;
}

// Correct for odd n below 3215031751.
static bool isprime(uint64_t n) {
    uint64_t d = n - 1;
    int s = 0;
    for (; !(d & 1); d >>= 1)
        s++;
    return witness(n, 2, d, s) && witness(n, 3, d, s) && witness(n, 5, d, s) && witness(n, 7, d, s);
}

static int64_t run(int64_t size) {
    uint64_t n = 1000000001;
    int64_t count = 0, sum = 0;
    for (int64_t i = 0; i < size; i++, n += 2)
        if (isprime(n)) {
            count++;
            sum += (int64_t)n;
        }
    return sum * 7 + count;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 2000000;
    printf("trap primetest.done checksum=%lld\n", (long long)run(size));
    return 0;
}
