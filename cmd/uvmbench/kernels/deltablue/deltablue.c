// C twin of the kernel deltablue: the incremental solver of one-way constraints, size rounds of a chain of equalities and of
// a projection: objects, growing lists and method calls.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINKS 100 // equalities of the chain, points of the projection
#define SETS 100  // how often the chain's first variable is set
#define TURNS 10  // how often a plan is carried out for a change

// How much a constraint matters, the strongest first.
enum strength { REQUIRED, STRONG_PREFERRED, PREFERRED, STRONG_DEFAULT, NORMAL, WEAK_DEFAULT, WEAKEST };

struct constraint;

// A growing list.
struct list {
    void **items;
    int count, capacity;
};

static void push(struct list *l, void *x) {
    if (l->count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 4;
        l->items = realloc(l->items, (size_t)l->capacity * sizeof *l->items);
    }
    l->items[l->count++] = x;
}

static void *pop(struct list *l) {
    return l->items[--l->count];
}

// Takes x out; the rest stays in order.
static void drop(struct list *l, void *x) {
    int i = 0;
    while (l->items[i] != x)
        i++;
    l->count--;
    memmove(&l->items[i], &l->items[i + 1], (size_t)(l->count - i) * sizeof *l->items);
}

struct variable {
    int64_t value;
    struct list constraints;
    struct constraint *by; // that determines it, or NULL
    int mark;
    int walk;  // the weakest that would have to give way for another value
    bool stay; // does not change while plans are carried out
};

// The methods of a class of constraints.
struct class {
    void (*insert)(struct constraint *);           // enters it at its variables
    void (*remove)(struct constraint *);           // takes it from its variables
    void (*choose)(struct constraint *, int);      // decides whether and how to satisfy it, without variables that have the mark
    void (*mark_inputs)(struct constraint *, int); // gives its inputs the mark
    bool (*known)(struct constraint *, int);       // all inputs are known
    bool (*satisfied)(struct constraint *);
    void (*unsatisfy)(struct constraint *);
    struct variable *(*output)(struct constraint *); // what it determines
    void (*recalculate)(struct constraint *);        // derives walk and stay of the output, and the value if it stays
    void (*execute)(struct constraint *);            // computes the output
    bool (*from_outside)(struct constraint *);       // its output comes from outside
};

struct constraint {
    const struct class *class;
    int strength;
};

static struct variable *variable(int64_t value) {
    struct variable *v = calloc(1, sizeof *v);
    v->value = value;
    v->walk = WEAKEST;
    v->stay = true;
    return v;
}

static void variable_free(struct variable *v) {
    free(v->constraints.items);
    free(v);
}

static void variable_drop(struct variable *v, struct constraint *c) {
    drop(&v->constraints, c);
    if (v->by == c)
        v->by = NULL;
}

// Appends the constraints for which v is an input.
static void consumers(struct variable *v, struct list *list) {
    for (int i = 0; i < v->constraints.count; i++) {
        struct constraint *c = v->constraints.items[i];
        if (c != v->by && c->class->satisfied(c))
            push(list, c);
    }
}

// Whether the value is known once all variables with the mark are computed.
static bool variable_known(struct variable *v, int mark) {
    return v->mark == mark || v->stay || !v->by;
}

static bool no(struct constraint *c) {
    (void)c;
    return false;
}

static bool yes(struct constraint *c) {
    (void)c;
    return true;
}

// A constraint of one variable.
struct unary {
    struct constraint constraint;
    struct variable *out;
    bool holds;
};

static void unary_insert(struct constraint *c) {
    push(&((struct unary *)c)->out->constraints, c);
}

static void unary_remove(struct constraint *c) {
    variable_drop(((struct unary *)c)->out, c);
}

static void unary_choose(struct constraint *c, int mark) {
    struct unary *u = (struct unary *)c;
    u->holds = u->out->mark != mark && c->strength < u->out->walk;
}

static void unary_mark_inputs(struct constraint *c, int mark) {
    (void)c, (void)mark;
}

static bool unary_known(struct constraint *c, int mark) {
    (void)c, (void)mark;
    return true;
}

static bool unary_satisfied(struct constraint *c) {
    return ((struct unary *)c)->holds;
}

static void unary_unsatisfy(struct constraint *c) {
    ((struct unary *)c)->holds = false;
}

static struct variable *unary_output(struct constraint *c) {
    return ((struct unary *)c)->out;
}

static void unary_execute(struct constraint *c) {
    (void)c;
}

static void stay_recalculate(struct constraint *c) {
    struct variable *out = ((struct unary *)c)->out;
    out->walk = c->strength;
    out->stay = true;
}

