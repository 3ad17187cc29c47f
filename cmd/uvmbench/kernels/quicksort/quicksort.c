// C twin of the kernel quicksort: quicksort of size pseudo-random integers: array accesses and unpredictable branches.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Sorts p[lo..hi], both ends included: Hoare's partition round the middle element,
// recursion into the left part, iteration on the right one.
static void quicksort(int64_t *p, int64_t lo, int64_t hi) {
    while (lo < hi) {
        int64_t pivot = p[(lo + hi) >> 1], i = lo, j = hi;
        while (i <= j) {
            while (p[i] < pivot)
                i++;
            while (pivot < p[j])
                j--;
            if (i <= j) {
                int64_t t = p[i];
                p[i++] = p[j];
                p[j--] = t;
            }
        }
        quicksort(p, lo, j);
        lo = i;
    }
}

static int64_t run(int64_t size) {
    int64_t *a = malloc(size * sizeof *a);
    uint64_t seed = 42, sum = 0;
    for (int64_t i = 0; i < size; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        a[i] = (int64_t)seed >> 20;
    }
    quicksort(a, 0, size - 1);
    for (int64_t i = 0; i < size; i++)
        sum = sum * 31 + (uint64_t)a[i];
    free(a);
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 4000000;
    printf("trap quicksort.done checksum=%lld\n", (long long)run(size));
    return 0;
}
