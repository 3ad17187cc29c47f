// C twin of the kernel tak: Takeuchi's function, size times: calls with three arguments.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t tak(int64_t x, int64_t y, int64_t z) {
    if (y >= x)
        return z;
    return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
}

static int64_t run(int64_t size) {
    int64_t sum = 0;
    for (int64_t i = 0; i < size; i++)
        sum += tak(24, 16, 8 + (i & 1)) * (i + 1);
    return sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 120;
    printf("trap tak.done checksum=%lld\n", (long long)run(size));
    return 0;
}