static void edit_recalculate(struct constraint *c) {
    struct variable *out = ((struct unary *)c)->out;
    out->walk = c->strength;
    out->stay = false;
}

// Keeps a variable as it is.
static const struct class stays = {
    unary_insert, unary_remove, unary_choose, unary_mark_inputs, unary_known, unary_satisfied,
    unary_unsatisfy, unary_output, stay_recalculate, unary_execute, no,
};

// Lets a variable be set from outside.
static const struct class edits = {
    unary_insert, unary_remove, unary_choose, unary_mark_inputs, unary_known, unary_satisfied,
    unary_unsatisfy, unary_output, edit_recalculate, unary_execute, yes,
};

enum direction { NONE, FORWARD, BACKWARD };

// A constraint of two variables, each of which it can compute from the other.
struct binary {
    struct constraint constraint;
    struct variable *v1, *v2;
    enum direction way;
};

static void binary_insert(struct constraint *c) {
    struct binary *b = (struct binary *)c;
    push(&b->v1->constraints, c);
    push(&b->v2->constraints, c);
}

static void binary_remove(struct constraint *c) {
    struct binary *b = (struct binary *)c;
    variable_drop(b->v1, c);
    variable_drop(b->v2, c);
}

static void binary_choose(struct constraint *c, int mark) {
    struct binary *b = (struct binary *)c;
    struct variable *v = b->v2;
    enum direction way = FORWARD;
    if (b->v2->mark == mark || (b->v1->mark != mark && b->v2->walk < b->v1->walk)) {
        v = b->v1;
        way = BACKWARD;
    }
    b->way = v->mark != mark && c->strength < v->walk ? way : NONE;
}

static struct variable *input(struct binary *b) {
    return b->way == FORWARD ? b->v1 : b->v2;
}

static struct variable *output(struct binary *b) {
    return b->way == FORWARD ? b->v2 : b->v1;
}

static void binary_mark_inputs(struct constraint *c, int mark) {
    input((struct binary *)c)->mark = mark;
}

static bool binary_known(struct constraint *c, int mark) {
    return variable_known(input((struct binary *)c), mark);
}

static bool binary_satisfied(struct constraint *c) {
    return ((struct binary *)c)->way != NONE;
}

static void binary_unsatisfy(struct constraint *c) {
    ((struct binary *)c)->way = NONE;
}

static struct variable *binary_output(struct constraint *c) {
    return output((struct binary *)c);
}

static void equality_execute(struct constraint *c) {
    struct binary *b = (struct binary *)c;
    output(b)->value = input(b)->value;
}

static void equality_recalculate(struct constraint *c) {
    struct binary *b = (struct binary *)c;
    struct variable *in = input(b), *out = output(b);
    out->walk = c->strength > in->walk ? c->strength : in->walk;
    out->stay = in->stay;
    if (out->stay)
        equality_execute(c);
}

// v1 = v2
static const struct class equalities = {
    binary_insert, binary_remove, binary_choose, binary_mark_inputs, binary_known, binary_satisfied,
    binary_unsatisfy, binary_output, equality_recalculate, equality_execute, no,
};

// v2 = v1 * factor + offset
struct scale {
    struct binary binary;
    struct variable *factor, *offset;
};

static void scale_insert(struct constraint *c) {
    struct scale *s = (struct scale *)c;
    binary_insert(c);
    push(&s->factor->constraints, c);
    push(&s->offset->constraints, c);
}

static void scale_remove(struct constraint *c) {
    struct scale *s = (struct scale *)c;
    binary_remove(c);
    variable_drop(s->factor, c);
    variable_drop(s->offset, c);
}

static void scale_mark_inputs(struct constraint *c, int mark) {
    struct scale *s = (struct scale *)c;
    input(&s->binary)->mark = mark;
    s->factor->mark = mark;
    s->offset->mark = mark;
}

static bool scale_known(struct constraint *c, int mark) {
    struct scale *s = (struct scale *)c;
    return variable_known(input(&s->binary), mark) && variable_known(s->factor, mark) && variable_known(s->offset, mark);
}

static void scale_execute(struct constraint *c) {
    struct scale *s = (struct scale *)c;
    struct variable *v1 = s->binary.v1, *v2 = s->binary.v2;
    if (s->binary.way == FORWARD)
        v2->value = v1->value * s->factor->value + s->offset->value;
    else
        v1->value = (v2->value - s->offset->value) / s->factor->value;
}

static void scale_recalculate(struct constraint *c) {
    struct scale *s = (struct scale *)c;
    struct variable *in = input(&s->binary), *out = output(&s->binary);
    out->walk = c->strength > in->walk ? c->strength : in->walk;
    out->stay = in->stay && s->factor->stay && s->offset->stay;
    if (out->stay)
        scale_execute(c);
}

