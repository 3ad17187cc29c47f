# Python twin of the kernel fib: Fibonacci numbers by plain recursion: calls and little else.

import sys


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def run(size):
    return fib(size)


size = int(sys.argv[1]) if len(sys.argv) > 1 else 40
print(f"trap fib.done checksum={run(size)}")
