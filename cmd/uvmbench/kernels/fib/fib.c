// C twin of the kernel fib: Fibonacci numbers by plain recursion: calls and little else.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t fib(int64_t n) {
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

static int64_t run(int64_t size) { return fib(size); }

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 40;
    printf("trap fib.done checksum=%lld\n", (long long)run(size));
    return 0;
}
