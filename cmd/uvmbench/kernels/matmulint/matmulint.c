// C twin of the kernel matmulint: the product of two size by size matrices of integers, row by row.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Element i*n+j of the result is (i*a + j*b) mod 17.
static int64_t *new_matrix(int64_t n, int64_t a, int64_t b) {
    int64_t *m = malloc(n * n * sizeof *m);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            m[i * n + j] = (i * a + j * b) % 17;
    return m;
}

static void multiply(const int64_t *a, const int64_t *b, int64_t *c, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++) {
            int64_t x = a[i * n + k];
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += x * b[k * n + j];
        }
}

static int64_t run(int64_t size) {
    int64_t *a = new_matrix(size, 3, 5), *b = new_matrix(size, 7, 11), *c = new_matrix(size, 0, 0);
    multiply(a, b, c, size);
    uint64_t trace = 0, sum = 0;
    for (int64_t i = 0; i < size; i++) {
        trace += (uint64_t)c[i * size + i];
        for (int64_t j = 0; j < size; j++)
            sum = sum * 31 + (uint64_t)c[i * size + j];
    }
    free(a);
    free(b);
    free(c);
    return (int64_t)(sum + trace);
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 800;
    printf("trap matmulint.done checksum=%lld\n", (long long)run(size));
    return 0;
}
