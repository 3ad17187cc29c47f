// C twin of the kernel spectralnorm: the spectral norm of an infinite matrix, cut to size: integer division and doubles.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Element i, j of the matrix.
static double element(int64_t i, int64_t j) {
    int64_t k = i + j;
    return 1 / (double)((int64_t)((uint64_t)(k * (k + 1)) >> 1) + i + 1);
}

// r = A v
static void times(const double *v, double *r, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += element(i, j) * v[j];
        r[i] = sum;
    }
}

// r = (transposed A) v
static void transposed(const double *v, double *r, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += element(j, i) * v[j];
        r[i] = sum;
    }
}

static int64_t run(int64_t size) {
    double *u = malloc(size * sizeof *u), *v = malloc(size * sizeof *v), *t = malloc(size * sizeof *t);
    for (int64_t i = 0; i < size; i++)
        u[i] = 1;
    for (int i = 0; i < 10; i++) {
        times(u, t, size);
        transposed(t, v, size);
        times(v, t, size);
        transposed(t, u, size);
    }
    double vbv = 0, vv = 0;
    for (int64_t i = 0; i < size; i++) {
        vbv += u[i] * v[i];
        vv += v[i] * v[i];
    }
    double norm = sqrt(vbv / vv);
    int64_t bits;
    memcpy(&bits, &norm, sizeof bits);
    free(u);
    free(v);
    free(t);
    return bits;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 2500;
    printf("trap spectralnorm.done checksum=%lld\n", (long long)run(size));
    return 0;
}
