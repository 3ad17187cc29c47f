// C twin of the kernel atomics2: two threads that add size times each to one atomic counter; the starter waits on a futex.

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 2

// The counter. (C99 has no atomics: this twin uses those of the compiler, and needs -pthread.)
static int64_t total;

struct job {
    pthread_t thread;
    int64_t first, n;
};

// Adds first, first+2, first+4 ... to the counter, n numbers.
static void *worker(void *arg) {
    struct job *j = arg;
    int64_t k = j->first;
    for (int64_t i = 0; i < j->n; i++, k += 2)
        __atomic_fetch_add(&total, k, __ATOMIC_RELAXED);
    return NULL;
}

static int64_t run(int64_t size) {
    struct job jobs[THREADS];
    for (int64_t i = 0; i < THREADS; i++) {
        jobs[i].first = i;
        jobs[i].n = size;
        if (pthread_create(&jobs[i].thread, NULL, worker, &jobs[i])) {
            fputs("atomics2: cannot create a thread\n", stderr);
            exit(1);
        }
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(jobs[i].thread, NULL);
    return __atomic_load_n(&total, __ATOMIC_ACQUIRE);
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 60000000;
    printf("trap atomics2.done checksum=%lld\n", (long long)run(size));
    return 0;
}
