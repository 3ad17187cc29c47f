// C twin of the kernel gcbench: GCBench of Ellis, Kovac and Boehm: short-lived trees made top-down and bottom-up in several depths, while
// a long-lived tree and a long-lived array stay. Size is the depth of the tree that stretches the heap.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY 500000
#define MIN_DEPTH 4

struct node {
    struct node *left, *right;
    int64_t i, j;
};

// The number of nodes of a tree of the given depth.
static int64_t treesize(int depth) { return ((int64_t)1 << (depth + 1)) - 1; }

// Builds top-down: the node exists before its subtrees.
static void populate(int depth, struct node *n) {
    if (depth <= 0)
        return;
    n->left = calloc(1, sizeof *n);
    n->right = calloc(1, sizeof *n);
    populate(depth - 1, n->left);
    populate(depth - 1, n->right);
}

// Builds bottom-up: the subtrees exist before the node.
static struct node *make(int depth) {
    if (depth <= 0)
        return calloc(1, sizeof(struct node));
    struct node *left = make(depth - 1), *right = make(depth - 1);
    struct node *n = calloc(1, sizeof *n);
    n->left = left;
    n->right = right;
    n->i = depth;
    return n;
}

// The nodes, each weighed with its depth field.
static int64_t weigh(const struct node *n) {
    return n ? weigh(n->left) + weigh(n->right) + n->i + 1 : 0;
}

static void drop(struct node *n) {
    if (n) {
        drop(n->left);
        drop(n->right);
        free(n);
    }
}

// Trees of one depth: as many as together have twice the nodes of the stretch tree.
static int64_t construct(int depth, int stretch) {
    int64_t trees = 2 * treesize(stretch) / treesize(depth), sum = 0;
    for (int64_t i = 0; i < trees; i++) {
        struct node *root = calloc(1, sizeof *root);
        populate(depth, root);
        if (i == trees - 1)
            sum += weigh(root);
        drop(root);
    }
    for (int64_t i = 0; i < trees; i++) {
        struct node *tree = make(depth);
        if (i == trees - 1)
            sum += weigh(tree);
        drop(tree);
    }
    return sum + trees;
}

static int64_t run(int64_t size) {
    int stretch = (int)size;
    struct node *tree = make(stretch);
    int64_t sum = weigh(tree);
    drop(tree);
    struct node *longlived = calloc(1, sizeof *longlived);
    populate(stretch - 2, longlived);
    double *array = malloc(ARRAY * sizeof *array);
    for (int64_t i = 0; i < ARRAY; i++)
        array[i] = 1 / (double)(i + 1);
    for (int depth = MIN_DEPTH; depth <= stretch - 2; depth += 2)
        sum = sum * 31 + construct(depth, stretch);
    // the long-lived tree and array must still be there
    int64_t bits;
    memcpy(&bits, &array[1000], sizeof bits);
    sum = (sum * 31 + weigh(longlived)) ^ bits;
    drop(longlived);
    free(array);
    return sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 18;
    printf("trap gcbench.done checksum=%lld\n", (long long)run(size));
    return 0;
}
