// C twin of the kernel throw1: size calls, of which three in four throw an exception that the caller catches.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct failure {
    int64_t code;
};

// Fails unless i is a multiple of four: a failure, which the caller frees, or NULL.
__attribute__((noinline)) static struct failure *risky(int64_t i, int64_t *result) {
    if ((i & 3) == 0) {
        *result = i;
        return NULL;
    }
    struct failure *f = malloc(sizeof *f);
    f->code = i;
    return f;
}

static int64_t guarded(int64_t i) {
    int64_t r;
    struct failure *f = risky(i, &r);
    if (f) {
        r = f->code * 3;
        free(f);
    }
    return r;
}

static int64_t run(int64_t size) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < size; i++)
        sum = sum * 31 + (uint64_t)guarded(i);
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 3000000;
    printf("trap throw1.done checksum=%lld\n", (long long)run(size));
    return 0;
}
