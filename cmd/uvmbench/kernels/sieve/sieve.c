// C twin of the kernel sieve: the sieve of Eratosthenes over two million bytes, size times.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 2000000

// Crosses out the composites; the number of primes plus the sum of every 1000th.
static int64_t sieve(uint8_t *marks, int64_t limit) {
    memset(marks, 0, limit);
    int64_t count = 0, sum = 0;
    for (int64_t i = 2; i < limit; i++) {
        if (marks[i])
            continue;
        count++;
        if (count % 1000 == 0)
            sum += i;
        for (int64_t j = i * i; j < limit; j += i)
            marks[j] = 1;
    }
    return sum + count;
}

static int64_t run(int64_t size) {
    uint8_t *marks = malloc(LIMIT);
    int64_t sum = 0;
    for (int64_t i = 0; i < size; i++)
        sum += sieve(marks, LIMIT - i);
    free(marks);
    return sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 80;
    printf("trap sieve.done checksum=%lld\n", (long long)run(size));
    return 0;
}
