# Python twin of the kernel quicksort: quicksort of size pseudo-random integers: array accesses and
# unpredictable branches.

import sys


def signed(n):
    """The low 64 bits of a number, with their sign."""
    n &= (1 << 64) - 1
    return n - (1 << 64) if n >> 63 else n


def quicksort(p, lo, hi):
    """Sorts p[lo..hi], both ends included: Hoare's partition round the middle element,
    recursion into the left part, iteration on the right one."""
    while lo < hi:
        pivot = p[(lo + hi) >> 1]
        i = lo
        j = hi
        while i <= j:
            while p[i] < pivot:
                i += 1
            while pivot < p[j]:
                j -= 1
            if i <= j:
                p[i], p[j] = p[j], p[i]
                i += 1
                j -= 1
        quicksort(p, lo, j)
        lo = i


def run(size):
    a = [0] * size
    seed = 42
    for i in range(size):
        seed = seed * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        a[i] = signed(seed) >> 20
    quicksort(a, 0, size - 1)
    total = 0
    for x in a:
        total = total * 31 + x & (1 << 64) - 1
    return signed(total)


size = int(sys.argv[1]) if len(sys.argv) > 1 else 4000000
print(f"trap quicksort.done checksum={run(size)}")
