// C twin of the kernel dlx: Knuth's dancing links: the exact covers that place size queens, by taking nodes out of doubly linked
// lists and putting them back; a constraint solver made of objects.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// A node of the matrix, or the head of a column, whose size is the number of its nodes.
struct node {
    struct node *left, *right, *up, *down, *column;
    int64_t size;
};

static int64_t solutions, updates;

// A column's head, linked to itself only.
static struct node *newhead(void) {
    struct node *h = calloc(1, sizeof *h);
    h->left = h->right = h->up = h->down = h->column = h;
    return h;
}

// A new node at the bottom of a column, at the right end of the row of first.
static struct node *place(struct node *h, struct node *first) {
    struct node *n = calloc(1, sizeof *n);
    n->column = h;
    n->up = h->up;
    n->down = h;
    h->up->down = n;
    h->up = n;
    h->size++;
    n->left = n->right = n;
    if (first) {
        n->left = first->left;
        n->right = first;
        first->left->right = n;
        first->left = n;
    }
    return n;
}

// Takes a column out of the list of heads, and its rows out of the other columns.
static void cover(struct node *c) {
    c->right->left = c->left;
    c->left->right = c->right;
    for (struct node *i = c->down; i != c; i = i->down)
        for (struct node *j = i->right; j != i; j = j->right) {
            j->down->up = j->up;
            j->up->down = j->down;
            j->column->size--;
            updates++;
        }
}

// Undoes cover, in the opposite order.
static void uncover(struct node *c) {
    for (struct node *i = c->up; i != c; i = i->up)
        for (struct node *j = i->left; j != i; j = j->left) {
            j->column->size++;
            j->down->up = j;
            j->up->down = j;
        }
    c->right->left = c;
    c->left->right = c;
}

static void search(struct node *root) {
    struct node *c = root->right;
    if (c == root) {
        solutions++;
        return;
    }
    // the column with the fewest rows
    for (struct node *h = c->right; h != root; h = h->right)
        if (h->size < c->size)
            c = h;
    cover(c);
    for (struct node *r = c->down; r != c; r = r->down) {
        for (struct node *j = r->right; j != r; j = j->right)
            cover(j->column);
        search(root);
        for (struct node *j = r->left; j != r; j = j->left)
            uncover(j->column);
    }
    uncover(c);
}

static int64_t run(int64_t size) {
    // ranks and files must be covered; diagonals may be, so the root does not list them
    struct node **heads = malloc(size * 6 * sizeof *heads), *root = newhead();
    for (int64_t i = 0; i < size * 6; i++) {
        struct node *h = heads[i] = newhead();
        if (i < size * 2) {
            h->left = root->left;
            h->right = root;
            root->left->right = h;
            root->left = h;
        }
    }
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++) {
            struct node *first = place(heads[i], NULL);
            place(heads[size + j], first);
            place(heads[size * 2 + i + j], first);
            place(heads[size * 5 + i - j], first);
        }
    search(root);
    return solutions * 1000000007 + updates;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 13;
    printf("trap dlx.done checksum=%lld\n", (long long)run(size));
    return 0;
}
