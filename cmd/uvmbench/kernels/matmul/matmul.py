# Python twin of the kernel matmul: the product of two size by size matrices of doubles, row by row.

import sys


import struct
def matrix(n, a, b):
    """Element i*n+j of the result is ((i*a + j*b) mod 17) / 8."""
    return [(i * a + j * b) % 17 / 8 for i in range(n) for j in range(n)]


def multiply(a, b, c, n):
    for i in range(n):
        row = i * n
        for k in range(n):
            x = a[row + k]
            other = k * n
            for j in range(n):
                c[row + j] += x * b[other + j]


def run(size):
    a, b, c = matrix(size, 3, 5), matrix(size, 7, 11), matrix(size, 0, 0)
    multiply(a, b, c, size)
    trace = total = 0.0
    for i in range(size):
        trace += c[i * size + i]
        for j in range(size):
            total += c[i * size + j] / (j + 1)
    return struct.unpack("<q", struct.pack("<d", total + trace))[0]


size = int(sys.argv[1]) if len(sys.argv) > 1 else 800
print(f"trap matmul.done checksum={run(size)}")
