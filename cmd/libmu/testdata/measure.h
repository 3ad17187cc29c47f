// How calls are measured: the best of many short rounds, in nanoseconds of processor time, so that other processes matter little.
#ifndef MEASURE_H
#define MEASURE_H

#include <stdio.h>
#include <time.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define MEASURE(name, n, call)                                    \
	do {                                                          \
		double best = 1e18;                                       \
		for (int round = 0; round < 100; round++) {               \
			double begin = now();                                 \
			for (int i = 0; i < n; i++) { call; }                 \
			double one = (now() - begin) / n;                     \
			if (one < best) best = one;                           \
		}                                                         \
		printf("%s %.1f\n", name, best);                          \
	} while (0)

#endif
