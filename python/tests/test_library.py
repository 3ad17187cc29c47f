"""How the library is found and made, and what the process does with it. Each test is a process of its own."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from support import PACKAGE, TYPES, mu, run

FOLDER = mu._library.load().folder  # that of this process

OPEN = "import mu; print(mu.MuVM().generation, mu._library.loaded.folder)"
VARIABLES = {name: "" for name in ("UVM2GO_LIBMU", "MU", "MU_ZEBU")}


class Finding(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.dir)
        self.env = dict(VARIABLES, PATH=self.dir, HOME=self.dir, XDG_CACHE_HOME="")

    def opens(self, want, code=OPEN, **env):
        self.assertEqual(run(code, dict(self.env, **env)), (0, "refimpl2-2016 %s\n" % want, ""))

    def fails(self, want, code=OPEN, **env):
        status, out, err = run(code, dict(self.env, **env))
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err.strip().split("\n")[-1], "^mu.MuLibraryError: " + want)
        return err

    def test_variables(self):
        self.opens(FOLDER, UVM2GO_LIBMU=FOLDER, MU="/nothing")
        self.opens(FOLDER, MU=FOLDER)
        self.opens(FOLDER, MU=os.path.join(FOLDER, "rmu-ref"))
        self.opens(FOLDER, MU_ZEBU=FOLDER)
        self.opens(FOLDER, "import mu; print(mu.MuVM(library=%r).generation, %r)" % (FOLDER, FOLDER))
        for name in VARIABLES:
            self.fails(
                "%s: /nothing has no library libmu: want a folder that uvm2go libmu -o DIR has made$" % name, **{"UVM2GO_LIBMU": "", name: "/nothing"}
            )

    def test_nothing(self):
        self.fails("there is no library libmu: set UVM2GO_LIBMU to a folder that uvm2go libmu -o DIR has made, or put uvm2go on PATH, with Go and a C compiler$")

    def test_beside(self):
        # The folder that the package is in, and a folder libmu in the package.
        for where in ("python", "mu"), ("mu",):
            top = os.path.join(self.dir, where[0])
            package = os.path.join(top, *where)
            shutil.copytree(os.path.join(PACKAGE, "mu"), package)
            folder = top if len(where) == 2 else os.path.join(package, "libmu")
            os.makedirs(folder, exist_ok=True)
            for name in "lib", "cbinding", "rmu-ref":
                os.symlink(os.path.join(FOLDER, name), os.path.join(folder, name))
            self.opens(folder, PYTHONPATH=os.path.dirname(package))

    def script(self, text):
        """Makes a program uvm2go on PATH."""
        name = os.path.join(self.dir, "uvm2go")
        with open(name, "w") as f:
            f.write("#!/bin/sh\n" + text)
        os.chmod(name, os.stat(name).st_mode | stat.S_IXUSR)

    def test_made(self):
        self.script('PATH=/bin:/usr/bin; echo "$1 $2" >>%s/calls; ln -s %s/* "$3"\n' % (self.dir, FOLDER))
        cache = os.path.join(self.dir, "cache")
        code = "import mu; print(mu.MuVM().generation)"
        for note in True, False:  # the second time it is there
            status, out, err = run(code, dict(self.env, XDG_CACHE_HOME=cache))
            self.assertEqual((status, out), (0, "refimpl2-2016\n"))
            self.assertRegex(err, "^mu: uvm2go makes the library libmu in %s/uvm2go/libmu-.*; this takes a minute\n$" % cache if note else "^$")
        with open(os.path.join(self.dir, "calls")) as f:
            self.assertEqual(f.read(), "libmu -o\n")
        self.assertEqual(len(os.listdir(os.path.join(cache, "uvm2go"))), 1)
        # Another uvm2go makes another one, and without XDG_CACHE_HOME it is in the home.
        time.sleep(0.01)
        self.script('PATH=/bin:/usr/bin; ln -s %s/* "$3"; exit\n' % FOLDER)
        run(code, dict(self.env, XDG_CACHE_HOME=cache))
        self.assertEqual(len(os.listdir(os.path.join(cache, "uvm2go"))), 2)
        run(code, self.env)
        self.assertEqual(len(os.listdir(os.path.join(self.dir, ".cache", "uvm2go"))), 1)

    def test_not_made(self):
        self.script("echo uvm2go: libmu: no compiler; exit 2\n")
        self.fails("uvm2go libmu -o .*: uvm2go: libmu: no compiler$")
        self.assertEqual(os.listdir(os.path.join(self.dir, ".cache", "uvm2go")), [])

    def test_wrong_files(self):
        os.mkdir(os.path.join(self.dir, "lib"))
        lib = os.path.join(self.dir, "lib", "libmu" + mu._library.ENDING)
        open(lib, "w").close()
        self.fails("%s: " % lib, UVM2GO_LIBMU=self.dir)
        os.remove(lib)
        gcc = shutil.which("gcc")
        if gcc:
            source = os.path.join(self.dir, "x.c")
            with open(source, "w") as f:
                f.write("int mu_fastimpl_new;\n")
            subprocess.check_call([gcc, "-shared", "-o", lib, source])
            self.fails("%s is not the library of uvm2go, or one that is too old for this package$" % lib, UVM2GO_LIBMU=self.dir)

    def test_second_library(self):
        os.mkdir(os.path.join(self.dir, "lib"))
        shutil.copy(os.path.join(FOLDER, "lib", "libmu" + mu._library.ENDING), os.path.join(self.dir, "lib"))
        code = "import mu; mu.MuVM(library=%r); mu.MuVM(library=%r)"
        status, out, err = run(code % (FOLDER, FOLDER), self.env)
        self.assertEqual((status, err), (0, ""))
        status, out, err = run(code % (FOLDER, self.dir), self.env)
        self.assertIn("mu.MuLibraryError: library: the process has loaded that of %s, it cannot load that of %s\n" % (FOLDER, self.dir), err)


class Processes(unittest.TestCase):
    env = {"UVM2GO_LIBMU": FOLDER}

    def test_fork(self):
        code = """