static const struct class scales = {
    scale_insert, scale_remove, binary_choose, scale_mark_inputs, scale_known, binary_satisfied,
    binary_unsatisfy, binary_output, scale_recalculate, scale_execute, no,
};

static struct constraint *unary(const struct class *class, int strength, struct variable *out) {
    struct unary *u = calloc(1, sizeof *u);
    u->constraint.class = class;
    u->constraint.strength = strength;
    u->out = out;
    return &u->constraint;
}

static struct constraint *equality(struct variable *v1, struct variable *v2) {
    struct binary *b = calloc(1, sizeof *b);
    b->constraint.class = &equalities;
    b->constraint.strength = REQUIRED;
    b->v1 = v1;
    b->v2 = v2;
    return &b->constraint;
}

static struct constraint *scale(struct variable *v1, struct variable *v2, struct variable *factor, struct variable *offset) {
    struct scale *s = calloc(1, sizeof *s);
    s->binary.constraint.class = &scales;
    s->binary.constraint.strength = REQUIRED;
    s->binary.v1 = v1;
    s->binary.v2 = v2;
    s->factor = factor;
    s->offset = offset;
    return &s->binary.constraint;
}

// The planner.
struct solver {
    int mark;
    int64_t failures;
};

static void retract(struct solver *s, struct constraint *c);

// Recalculates the values that depend on c. If c depends on itself it is given up.
static bool propagate(struct solver *s, struct constraint *c, int mark) {
    struct list todo = {0};
    push(&todo, c);
    while (todo.count > 0) {
        struct constraint *d = pop(&todo);
        if (d->class->output(d)->mark == mark) {
            retract(s, c);
            free(todo.items);
            return false;
        }
        d->class->recalculate(d);
        consumers(d->class->output(d), &todo);
    }
    free(todo.items);
    return true;
}

// Satisfies c if it can; returns the constraint that has to give way, or NULL.
static struct constraint *satisfy(struct solver *s, struct constraint *c, int mark) {
    c->class->choose(c, mark);
    if (!c->class->satisfied(c)) {
        if (c->strength == REQUIRED)
            s->failures++;
        return NULL;
    }
    c->class->mark_inputs(c, mark);
    struct variable *out = c->class->output(c);
    struct constraint *old = out->by;
    if (old)
        old->class->unsatisfy(old);
    out->by = c;
    if (!propagate(s, c, mark)) {
        s->failures++;
        return NULL;
    }
    out->mark = mark;
    return old;
}

// Satisfies c and, then, one after the other, the constraints that had to give way.
static void enforce(struct solver *s, struct constraint *c) {
    int mark = ++s->mark;
    while (c)
        c = satisfy(s, c, mark);
}

// Recalculates the values that depend on a variable that nothing determines any more; appends the
// unsatisfied constraints on the way.
static void release(struct variable *out, struct list *open) {
    out->by = NULL;
    out->walk = WEAKEST;
    out->stay = true;
    struct list todo = {0};
    push(&todo, out);
    while (todo.count > 0) {
        struct variable *v = pop(&todo);
        for (int i = 0; i < v->constraints.count; i++) {
            struct constraint *c = v->constraints.items[i];
            if (!c->class->satisfied(c)) {
                push(open, c);
            } else if (c != v->by) {
                c->class->recalculate(c);
                push(&todo, c->class->output(c));
            }
        }
    }
    free(todo.items);
}

// Gives up a satisfied constraint and satisfies others in its place, the strongest first.
static void retract(struct solver *s, struct constraint *c) {
    struct variable *out = c->class->output(c);
    c->class->unsatisfy(c);
    c->class->remove(c);
    struct list open = {0};
    release(out, &open);
    for (int strength = REQUIRED; strength <= WEAKEST; strength++) {
        for (int i = 0; i < open.count; i++) {
            struct constraint *u = open.items[i];
            if (u->strength == strength)
                enforce(s, u);
        }
    }
    free(open.items);
}

static void add(struct solver *s, struct constraint *c) {
    c->class->insert(c);
    enforce(s, c);
}

static void delete(struct solver *s, struct constraint *c) {
    if (c->class->satisfied(c))
        retract(s, c);
    else
        c->class->remove(c);
}

// The constraints to execute, in order, when the outputs of the sources change.
static struct list plan(struct solver *s, struct list *sources) {
    struct list todo = {0}, plan = {0};
    for (int i = 0; i < sources->count; i++) {
        struct constraint *c = sources->items[i];
        if (c->class->from_outside(c) && c->class->satisfied(c))
            push(&todo, c);
    }
    int mark = ++s->mark;
    while (todo.count > 0) {
        struct constraint *c = pop(&todo);
        struct variable *out = c->class->output(c);
        if (out->mark != mark && c->class->known(c, mark)) {
            push(&plan, c);
            out->mark = mark;
            consumers(out, &todo);
        }
    }
    free(todo.items);
    return plan;
}

