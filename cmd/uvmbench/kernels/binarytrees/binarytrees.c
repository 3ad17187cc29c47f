// C twin of the kernel binarytrees: binary trees of many depths made and dropped while one stays: allocation and collection.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MIN_DEPTH 4

struct node {
    struct node *left, *right;
};

// A complete tree.
static struct node *make(int depth) {
    struct node *n = malloc(sizeof *n);
    n->left = n->right = NULL;
    if (depth > 0) {
        n->left = make(depth - 1);
        n->right = make(depth - 1);
    }
    return n;
}

// The number of nodes.
static int64_t count(const struct node *n) {
    if (!n->left)
        return 1;
    return count(n->left) + count(n->right) + 1;
}

static void drop(struct node *n) {
    if (n->left) {
        drop(n->left);
        drop(n->right);
    }
    free(n);
}

// Makes a tree, counts it and drops it.
static int64_t once(int depth) {
    struct node *n = make(depth);
    int64_t nodes = count(n);
    drop(n);
    return nodes;
}

static int64_t run(int64_t size) {
    int max = (int)size;
    int64_t sum = once(max + 1);
    struct node *longlived = make(max);
    for (int depth = MIN_DEPTH; depth <= max; depth += 2) {
        int64_t trees = (int64_t)1 << (max - depth + MIN_DEPTH), nodes = 0;
        for (int64_t i = 0; i < trees; i++)
            nodes += once(depth);
        sum = sum * 31 + nodes;
    }
    sum = sum * 31 + count(longlived);
    drop(longlived);
    return sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 17;
    printf("trap binarytrees.done checksum=%lld\n", (long long)run(size));
    return 0;
}
