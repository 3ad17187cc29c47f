// C twin of the kernel base64: a buffer of 300,000 bytes encoded and decoded size times: bytes and table look-ups.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 300000

// The alphabet, and its inverse.
static void tables(uint8_t *enc, uint8_t *dec) {
    for (int i = 0; i < 26; i++) {
        enc[i] = (uint8_t)('A' + i);
        enc[i + 26] = (uint8_t)('a' + i);
    }
    for (int i = 0; i < 10; i++)
        enc[i + 52] = (uint8_t)('0' + i);
    enc[62] = '+';
    enc[63] = '/';
    for (int i = 0; i < 64; i++)
        dec[enc[i]] = (uint8_t)i;
}

// Three bytes become four characters; n is a multiple of 3.
static void encode(uint8_t *to, const uint8_t *from, int64_t n, const uint8_t *table) {
    for (int64_t i = 0; i < n; i += 3, from += 3, to += 4) {
        unsigned v = (unsigned)from[0] << 16 | (unsigned)from[1] << 8 | from[2];
        to[0] = table[v >> 18];
        to[1] = table[v >> 12 & 63];
        to[2] = table[v >> 6 & 63];
        to[3] = table[v & 63];
    }
}

// Four characters become three bytes; n is a multiple of 4.
static void decode(uint8_t *to, const uint8_t *from, int64_t n, const uint8_t *table) {
    for (int64_t i = 0; i < n; i += 4, from += 4, to += 3) {
        unsigned v = (unsigned)table[from[0]] << 18 | (unsigned)table[from[1]] << 12 |
                     (unsigned)table[from[2]] << 6 | table[from[3]];
        to[0] = (uint8_t)(v >> 16);
        to[1] = (uint8_t)(v >> 8);
        to[2] = (uint8_t)v;
    }
}

static int64_t run(int64_t size) {
    static uint8_t enc[64], dec[256], data[LENGTH], text[LENGTH / 3 * 4], back[LENGTH];
    tables(enc, dec);
    int64_t seed = 1;
    for (int i = 0; i < LENGTH; i++) {
        seed = (seed * 1103515245 + 12345) & 0x7fffffff;
        data[i] = (uint8_t)(seed >> 16);
    }
    uint64_t sum = 0;
    for (int64_t i = 0; i < size; i++) {
        data[i] = (uint8_t)i;
        encode(text, data, LENGTH, enc);
        decode(back, text, LENGTH / 3 * 4, dec);
        sum = sum * 31 + text[i * 4] + back[i];
    }
    if (memcmp(data, back, LENGTH))
        return -1;
    for (int i = 0; i < LENGTH / 3 * 4; i++)
        sum = sum * 31 + text[i];
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 700;
    printf("trap base64.done checksum=%lld\n", (long long)run(size));
    return 0;
}
