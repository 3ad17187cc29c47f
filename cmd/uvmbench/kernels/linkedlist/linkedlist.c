// C twin of the kernel linkedlist: a singly linked list of size nodes built, sorted by merging, reversed and thinned out: pointers only.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int64_t value;
};

static struct node *build(int64_t n) {
    struct node *list = NULL;
    uint64_t seed = 42;
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        struct node *node = malloc(sizeof *node);
        node->value = (int64_t)seed >> 24;
        node->next = list;
        list = node;
    }
    return list;
}

// Merges two sorted lists; the head node only makes the loop simpler.
static struct node *merge(struct node *a, struct node *b) {
    struct node *head = malloc(sizeof *head), *tail = head;
    head->next = NULL;
    while (a && b) {
        if (a->value <= b->value) {
            tail->next = a;
            tail = a;
            a = a->next;
        } else {
            tail->next = b;
            tail = b;
            b = b->next;
        }
    }
    tail->next = a ? a : b;
    struct node *list = head->next;
    free(head);
    return list;
}

// Sorts by merging; the list is cut in the middle by a slow and a fast walker.
static struct node *sort(struct node *list) {
    if (!list || !list->next)
        return list;
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *second = slow->next;
    slow->next = NULL;
    struct node *left = sort(list), *right = sort(second);
    return merge(left, right);
}

static struct node *reverse(struct node *list) {
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

// Removes every third node.
static void thin(struct node *list) {
    while (list && list->next) {
        struct node *second = list->next, *third = second->next;
        if (!third)
            return;
        second->next = third->next;
        list = third->next;
        free(third);
    }
}

static int64_t total(const struct node *list) {
    uint64_t sum = 0;
    for (; list; list = list->next)
        sum = sum * 31 + (uint64_t)list->value;
    return (int64_t)sum;
}

static int64_t run(int64_t size) {
    struct node *list = sort(build(size));
    int64_t sum = total(list);
    list = reverse(list);
    thin(list);
    return sum ^ total(list);
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 1000000;
    printf("trap linkedlist.done checksum=%lld\n", (long long)run(size));
    return 0;
}
