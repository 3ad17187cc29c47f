// C twin of the kernel mandelbrot: points of a grid of size by size, iterated up to 200 times: doubles in variables only.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LIMIT 200

// Iterations of z = z*z + c until |z| > 2.
static int64_t escape(double cr, double ci) {
    double zr = 0, zi = 0;
    for (int64_t n = 0; n < LIMIT; n++) {
        double r2 = zr * zr, i2 = zi * zi;
        if (r2 + i2 > 4)
            return n;
        zi = 2 * zr * zi + ci;
        zr = r2 - i2 + cr;
    }
    return LIMIT;
}

static int64_t run(int64_t size) {
    int64_t sum = 0;
    double step = 1 / (double)size;
    for (int64_t y = 0; y < size; y++) {
        double ci = 2 * (double)y * step - 1;
        for (int64_t x = 0; x < size; x++) {
            double cr = 2 * (double)x * step - 1.5;
            sum += escape(cr, ci) * ((x ^ y) & 7);
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 1300;
    printf("trap mandelbrot.done checksum=%lld\n", (long long)run(size));
    return 0;
}
