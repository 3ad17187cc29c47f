// C twin of the kernel vcall: method calls through tables of function references: size rounds over a thousand objects of five classes.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define OBJECTS 1000

struct object;

struct class {
    int64_t (*area)(struct object *, int64_t);
    int64_t (*move)(struct object *, int64_t);
};

// Every object begins with its class.
struct object {
    const struct class *class;
};

struct square {
    struct object object;
    int64_t side;
};

static int64_t square_area(struct object *o, int64_t x) {
    struct square *s = (struct square *)o;
    return s->side * s->side + x;
}

static int64_t square_move(struct object *o, int64_t x) {
    struct square *s = (struct square *)o;
    return s->side = (s->side + x) & 1023;
}

static const struct class squares = {square_area, square_move};

struct rect {
    struct object object;
    int64_t width, height;
};

static int64_t rect_area(struct object *o, int64_t x) {
    struct rect *r = (struct rect *)o;
    return r->width * r->height - x;
}

static int64_t rect_move(struct object *o, int64_t x) {
    struct rect *r = (struct rect *)o;
    r->width = (r->width ^ x) & 511;
    return r->width + r->height;
}

static const struct class rects = {rect_area, rect_move};

struct line {
    struct object object;
    int64_t from, to;
};

static int64_t line_area(struct object *o, int64_t x) {
    struct line *l = (struct line *)o;
    return (l->to - l->from) * x;
}

static int64_t line_move(struct object *o, int64_t x) {
    struct line *l = (struct line *)o;
    return l->from = (l->from + x) & 255;
}

static const struct class lines = {line_area, line_move};

struct dot {
    struct object object;
};

static int64_t dot_area(struct object *o, int64_t x) {
    (void)o;
    return x;
}

static int64_t dot_move(struct object *o, int64_t x) {
    (void)o;
    return -x;
}

static const struct class dots = {dot_area, dot_move};

struct group {
    struct object object;
    struct object *inner;
    int64_t factor;
};

static int64_t group_area(struct object *o, int64_t x) {
    struct group *g = (struct group *)o;
    return g->inner->class->area(g->inner, x) * g->factor;
}

static int64_t group_move(struct object *o, int64_t x) {
    struct group *g = (struct group *)o;
    g->factor = (g->factor + 1) & 15;
    return g->inner->class->move(g->inner, x + g->factor);
}

static const struct class groups = {group_area, group_move};

static void *new(const struct class *class, size_t size) {
    struct object *o = calloc(1, size);
    o->class = class;
    return o;
}

// The objects: a random number selects the class; a group holds the object made before it.
static void objects(struct object **all, int64_t n) {
    int64_t seed = 42;
    struct square *s;
    struct rect *r;
    struct line *l;
    struct group *g;
    for (int64_t i = 0; i < n; i++) {
        seed = (seed * 1103515245 + 12345) & 0x7fffffff;
        switch (i == 0 ? 0 : (seed >> 16) % 5) {
        case 0:
            s = new(&squares, sizeof *s);
            s->side = i;
            all[i] = &s->object;
            break;
        case 1:
            r = new(&rects, sizeof *r);
            r->width = i;
            r->height = i + 3;
            all[i] = &r->object;
            break;
        case 2:
            l = new(&lines, sizeof *l);
            l->to = i;
            all[i] = &l->object;
            break;
        case 3:
            all[i] = new(&dots, sizeof(struct dot));
            break;
        default:
            g = new(&groups, sizeof *g);
            g->inner = all[i - 1];
            g->factor = i & 15;
            all[i] = &g->object;
        }
    }
}

static int64_t run(int64_t size) {
    struct object *all[OBJECTS];
    objects(all, OBJECTS);
    uint64_t sum = 0;
    for (int64_t i = 0; i < size; i++)
        for (int64_t k = 0; k < OBJECTS; k++) {
            struct object *o = all[k];
            sum += (uint64_t)o->class->area(o, i);
            sum ^= (uint64_t)o->class->move(o, k);
        }
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 40000;
    printf("trap vcall.done checksum=%lld\n", (long long)run(size));
    return 0;
}
