// C twin of the kernel tagvm: a bytecode interpreter of a dynamic language, whose values are tagged references: integers that
// overflow into doubles, doubles, pairs and vectors; size rounds of the program's loop.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HALT, INT, FLOAT, LOAD, STORE, ADD, MUL, MOD, LESS, JUMP, JZERO, CONS, CAR, CDR, NEWVEC, VGET, VSET };

struct instr {
    int op, arg;
};

// Locals: 0 i, 1 sum, 2 x, 3 v, 4 p, 5 the limit, set by the caller.
static const struct instr program[] = {
    // v = newvec(16); for i = 0 to 15: v[i] = cons(i, i)
    {INT, 16}, {NEWVEC, 0}, {STORE, 3}, {INT, 0}, {STORE, 0},
    // 5:
    {LOAD, 0}, {INT, 16}, {LESS, 0}, {JZERO, 20},
    {LOAD, 3}, {LOAD, 0}, {LOAD, 0}, {LOAD, 0}, {CONS, 0}, {VSET, 0},
    {LOAD, 0}, {INT, 1}, {ADD, 0}, {STORE, 0}, {JUMP, 5},
    // 20: x = 0.5; sum = 0; i = 0
    {FLOAT, 500}, {STORE, 2}, {INT, 0}, {STORE, 1}, {INT, 0}, {STORE, 0},
    // 26: while i < limit
    {LOAD, 0}, {LOAD, 5}, {LESS, 0}, {JZERO, 79},
    // p = v[i mod 16]
    {LOAD, 3}, {LOAD, 0}, {INT, 16}, {MOD, 0}, {VGET, 0}, {STORE, 4},
    // sum = sum + car(p)
    {LOAD, 1}, {LOAD, 4}, {CAR, 0}, {ADD, 0}, {STORE, 1},
    // x = (x + cdr(p)) * 0.499 + car(p)
    {LOAD, 2}, {LOAD, 4}, {CDR, 0}, {ADD, 0}, {FLOAT, 499}, {MUL, 0},
    {LOAD, 4}, {CAR, 0}, {ADD, 0}, {STORE, 2},
    // if i mod 3 != 0: sum = sum + i*i
    {LOAD, 0}, {INT, 3}, {MOD, 0}, {JZERO, 62},
    {LOAD, 1}, {LOAD, 0}, {LOAD, 0}, {MUL, 0}, {ADD, 0}, {STORE, 1}, {JUMP, 74},
    // 62: else v[i*7 mod 16] = cons(i mod 1000, x)
    {LOAD, 3}, {LOAD, 0}, {INT, 7}, {MUL, 0}, {INT, 16}, {MOD, 0},
    {LOAD, 0}, {INT, 1000}, {MOD, 0}, {LOAD, 2}, {CONS, 0}, {VSET, 0},
    // 74: i = i + 1
    {LOAD, 0}, {INT, 1}, {ADD, 0}, {STORE, 0}, {JUMP, 26},
    // 79:
    {HALT, 0},
};

enum kind { KIND_FLOAT, KIND_INT, KIND_PAIR, KIND_VECTOR };

// A zeroed value is 0.0.
struct value {
    enum kind kind;
    union {
        int64_t i;
        double f;
        // a pair is two values; objects are never freed
        struct value *obj;
    } u;
};

static struct value integer(int64_t n) {
    struct value v = {KIND_INT, {n}};
    // a double if it does not fit in 52 bits
    if ((uint64_t)n + ((uint64_t)1 << 51) >= (uint64_t)1 << 52) {
        v.kind = KIND_FLOAT;
        v.u.f = (double)n;
    }
    return v;
}

static struct value dbl(double f) {
    struct value v;
    v.kind = KIND_FLOAT;
    v.u.f = f;
    return v;
}

static void bad(const char *what) {
    fprintf(stderr, "tagvm: %s\n", what);
    exit(1);
}

// A number as a double.
static double flt(struct value v) {
    if (v.kind == KIND_INT)
        return (double)v.u.i;
    if (v.kind != KIND_FLOAT)
        bad("not a number");
    return v.u.f;
}

