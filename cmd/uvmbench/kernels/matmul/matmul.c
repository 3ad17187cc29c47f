// C twin of the kernel matmul: the product of two size by size matrices of doubles, row by row.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Element i*n+j of the result is ((i*a + j*b) mod 17) / 8.
static double *new_matrix(int64_t n, int64_t a, int64_t b) {
    double *m = malloc(n * n * sizeof *m);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            m[i * n + j] = (double)((i * a + j * b) % 17) / 8;
    return m;
}

static void multiply(const double *a, const double *b, double *c, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++) {
            double x = a[i * n + k];
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += x * b[k * n + j];
        }
}

static int64_t run(int64_t size) {
    double *a = new_matrix(size, 3, 5), *b = new_matrix(size, 7, 11), *c = new_matrix(size, 0, 0);
    multiply(a, b, c, size);
    double trace = 0, sum = 0;
    for (int64_t i = 0; i < size; i++) {
        trace += c[i * size + i];
        for (int64_t j = 0; j < size; j++)
            sum += c[i * size + j] / (double)(j + 1);
    }
    sum += trace;
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    free(a);
    free(b);
    free(c);
    return bits;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 800;
    printf("trap matmul.done checksum=%lld\n", (long long)run(size));
    return 0;
}
