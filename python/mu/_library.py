"""The library: where it is, and the functions that it exports."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import threading

from . import _api
from ._errors import Errors, MuLibraryError

ENDING = ".dylib" if sys.platform == "darwin" else ".so"


def in_folder(folder):
    """The name of the library in a folder that uvm2go libmu has made."""
    return os.path.join(folder, "lib", "libmu" + ENDING)


class Library:
    """The library of a folder."""

    def __init__(self, folder):
        self.folder = folder
        self._open = {}
        core = self._dll(os.path.join("lib", "libmu"))
        if not hasattr(core, "mu_take_errors"):
            raise MuLibraryError("%s is not the library of uvm2go, or one that is too old for this package" % in_folder(folder))
        for name in "mu_get_generation", "mu_take_errors", "mu_error_text", "mu_count_keepalives", "mu_get_version":
            setattr(self, name, self._function(core, name))
        self.uvmmu_close = core.uvmmu_close
        self.uvmmu_close.restype, self.uvmmu_close.argtypes = None, (ctypes.c_void_p,)
        Errors.take, Errors.text = staticmethod(self.mu_take_errors), staticmethod(self.mu_error_text)

    def _dll(self, name):
        if name not in self._open:
            path = os.path.join(self.folder, name + ENDING)
            try:
                self._open[name] = ctypes.CDLL(path)
            except OSError as e:
                raise MuLibraryError("%s: %s" % (path, e)) from None
        return self._open[name]

    def _function(self, dll, name):
        f = getattr(dll, name)
        for row in _api.EXPORTS:
            if row[0] == name:
                f.restype, f.argtypes = row[1:]
        return f

    def constructor(self, generation):
        """The function that makes a VM of a generation from a configuration."""
        if generation == "zebu-2017":
            return self._function(self._dll(os.path.join("lib", "libmu")), "mu_fastimpl_new_with_opts")
        folder = "cbinding" if generation == "refimpl2-2016" else os.path.join("rmu-ref", "cbinding")
        make = self._function(self._dll(os.path.join(folder, "libmurefimpl2start")), "mu_refimpl2_new_ex")
        return lambda config: make(config or b"")


loading = threading.Lock()
loaded = None  # the Library of the process; guarded by loading
forked = False


def load(folder=None):
    """The library of a folder, or the one that find finds. There is only one in a process."""
    global loaded
    if forked:
        raise MuLibraryError("the library was loaded before the process was forked, so this process cannot use it")
    with loading:
        if loaded is None:
            folder = check(folder, "library") if folder is not None else find()
            loaded = Library(os.path.abspath(folder))
        elif folder is not None and not os.path.samefile(check(folder, "library"), loaded.folder):
            raise MuLibraryError("library: the process has loaded that of %s, it cannot load that of %s" % (loaded.folder, folder))
        return loaded


def forbid():
    """Called in the child of a fork."""
    global forked
    forked = loaded is not None


def check(folder, name):
    """The folder that a parameter or a variable names. A folder in it, such as that of rmu-ref, will do as well."""
    folder = os.fspath(folder)
    for f in folder, os.path.dirname(os.path.abspath(folder)):
        if os.path.isfile(in_folder(f)):
            return f
    raise MuLibraryError("%s: %s has no library libmu: want a folder that uvm2go libmu -o DIR has made" % (name, folder))


def find():
    """The folder with the library: that of a variable, that around the package, or one that uvm2go makes."""
    for name in "UVM2GO_LIBMU", "MU", "MU_ZEBU":
        if os.environ.get(name):
            return check(os.environ[name], name)
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in os.path.join(here, "libmu"), os.path.dirname(os.path.dirname(here)):
        if os.path.isfile(in_folder(folder)):
            return folder
    uvm2go = shutil.which("uvm2go")
    if uvm2go:
        return cached(uvm2go)
    raise MuLibraryError(
        "there is no library libmu: set UVM2GO_LIBMU to a folder that uvm2go libmu -o DIR has made, or put uvm2go on PATH, with Go and a C compiler"
    )


def cached(uvm2go):
    """The folder in the cache that this uvm2go has made, which it makes if there is none."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    cache = os.path.join(cache, "uvm2go")
    stat = os.stat(uvm2go)
    folder = os.path.join(cache, "libmu-%x-%x" % (stat.st_mtime_ns, stat.st_size))
    if os.path.isfile(in_folder(folder)):
        return folder
    os.makedirs(cache, exist_ok=True)
    new = tempfile.mkdtemp(prefix="new-", dir=cache)
    try:
        print("mu: uvm2go makes the library libmu in %s; this takes a minute" % folder, file=sys.stderr)
        run = subprocess.run([uvm2go, "libmu", "-o", new], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if run.returncode != 0:
            raise MuLibraryError("uvm2go libmu -o %s: %s" % (new, run.stdout.decode("utf-8", "replace").strip()))
        try:
            os.rename(new, folder)
        except OSError:
            if not os.path.isfile(in_folder(folder)):  # made by another process meanwhile
                raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return folder
