# Python twin of the kernel binarytrees: binary trees of many depths made and dropped while one
# stays: allocation and collection.

import sys


def signed(n):
    """The low 64 bits of a number, with their sign."""
    n &= (1 << 64) - 1
    return n - (1 << 64) if n >> 63 else n


MIN_DEPTH = 4


class Node:
    __slots__ = ("left", "right")

    def __init__(self, left, right):
        self.left = left
        self.right = right


def make(depth):
    """A complete tree."""
    if depth == 0:
        return Node(None, None)
    return Node(make(depth - 1), make(depth - 1))


def count(node):
    """The number of nodes."""
    if node.left is None:
        return 1
    return count(node.left) + count(node.right) + 1


def run(size):
    total = count(make(size + 1))
    longlived = make(size)
    for depth in range(MIN_DEPTH, size + 1, 2):
        nodes = 0
        for _ in range(1 << (size - depth + MIN_DEPTH)):
            nodes += count(make(depth))
        total = total * 31 + nodes
    return signed(total * 31 + count(longlived))


size = int(sys.argv[1]) if len(sys.argv) > 1 else 17
print(f"trap binarytrees.done checksum={run(size)}")
