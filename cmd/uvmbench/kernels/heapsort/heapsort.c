// C twin of the kernel heapsort: heapsort of size pseudo-random integers, with array accesses far apart.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Moves the element at i down to its place in the heap p[0..n).
static void sink(int64_t *p, int64_t i, int64_t n) {
    int64_t v = p[i];
    for (;;) {
        int64_t child = i * 2 + 1;
        if (child >= n)
            break;
        if (child + 1 < n && p[child] < p[child + 1])
            child++;
        if (p[child] <= v)
            break;
        p[i] = p[child];
        i = child;
    }
    p[i] = v;
}

static void heapsort(int64_t *p, int64_t n) {
    for (int64_t i = n / 2 - 1; i >= 0; i--)
        sink(p, i, n);
    for (int64_t last = n - 1; last > 0; last--) {
        int64_t largest = p[0];
        p[0] = p[last];
        p[last] = largest;
        sink(p, 0, last);
    }
}

static int64_t run(int64_t size) {
    int64_t *a = malloc(size * sizeof *a);
    uint64_t seed = 42, sum = 0;
    for (int64_t i = 0; i < size; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        a[i] = (int64_t)seed >> 20;
    }
    heapsort(a, size);
    for (int64_t i = 0; i < size; i++)
        sum = sum * 31 + (uint64_t)a[i];
    free(a);
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 2500000;
    printf("trap heapsort.done checksum=%lld\n", (long long)run(size));
    return 0;
}