import os, sys, mu
def child(f):
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        try:
            f()
        except mu.MuError as e:
            print(e)
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(pid, 0)
child(lambda: print(mu.MuVM().generation))  # before the library is loaded
vm = mu.MuVM()
ctx = vm.new_context()
h = ctx.handle_from_sint64(5)
child(mu.MuVM)
child(vm.new_context)
child(lambda: int(h))
print(int(h))
"""
        status, out, err = run(code, dict(self.env, PYTHONWARNINGS="ignore"))  # of Python about forks
        after = "the library was loaded before the process was forked, so this process cannot use it"
        self.assertEqual((status, out, err), (0, "refimpl2-2016\n%s\nnew_context: %s\nhandle_to_sint64: %s\n5\n" % (after, after, after), ""))

    def test_interrupt(self):
        # Ctrl-C ends a program that waits in execute, as any other.
        code = (
            """
import sys, mu
vm = mu.MuVM()
ctx = vm.new_context()
ctx.load_bundle('''%s .funcdef @spin VERSION %%v <@v> { %%e(): BRANCH %%f() %%f(): BRANCH %%f() }''')
ctx.new_thread_nor(ctx.new_stack(ctx.handle_from_func("@spin")))
print("ready", flush=True)
vm.execute()
"""
            % TYPES
        )
        p = subprocess.Popen(
            [sys.executable, "-c", code], env=dict(os.environ, PYTHONPATH=PACKAGE, **self.env), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.assertEqual(p.stdout.readline(), b"ready\n")
        p.send_signal(signal.SIGINT)
        out, err = p.communicate(timeout=60)
        self.assertIn(b"KeyboardInterrupt", err)
        self.assertIn(p.returncode, (-signal.SIGINT, 1))

    def test_quiet(self):
        # Errors are exceptions, and nothing else.
        code = """
import mu
ctx = mu.MuVM().new_context()
for f in (lambda: ctx.id_of("@x")), (lambda: mu.MuVM("x")), (lambda: ctx.load_bundle("x")):
    try:
        f()
    except mu.MuError as e:
        print(e.function)
"""
        self.assertEqual(run(code, self.env), (0, "id_of\nmu_refimpl2_new_ex\nload_bundle\n", ""))

    def test_unwaited(self):
        # The error of a Mu thread that no execute waits for is written, though all calls of Python take their errors.
        code = """
import mu, os, tempfile, threading, time
vm = mu.MuVM()
ctx = vm.new_context()
ctx.load_bundle('''%s
.funcdef @throws VERSION %%v <@v> { %%e(): %%r = NEW <@i64> THROW %%r }
.funcdef @later VERSION %%v <@v> { %%e(): TRAP <> %%r = NEW <@i8> THROW %%r }''')
entered, go = threading.Event(), threading.Event()
def handler(ctx, thread, stack, wpid):
    entered.set()
    go.wait()
    try:
        ctx.id_of("@nothing")
    except mu.MuError:
        return mu.PassValues(stack)
vm.set_trap_handler(handler)
for name in "@later", "@throws":
    ctx.new_thread_nor(ctx.new_stack(ctx.handle_from_func(name)))
with tempfile.TemporaryFile() as file:
    os.dup2(file.fileno(), 2)
    try:
        vm.execute()
    except mu.MuError as e:
        print(e.function, str(e).endswith("type @i64"))
    entered.wait()
    go.set()
    for _ in range(6000):
        file.seek(0)
        text = file.read()
        if text:
            break
        time.sleep(0.01)
    print(text.decode().partition(" in ")[0])
"""
        self.assertEqual(run(code % TYPES, self.env), (0, "execute True\nlibmu: a thread: uncaught exception\n", ""))

    def test_end(self):
        # A process may end with open VMs, contexts and handles.
        code = """
import mu
vm = mu.MuVM()
ctx = vm.new_context()
ctx.load_bundle('''%s''')
h = [ctx.new_fixed("@i64") for _ in range(100)]
print("done")
"""
        self.assertEqual(run(code % TYPES, self.env), (0, "done\n", ""))

    def test_examples(self):
        folder = os.path.join(PACKAGE, "examples")
        names = sorted(n for n in os.listdir(folder) if n.endswith(".py"))
        self.assertTrue(names)
        for name in names:
            with open(os.path.join(folder, name)) as f:
                text = f.read()
            want = "".join(line[2:] + "\n" for line in text.partition("# Output:\n")[2].split("\n") if line)
            self.assertTrue(want, name)
            self.assertEqual(run(text, self.env), (0, want, ""), name)

    def test_readme(self):
        # The first example of the README prints what the README says.
        with open(os.path.join(PACKAGE, "README.md")) as f:
            parts = f.read().split("```")
        self.assertTrue(parts[1].startswith("python\n"))
        self.assertEqual(run(parts[1][len("python\n"):], self.env), (0, parts[3].lstrip("\n").partition("\n")[2], ""))


if __name__ == "__main__":
    unittest.main()
