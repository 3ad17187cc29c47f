// C twin of the kernel ackermann: Ackermann's function A(3, size): nested calls thousands of frames deep.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t ack(int64_t m, int64_t n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}

static int64_t run(int64_t size) { return ack(3, size); }

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 11;
    printf("trap ackermann.done checksum=%lld\n", (long long)run(size));
    return 0;
}
