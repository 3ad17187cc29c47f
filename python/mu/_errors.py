"""Errors of the library, and how calls learn of them."""

import ctypes
import re
import threading


class MuError(Exception):
    """A call of Mu's API has failed.

    function is the name of the function in C, code the code of the error, such as "E_RANGE", or "" if it has none.
    """

    __module__ = "mu"

    def __init__(self, text):
        super().__init__(text)
        m = re.match(r"(\w+): (?:(E_[A-Z_]+): )?", text)
        self.function = m.group(1) if m else ""
        self.code = m.group(2) or "" if m else ""


class MuLibraryError(MuError):
    """The library libmu cannot be found, made or used."""

    __module__ = "mu"


class Errors(threading.local):
    """The errors of the calls that a thread makes.

    count is an int in C that the library counts up when a call of the thread fails. It does so from the first use of count on, so
    that must come before the call.
    """

    take = None  # mu_take_errors and mu_error_text, when the library is loaded
    text = None

    def __getattr__(self, name):
        if name != "count":
            raise AttributeError(name)
        address = Errors.take()
        if not address:
            raise MemoryError("libmu: no memory for the errors of a thread")
        self.count = ctypes.c_int.from_address(address)
        return self.count

    def throw(self, struct=None):
        """Raises the error of the call that was just made."""
        self.count.value = 0
        text = (Errors.text() or b"an error without a text").decode("utf-8", "replace")
        raise MuError(struct._explain(text) if struct else text)


errors = Errors()


class Calls(threading.local):
    """The calls of MuFunctions that a thread is in: for each the exceptions of the callbacks that it has led to."""

    def __init__(self):
        self.failures = []


calls = Calls()


def report(e):
    """Reports an exception that nobody can catch, as that of a thread."""
    threading.excepthook(threading.ExceptHookArgs((type(e), e, e.__traceback__, threading.current_thread())))


def raise_first(failures):
    """Raises the first of several exceptions, and reports the others."""
    for e in failures[1:]:
        report(e)
    raise failures[0]
