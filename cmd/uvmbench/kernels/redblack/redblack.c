// C twin of the kernel redblack: a red-black tree with parent pointers: size insertions, as many look-ups, a walk in order.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right, *parent;
    int64_t key, value;
    bool red;
};

struct tree {
    struct node *root;
    int64_t count;
};

// Makes y the child of the parent of x, in the place of x.
static void replace(struct tree *t, struct node *x, struct node *y) {
    struct node *p = x->parent;
    y->parent = p;
    if (!p)
        t->root = y;
    else if (p->left == x)
        p->left = y;
    else
        p->right = y;
}

// Puts y, the right child of x, in the place of x.
static void rotateleft(struct tree *t, struct node *x) {
    struct node *y = x->right;
    x->right = y->left;
    if (y->left)
        y->left->parent = x;
    replace(t, x, y);
    y->left = x;
    x->parent = y;
}

// Puts y, the left child of x, in the place of x.
static void rotateright(struct tree *t, struct node *x) {
    struct node *y = x->left;
    x->left = y->right;
    if (y->right)
        y->right->parent = x;
    replace(t, x, y);
    y->right = x;
    x->parent = y;
}

// Restores the rule that no red node has a red parent, from n upwards.
static void repair(struct tree *t, struct node *n) {
    for (;;) {
        struct node *p = n->parent;
        if (!p || !p->red)
            return;
        // a red parent is not the root
        struct node *g = p->parent;
        bool left = p == g->left;
        struct node *uncle = left ? g->right : g->left;
        if (uncle && uncle->red) {
            p->red = false;
            uncle->red = false;
            g->red = true;
            n = g;
            continue;
        }
        if (left) {
            if (n == p->right) {
                rotateleft(t, p);
                p = n;
            }
            p->red = false;
            g->red = true;
            rotateright(t, g);
        } else {
            if (n == p->left) {
                rotateright(t, p);
                p = n;
            }
            p->red = false;
            g->red = true;
            rotateleft(t, g);
        }
        return;
    }
}

// Adds to the value of the key, which is inserted with 0 if it is new.
static void add(struct tree *t, int64_t key, int64_t value) {
    struct node *parent = NULL;
    for (struct node *n = t->root; n; n = key < n->key ? n->left : n->right) {
        parent = n;
        if (key == n->key) {
            n->value += value;
            return;
        }
    }
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    n->value = value;
    n->parent = parent;
    n->red = true;
    t->count++;
    if (!parent)
        t->root = n;
    else if (key < parent->key)
        parent->left = n;
    else
        parent->right = n;
    repair(t, n);
    t->root->red = false;
}

static struct node *find(const struct tree *t, int64_t key) {
    struct node *n = t->root;
    while (n && key != n->key)
        n = key < n->key ? n->left : n->right;
    return n;
}

// The node after n in the order of keys.
static struct node *next(struct node *n) {
    if (n->right) {
        for (n = n->right; n->left;)
            n = n->left;
        return n;
    }
    struct node *p = n->parent;
    for (; p && p->right == n; p = p->parent)
        n = p;
    return p;
}

static uint64_t seed = 42;

static int64_t rnd(int64_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 33) % n;
}

static int64_t run(int64_t size) {
    struct tree t = {NULL, 0};
    for (int64_t i = 0; i < size; i++)
        add(&t, rnd(size * 2), i);
    int64_t hits = 0;
    for (int64_t i = 0; i < size; i++) {
        struct node *n = find(&t, rnd(size * 2));
        if (n)
            hits += n->value;
    }
    uint64_t sum = (uint64_t)(t.count * 1000003 + hits);
    struct node *n = t.root;
    while (n->left)
        n = n->left;
    for (; n; n = next(n))
        sum = sum * 31 + (uint64_t)n->key * 2 + n->red;
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 600000;
    printf("trap redblack.done checksum=%lld\n", (long long)run(size));
    return 0;
}
