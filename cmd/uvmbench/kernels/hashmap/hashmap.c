// C twin of the kernel hashmap: a hash map from integers to integers, open addressing with linear probing, growing: size insertions,
// removals of every third key and as many look-ups.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
    int64_t key, value;
    bool used;
};

struct map {
    struct entry *entries;
    int64_t mask, count;
};

// Spreads the bits of a key (the end of splitmix64).
static int64_t hash(int64_t key) {
    uint64_t k = (uint64_t)key;
    k = (k ^ k >> 30) * 0xbf58476d1ce4e5b9u;
    k = (k ^ k >> 27) * 0x94d049bb133111ebu;
    return (int64_t)(k ^ k >> 31);
}

// The index of the entry that holds the key, or of the free one where it belongs.
static int64_t find(const struct map *m, int64_t key) {
    int64_t i = hash(key) & m->mask;
    while (m->entries[i].used && m->entries[i].key != key)
        i = (i + 1) & m->mask;
    return i;
}

// Twice as many entries.
static void grow(struct map *m) {
    struct entry *old = m->entries;
    int64_t n = m->mask + 1;
    m->entries = calloc(n * 2, sizeof *old);
    m->mask = n * 2 - 1;
    for (int64_t i = 0; i < n; i++)
        if (old[i].used)
            m->entries[find(m, old[i].key)] = old[i];
    free(old);
}

static void put(struct map *m, int64_t key, int64_t value) {
    // at most three quarters full
    if ((m->count + 1) * 4 > (m->mask + 1) * 3)
        grow(m);
    struct entry *e = &m->entries[find(m, key)];
    if (!e->used) {
        e->used = true;
        e->key = key;
        m->count++;
    }
    e->value = value;
}

// The value, or -1.
static int64_t get(const struct map *m, int64_t key) {
    const struct entry *e = &m->entries[find(m, key)];
    return e->used ? e->value : -1;
}

// Removes a key and moves later entries back.
static void removekey(struct map *m, int64_t key) {
    int64_t mask = m->mask, i = find(m, key);
    struct entry *p = m->entries;
    if (!p[i].used)
        return;
    m->count--;
    for (int64_t j = (i + 1) & mask; p[j].used; j = (j + 1) & mask) {
        // the entry may move into the hole when its own place is not between the two
        int64_t home = hash(p[j].key) & mask;
        if (((j - home) & mask) >= ((j - i) & mask)) {
            p[i].key = p[j].key;
            p[i].value = p[j].value;
            i = j;
        }
    }
    p[i].used = false;
}

static int64_t run(int64_t size) {
    struct map m = {calloc(8, sizeof(struct entry)), 7, 0};
    for (int64_t i = 0; i < size; i++)
        put(&m, (i * i) ^ (i << 7), i);
    for (int64_t i = 0; i < size; i += 3)
        removekey(&m, (i * i) ^ (i << 7));
    uint64_t sum = (uint64_t)m.count;
    for (int64_t i = 0; i < size; i++)
        sum = sum * 31 + (uint64_t)get(&m, (i * i) ^ (i << 7));
    free(m.entries);
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 1500000;
    printf("trap hashmap.done checksum=%lld\n", (long long)run(size));
    return 0;
}
