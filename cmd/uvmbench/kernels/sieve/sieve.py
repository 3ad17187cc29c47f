# Python twin of the kernel sieve: the sieve of Eratosthenes over two million bytes, size times.

import sys


LIMIT = 2000000


def sieve(marks, limit):
    """Crosses out the composites; the number of primes plus the sum of every 1000th."""
    for i in range(limit):
        marks[i] = 0
    count = total = 0
    for i in range(2, limit):
        if marks[i]:
            continue
        count += 1
        if count % 1000 == 0:
            total += i
        for j in range(i * i, limit, i):
            marks[j] = 1
    return total + count


def run(size):
    marks = bytearray(LIMIT)
    total = 0
    for i in range(size):
        total += sieve(marks, LIMIT - i)
    return total


size = int(sys.argv[1]) if len(sys.argv) > 1 else 80
print(f"trap sieve.done checksum={run(size)}")
