# Python twin of the kernel spectralnorm: the spectral norm of an infinite matrix, cut to size:
# integer division and doubles.

import sys


import math
import struct
def element(i, j):
    """Element i, j of the matrix."""
    k = i + j
    return 1 / ((k * (k + 1) >> 1) + i + 1)


def times(v, n):
    """A v"""
    r = [0.0] * n
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += element(i, j) * v[j]
        r[i] = total
    return r


def transposed(v, n):
    """(transposed A) v"""
    r = [0.0] * n
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += element(j, i) * v[j]
        r[i] = total
    return r


def run(size):
    u = [1.0] * size
    for _ in range(10):
        v = transposed(times(u, size), size)
        u = transposed(times(v, size), size)
    vbv = vv = 0.0
    for i in range(size):
        vbv += u[i] * v[i]
        vv += v[i] * v[i]
    return struct.unpack("<q", struct.pack("<d", math.sqrt(vbv / vv)))[0]


size = int(sys.argv[1]) if len(sys.argv) > 1 else 2500
print(f"trap spectralnorm.done checksum={run(size)}")
