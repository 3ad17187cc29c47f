"""What the tests have in common."""

import os
import subprocess
import sys
import unittest

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if PACKAGE not in sys.path:
    sys.path.insert(0, PACKAGE)

import mu  # noqa: E402

WAITING = ("refimpl2-2016", "rmu-ref")  # generations whose threads begin in execute

TYPES = """
.typedef @i1 = int<1> .typedef @i8 = int<8> .typedef @i32 = int<32> .typedef @i64 = int<64> .typedef @i128 = int<128>
.typedef @float = float .typedef @double = double .typedef @void = void .typedef @rvoid = ref<@void> .typedef @ri64 = ref<@i64>
.funcsig @v = () -> () .funcsig @take = (@i64) -> () .funcsig @one = (@i64) -> (@i64)
"""


class TestCase(unittest.TestCase):
    """A test with a VM and a context, which has loaded TYPES and the text of the class."""

    generation = "refimpl2-2016"
    text = ""

    def setUp(self):
        self.vm = mu.MuVM(generation=self.generation)
        self.addCleanup(lambda: self.vm._p is None or self.vm.close())
        self.ctx = self.vm.new_context()
        self.ctx.load_bundle(TYPES + self.text)

    def start(self, name, *vals, threadlocal=None):
        """Makes a thread that begins in a function."""
        return self.ctx.new_thread_nor(self.ctx.new_stack(self.ctx.handle_from_func(name)), threadlocal, vals)

    def cell(self, name="@cell"):
        """The number in a global cell."""
        return int(self.ctx.load(mu.MU_ORD_SEQ_CST, self.ctx.handle_from_global(name)))

    def fails(self, text, function, *args):
        """Checks that a call raises MuError with a text, and returns that."""
        with self.assertRaises(mu.MuError) as caught:
            function(*args)
        self.assertEqual(str(caught.exception), text)
        return caught.exception


def each(*generations):
    """Makes a class of tests one for each generation: a decorator."""

    def decorate(cls):
        for g in generations[1:]:
            name = cls.__name__ + "_" + g.replace("-", "_")
            sys.modules[cls.__module__].__dict__[name] = type(name, (cls,), {"generation": g, "__module__": cls.__module__})
        cls.generation = generations[0]
        return cls

    return decorate


def run(code, env=None):
    """Runs a program in another process, and returns its status and streams."""
    full = dict(os.environ, PYTHONPATH=PACKAGE)
    full.update(env or {})
    p = subprocess.run([sys.executable, "-c", code], env=full, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, cwd=os.sep)
    return p.returncode, p.stdout.decode(), p.stderr.decode()
