// C twin of the kernel nbodyfix: the sun and four planets, size steps: fixed-point numbers, integers in units of 2^-24, in the fields of objects.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DT 167772LL
#define N 5

struct body {
    int64_t x, y, z, vx, vy, vz, mass;
};

// The sun, Jupiter, Saturn, Uranus and Neptune, in units of years and of the sun's mass over
// 4 pi squared.
static struct body s[N] = {
    {0, 0, 0, -6504, -54951, 402, 662337939},
    {81225741, -19466940, -1738489, 10172469, 47177311, -423094, 632395},
    {139978466, 69202636, -6770000, -16957980, 30629532, 141193, 189353},
    {216331623, -253523051, -3746479, 18166219, 14574586, -181741, 28919},
    {258028501, -434853940, 3007463, 16426417, 9977394, -583108, 34120},
};

// The distances between the bodies in the previous step.
static int64_t roots[N * N];

// The square root of n; guess is near it.
static int64_t root(int64_t n, int64_t guess) {
    int64_t r = (guess + n / guess) >> 1;
    for (;;) {
        int64_t q = n / r;
        if (q >= r)
            return r;
        r = (r + q) >> 1;
    }
}

static void advance(void) {
    for (int i = 0; i < N; i++) {
        struct body *p = &s[i];
        for (int j = i + 1; j < N; j++) {
            struct body *q = &s[j];
            int64_t dx = p->x - q->x, dy = p->y - q->y, dz = p->z - q->z;
            int64_t d2 = (dx * dx + dy * dy + dz * dz) >> 24;
            int64_t d = root(d2 << 24, roots[i * N + j]);
            roots[i * N + j] = d;
            int64_t mag = (DT << 38) / (((d2 >> 8) * d) >> 16); // counts 2^-38
            int64_t qm = (q->mass * mag) >> 24;
            p->vx -= (dx * qm) >> 38;
            p->vy -= (dy * qm) >> 38;
            p->vz -= (dz * qm) >> 38;
            int64_t pm = (p->mass * mag) >> 24;
            q->vx += (dx * pm) >> 38;
            q->vy += (dy * pm) >> 38;
            q->vz += (dz * pm) >> 38;
        }
    }
    for (int i = 0; i < N; i++) {
        s[i].x += (DT * s[i].vx) >> 24;
        s[i].y += (DT * s[i].vy) >> 24;
        s[i].z += (DT * s[i].vz) >> 24;
    }
}

static int64_t run(int64_t size) {
    for (int i = 0; i < N * N; i++)
        roots[i] = 1LL << 31;
    for (int64_t i = 0; i < size; i++)
        advance();
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) {
        struct body *p = &s[i];
        int64_t list[] = {p->x, p->y, p->z, p->vx, p->vy, p->vz};
        for (int k = 0; k < 6; k++)
            sum = sum * 31 + (uint64_t)list[k];
    }
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 2500000;
    printf("trap nbodyfix.done checksum=%lld\n", (long long)run(size));
    return 0;
}
