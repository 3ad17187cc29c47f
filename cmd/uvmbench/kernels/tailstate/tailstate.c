// C twin of the kernel tailstate: a state machine of five functions that tail-call each other, size steps in constant stack space.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RED, GREEN, BLUE, WHITE, BLACK };

// Draws two random bits in each state and continues with one of four states.
static int64_t run(int64_t size) {
    // what a state makes of the checksum when it is the last
    static const uint64_t factors[] = {1, 3, 5, 7, 11};
    int state = RED;
    uint64_t seed = 42, sum = 0;
    for (int64_t left = size; left > 0; left--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int bits = (int)(seed >> 62);
        switch (state) {
        case RED:
            sum += (uint64_t)bits + 1;
            state = bits;
            break;
        case GREEN:
            switch (bits) {
            case 0:
                sum ^= (uint64_t)left;
                state = BLUE;
                break;
            case 1:
                sum++;
                break;
            case 2:
                state = BLACK;
                break;
            default:
                sum--;
                state = RED;
            }
            break;
        case BLUE:
            switch (bits) {
            case 0:
                sum += seed;
                state = WHITE;
                break;
            case 1:
                state = BLACK;
                break;
            case 2:
                sum ^= 255;
                state = RED;
                break;
            default:
                sum += 7;
                state = GREEN;
            }
            break;
        case WHITE:
            switch (bits) {
            case 0:
                sum++;
                break;
            case 1:
                state = RED;
                break;
            case 2:
                sum -= (uint64_t)left;
                state = GREEN;
                break;
            default:
                sum *= 3;
                state = BLACK;
            }
            break;
        default:
            switch (bits) {
            case 0:
                sum++;
                state = RED;
                break;
            case 1:
                sum ^= seed;
                state = BLUE;
                break;
            case 2:
                state = GREEN;
                break;
            default:
                sum += 9;
                state = WHITE;
            }
        }
    }
    return (int64_t)(sum * factors[state]);
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 150000000;
    printf("trap tailstate.done checksum=%lld\n", (long long)run(size));
    return 0;
}
