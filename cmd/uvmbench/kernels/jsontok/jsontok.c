// C twin of the kernel jsontok: a JSON text of about a megabyte, made by the kernel itself, split into tokens size times.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 1048576

// The text being made.
static char text[ROOM];
static int64_t length, seed = 7;

static int64_t rnd(int64_t n) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (seed >> 8) % n;
}

static void put(char c) { text[length++] = c; }

static void puts_(const char *s) {
    while (*s)
        put(*s++);
}

// The digits of n, which is not negative.
static void number(int64_t n) {
    if (n > 9)
        number(n / 10);
    put((char)('0' + n % 10));
}

// A string of up to 12 letters, now and then with an escaped quote.
static void string(void) {
    put('"');
    for (int64_t n = rnd(12) + 1; n > 0; n--) {
        int64_t r = rnd(40);
        if (r == 39)
            puts_("\\\"");
        else
            put((char)('a' + r % 26));
    }
    put('"');
}

// A value; arrays and objects are nested at most 5 deep.
static void value(int depth) {
    static const char *const words[] = {"true", "false", "null"};
    int64_t n;
    switch (rnd(depth < 5 ? 10 : 6)) {
    case 0:
    case 1:
    case 2:
        if (rnd(2) == 0)
            put('-');
        number(rnd(100000));
        break;
    case 3:
    case 4:
        string();
        break;
    case 5:
        puts_(words[rnd(3)]);
        break;
    case 6:
    case 7:
        put('[');
        n = rnd(6);
        for (int64_t i = 0; i < n; i++) {
            if (i > 0)
                puts_(", ");
            value(depth + 1);
        }
        put(']');
        break;
    default:
        put('{');
        n = rnd(6);
        for (int64_t i = 0; i < n; i++) {
            if (i > 0)
                puts_(",\n");
            string();
            put(':');
            value(depth + 1);
        }
        put('}');
    }
}

// The counts of the tokens of a text.
struct counts {
    int64_t punctuation, strings, numbers, words, sum, depth, deepest;
    uint64_t hash;
};

// Splits the text into tokens.
static void tokens(const char *p, int64_t n, struct counts *t) {
    for (int64_t i = 0; i < n;) {
        char c = p[i++];
        switch (c) {
        case ' ':
        case '\t':
        case '\n':
        case '\r':
            break;
        case '[':
        case '{':
            t->punctuation++;
            if (++t->depth > t->deepest)
                t->deepest = t->depth;
            break;
        case ']':
        case '}':
            t->punctuation++;
            t->depth--;
            break;
        case ',':
        case ':':
            t->punctuation++;
            break;
        case '"': {
            // a string: hash its characters up to the closing quote
            uint64_t h = 0;
            for (char s; (s = p[i++]) != '"';) {
                if (s == '\\')
                    s = p[i++];
                h = h * 31 + (uint8_t)s;
            }
            t->strings++;
            t->hash ^= h;
            break;
        }
        case '-':
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case '6':
        case '7':
        case '8':
        case '9': {
            int64_t v = c == '-' ? 0 : c - '0';
            for (; i < n && (uint8_t)(p[i] - '0') < 10; i++)
                v = v * 10 + (p[i] - '0');
            t->numbers++;
            t->sum += c == '-' ? -v : v;
            break;
        }
        default:
            // true, false, null: letters
            while (i < n && (uint8_t)(p[i] - 'a') < 26)
                i++;
            t->words++;
        }
    }
}

static int64_t run(int64_t size) {
    put('[');
    for (;;) {
        value(0);
        if (length > 1000000)
            break;
        put(',');
    }
    put(']');
    struct counts t;
    memset(&t, 0, sizeof t);
    for (int64_t i = 0; i < size; i++) {
        tokens(text, length, &t);
        t.hash = t.hash * 3 + (uint64_t)t.deepest;
    }
    int64_t all = t.punctuation + t.strings * 3 + t.numbers * 5 + t.words * 7;
    return (int64_t)((uint64_t)(all + t.sum + t.depth) + t.hash);
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 120;
    printf("trap jsontok.done checksum=%lld\n", (long long)run(size));
    return 0;
}
