// C twin of the kernel nbody: the sun and four planets, size steps: doubles in the fields of objects.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOLAR_MASS 39.47841760435743
#define YEAR 365.24
#define DT 0.01
#define N 5

struct body {
    double x, y, z, vx, vy, vz, mass;
};

// The sun, Jupiter, Saturn, Uranus and Neptune; velocities per day, masses in units of the
// sun's.
static struct body s[N] = {
    {0, 0, 0, 0, 0, 0, 1},
    {4.84143144246472090, -1.16032004402742839, -0.103622044471123109, 0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609},
    {8.34336671824457987, 4.12479856412430479, -0.403523417114321381, -0.00276742510726411341, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812},
    {12.8943695621391310, -15.1111514016986312, -0.223307578892655734, 0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298},
    {15.3796971148509165, -25.9193146099879641, 0.179258772950371181, 0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451},
};

// Units of years and of the sun's mass divided by 4 pi squared, total momentum zero.
static void start(void) {
    double px = 0, py = 0, pz = 0;
    for (int i = 0; i < N; i++) {
        s[i].vx *= YEAR;
        s[i].vy *= YEAR;
        s[i].vz *= YEAR;
        s[i].mass *= SOLAR_MASS;
        px += s[i].vx * s[i].mass;
        py += s[i].vy * s[i].mass;
        pz += s[i].vz * s[i].mass;
    }
    s[0].vx = -px / SOLAR_MASS;
    s[0].vy = -py / SOLAR_MASS;
    s[0].vz = -pz / SOLAR_MASS;
}

static double energy(void) {
    double e = 0;
    for (int i = 0; i < N; i++) {
        struct body *p = &s[i];
        e += 0.5 * p->mass * (p->vx * p->vx + p->vy * p->vy + p->vz * p->vz);
        for (int j = i + 1; j < N; j++) {
            struct body *q = &s[j];
            double dx = p->x - q->x, dy = p->y - q->y, dz = p->z - q->z;
            e -= p->mass * q->mass / sqrt(dx * dx + dy * dy + dz * dz);
        }
    }
    return e;
}

static void advance(void) {
    for (int i = 0; i < N; i++) {
        struct body *p = &s[i];
        for (int j = i + 1; j < N; j++) {
            struct body *q = &s[j];
            double dx = p->x - q->x, dy = p->y - q->y, dz = p->z - q->z;
            double d2 = dx * dx + dy * dy + dz * dz;
            double mag = DT / (d2 * sqrt(d2));
            double qm = q->mass * mag;
            p->vx -= dx * qm;
            p->vy -= dy * qm;
            p->vz -= dz * qm;
            double pm = p->mass * mag;
            q->vx += dx * pm;
            q->vy += dy * pm;
            q->vz += dz * pm;
        }
    }
    for (int i = 0; i < N; i++) {
        s[i].x += DT * s[i].vx;
        s[i].y += DT * s[i].vy;
        s[i].z += DT * s[i].vz;
    }
}

static int64_t run(int64_t size) {
    start();
    double before = energy();
    for (int64_t i = 0; i < size; i++)
        advance();
    double after = energy();
    int64_t a, b;
    memcpy(&a, &before, sizeof a);
    memcpy(&b, &after, sizeof b);
    return a ^ b;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 5000000;
    printf("trap nbody.done checksum=%lld\n", (long long)run(size));
    return 0;
}