static int64_t idx(struct value v) {
    if (v.kind != KIND_INT)
        bad("not an integer");
    return v.u.i;
}

// The object that a value refers to; it must be of the given kind.
static struct value *object(struct value v, enum kind kind) {
    if (v.kind != kind)
        bad("wrong kind of value");
    return v.u.obj;
}

static struct value newobject(enum kind kind, int64_t n) {
    struct value v;
    v.kind = kind;
    v.u.obj = calloc((size_t)n, sizeof *v.u.obj);
    return v;
}

static struct value add(struct value a, struct value b) {
    if (a.kind == KIND_INT && b.kind == KIND_INT)
        return integer(a.u.i + b.u.i);
    return dbl(flt(a) + flt(b));
}

static bool small(int64_t n) { return (uint64_t)n + (1 << 25) < 1 << 26; }

static struct value multiply(struct value a, struct value b) {
    // products of larger operands become doubles at once
    if (a.kind == KIND_INT && b.kind == KIND_INT && small(a.u.i) && small(b.u.i))
        return integer(a.u.i * b.u.i);
    return dbl(flt(a) * flt(b));
}

static bool less(struct value a, struct value b) {
    if (a.kind == KIND_INT && b.kind == KIND_INT)
        return a.u.i < b.u.i;
    return flt(a) < flt(b);
}

// Runs the program; the number of instructions executed.
static int64_t interpret(const struct instr *code, struct value *locals) {
    struct value stack[64], *sp = stack, v;
    int64_t steps = 0;
    for (const struct instr *at = code;;) {
        int arg = at->arg;
        steps++;
        switch (at++->op) {
        case INT:
            v.kind = KIND_INT;
            v.u.i = arg;
            *sp++ = v;
            break;
        case FLOAT:
            *sp++ = dbl(arg / 1000.0);
            break;
        case LOAD:
            *sp++ = locals[arg];
            break;
        case STORE:
            locals[arg] = *--sp;
            break;
        case ADD:
            sp--;
            sp[-1] = add(sp[-1], *sp);
            break;
        case MUL:
            sp--;
            sp[-1] = multiply(sp[-1], *sp);
            break;
        case MOD:
            sp--;
            v.kind = KIND_INT;
            v.u.i = idx(sp[-1]) % idx(*sp);
            sp[-1] = v;
            break;
        case LESS:
            sp--;
            v.kind = KIND_INT;
            v.u.i = less(sp[-1], *sp);
            sp[-1] = v;
            break;
        case JUMP:
            at = code + arg;
            break;
        case JZERO:
            if (idx(*--sp) == 0)
                at = code + arg;
            break;
        case CONS:
            sp--;
            v = newobject(KIND_PAIR, 2);
            v.u.obj[0] = sp[-1];
            v.u.obj[1] = *sp;
            sp[-1] = v;
            break;
        case CAR:
            sp[-1] = object(sp[-1], KIND_PAIR)[0];
            break;
        case CDR:
            sp[-1] = object(sp[-1], KIND_PAIR)[1];
            break;
        case NEWVEC:
            sp[-1] = newobject(KIND_VECTOR, idx(sp[-1]));
            break;
        case VGET:
            sp--;
            sp[-1] = object(sp[-1], KIND_VECTOR)[idx(*sp)];
            break;
        case VSET:
            // vector, index, value
            sp -= 3;
            object(sp[0], KIND_VECTOR)[idx(sp[1])] = sp[2];
            break;
        default:
            return steps;
        }
    }
}

static int64_t run(int64_t size) {
    struct value locals[8];
    memset(locals, 0, sizeof locals);
    locals[5] = integer(size);
    int64_t steps = interpret(program, locals);
    double sum = flt(locals[1]), x = flt(locals[2]);
    int64_t a, b;
    memcpy(&a, &sum, sizeof a);
    memcpy(&b, &x, sizeof b);
    return a ^ b ^ steps;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 3000000;
    printf("trap tagvm.done checksum=%lld\n", (long long)run(size));
    return 0;
}