static void execute(const struct list *plan) {
    for (int i = 0; i < plan->count; i++) {
        struct constraint *c = plan->items[i];
        c->class->execute(c);
    }
}

static uint64_t fold(uint64_t sum, const struct variable *v) {
    return (sum * 31 + (uint64_t)v->value) * 31 + (uint64_t)v->walk + v->stay;
}

static uint64_t fold_all(uint64_t sum, struct variable **vs, int n) {
    for (int i = 0; i < n; i++)
        sum = fold(sum, vs[i]);
    return sum;
}

// Equalities in a row, with a stay at the far end that an edit of the first variable outranks.
static uint64_t chain(struct solver *s, int64_t round) {
    struct variable *vs[LINKS + 1];
    struct constraint *cs[LINKS];
    for (int i = 0; i <= LINKS; i++)
        vs[i] = variable(round);
    for (int i = 0; i < LINKS; i++) {
        cs[i] = equality(vs[i], vs[i + 1]);
        add(s, cs[i]);
    }
    struct variable *first = vs[0], *last = vs[LINKS];
    struct constraint *stay = unary(&stays, STRONG_DEFAULT, last);
    add(s, stay);
    struct constraint *edit = unary(&edits, PREFERRED, first);
    add(s, edit);
    struct list sources = {0};
    push(&sources, edit);
    struct list p = plan(s, &sources);
    for (int i = 0; i < SETS; i++) {
        first->value = round + i;
        execute(&p);
        if (last->value != round + i)
            s->failures++;
    }
    delete(s, edit);
    uint64_t sum = fold_all((uint64_t)p.count, vs, LINKS + 1);
    free(sources.items);
    free(p.items);
    free(stay);
    free(edit);
    for (int i = 0; i < LINKS; i++)
        free(cs[i]);
    for (int i = 0; i <= LINKS; i++)
        variable_free(vs[i]);
    return sum;
}

// Sets a variable by an edit; returns the size of the plan.
static uint64_t change(struct solver *s, struct variable *v, int64_t value) {
    struct constraint *edit = unary(&edits, PREFERRED, v);
    add(s, edit);
    struct list sources = {0};
    push(&sources, edit);
    struct list p = plan(s, &sources);
    for (int i = 0; i < TURNS; i++) {
        v->value = value;
        execute(&p);
    }
    delete(s, edit);
    uint64_t n = (uint64_t)p.count;
    free(sources.items);
    free(p.items);
    free(edit);
    return n;
}

// Points, each the image of another one by the same factor and offset; changes a point, an
// image, the factor and the offset.
static uint64_t projection(struct solver *s, int64_t round) {
    struct variable *factor = variable(10), *offset = variable(1000);
    struct variable *from[LINKS], *to[LINKS];
    struct constraint *cs[2 * LINKS];
    for (int i = 0; i < LINKS; i++) {
        from[i] = variable(round + i);
        to[i] = variable(i);
        cs[2 * i] = unary(&stays, NORMAL, from[i]);
        add(s, cs[2 * i]);
        cs[2 * i + 1] = scale(from[i], to[i], factor, offset);
        add(s, cs[2 * i + 1]);
    }
    uint64_t sum = change(s, from[LINKS - 1], round + 17);
    sum = fold_all(sum * 31, to, LINKS);
    sum = sum * 31 + change(s, to[LINKS - 1], round * 10 + 1050);
    sum = fold_all(sum, from, LINKS);
    sum = sum * 31 + change(s, factor, 5);
    sum = fold_all(sum, to, LINKS);
    sum = sum * 31 + change(s, offset, 2000);
    sum = fold_all(sum, to, LINKS);
    sum = fold(fold(sum, factor), offset);
    for (int i = 0; i < 2 * LINKS; i++)
        free(cs[i]);
    for (int i = 0; i < LINKS; i++) {
        variable_free(from[i]);
        variable_free(to[i]);
    }
    variable_free(factor);
    variable_free(offset);
    return sum;
}

static int64_t run(int64_t size) {
    struct solver s = {0};
    uint64_t sum = 0;
    for (int64_t i = 0; i < size; i++) {
        sum = sum * 31 + chain(&s, i);
        sum = sum * 31 + projection(&s, i);
    }
    return (int64_t)(sum * 31 + (uint64_t)s.failures);
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 6000;
    printf("trap deltablue.done checksum=%lld\n", (long long)run(size));
    return 0;
}
