"""Mu's client API, by the library libmu of uvm2go.

The classes MuVM, MuCtx and MuIRBuilder have the functions of the structs of the same names in C, under the same names. Handles are
objects of the classes MuIntValue, MuRefValue and so on. A function that fails raises MuError.
"""

from . import _library
from ._api import *  # noqa: F401,F403
from ._builder import MuIRBuilder
from ._context import MuCtx
from ._errors import MuError, MuLibraryError
from ._function import MuFunction
from ._trap import PassValues, ThreadExit, ThrowExc
from ._value import MuValue
from ._vm import MuVM


def mu_refimpl2_new():
    """A VM of refimpl2-2016."""
    return MuVM()


def mu_refimpl2_new_ex(gc_conf):
    """A VM of refimpl2-2016 with a configuration."""
    return MuVM(gc_conf)


def mu_refimpl2_close(mvm):
    """Closes a VM."""
    mvm.close()


def mu_fastimpl_new():
    """A VM of zebu-2017."""
    return MuVM(generation="zebu-2017")


def mu_fastimpl_new_with_opts(opts):
    """A VM of zebu-2017 with an option string."""
    return MuVM(opts, generation="zebu-2017")


def mu_get_version():
    """What the library says of its version."""
    return _library.load().mu_get_version().decode()
