// C twin of the kernel fannkuch: fannkuch: all permutations of size elements and their prefix reversals, in small arrays.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t run(int64_t size) {
    int64_t n = size, maxflips = 0, checksum = 0, r = n;
    int64_t *perm1 = malloc(n * sizeof *perm1), *perm = malloc(n * sizeof *perm), *count = malloc(n * sizeof *count);
    for (int64_t i = 0; i < n; i++)
        perm1[i] = i;
    for (int64_t index = 0;; index++) {
        for (; r != 1; r--)
            count[r - 1] = r;
        for (int64_t i = 0; i < n; i++)
            perm[i] = perm1[i];
        // flip the first k+1 elements until the first is 0
        int64_t flips = 0;
        for (int64_t k; (k = perm[0]) != 0; flips++)
            for (int64_t i = 0, j = k; i < j; i++, j--) {
                int64_t t = perm[i];
                perm[i] = perm[j];
                perm[j] = t;
            }
        if (flips > maxflips)
            maxflips = flips;
        checksum += index & 1 ? -flips : flips;
        // the next permutation: rotate the first r+1 elements
        for (;; r++) {
            if (r == n) {
                free(perm1);
                free(perm);
                free(count);
                return checksum * 100 + maxflips;
            }
            int64_t first = perm1[0];
            for (int64_t i = 0; i < r; i++)
                perm1[i] = perm1[i + 1];
            perm1[r] = first;
            if (--count[r] > 0)
                break;
        }
    }
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 10;
    printf("trap fannkuch.done checksum=%lld\n", (long long)run(size));
    return 0;
}
