// C twin of the kernel throw10: size calls, of which three in four throw an exception that passes through ten frames.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct failure {
    int64_t code;
};

// Calls itself depth times; then fails unless i is a multiple of four: a failure, which the
// caller frees, or NULL.
static struct failure *risky(int64_t depth, int64_t i, int64_t *result) {
    if (depth > 1) {
        int64_t r;
        struct failure *f = risky(depth - 1, i, &r);
        if (f)
            return f;
        *result = r + 1;
        return NULL;
    }
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
    struct failure *f = risky(10, i, &r);
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
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 1000000;
    printf("trap throw10.done checksum=%lld\n", (long long)run(size));
    return 0;
}
