"""What MuVM, MuCtx and MuIRBuilder have in common: the functions of a struct in C, and the conversion of their parameters."""

import ctypes
from operator import index

from ._errors import MuError
from ._value import MuValue

__all__ = ["Functions", "Opcode", "Struct"]


def kind(v):
    """What messages call an object."""
    return "None" if v is None else "a " + type(v).__name__


class Opcode:
    """A common instruction whose number is not the same in all generations. None is the number where there is no such instruction."""

    def __init__(self, name, *numbers):
        self.name = name
        self.numbers = numbers

    def __repr__(self):
        return self.name


class Functions:
    """The functions of a struct of one generation, as attributes."""

    def __init__(self, struct, rows, generation, generations, pointer):
        self._where = "%s has no %s." % (generations[generation], struct)
        slots = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_void_p))
        for name, numbers, result, params in rows:
            slot = numbers[generation]
            if slot:
                setattr(self, name, ctypes.CFUNCTYPE(result, ctypes.c_void_p, *params)(slots[slot]))

    def __getattr__(self, name):
        raise AttributeError(self._where + name)

    def forbid(self):
        """Makes every later call an error: in the child of a fork, where the library does not work."""
        self.__dict__ = {}
        self.__class__ = Forbidden


class Forbidden:
    def __getattr__(self, name):
        raise MuError("%s: the library was loaded before the process was forked, so this process cannot use it" % name)


class Struct:
    """A struct of the API. _p is the pointer to it, None when it is closed; _f are its functions, vm is its MuVM."""

    __slots__ = ("_p", "_f", "vm", "__weakref__")

    closed = ""  # what the library says of one that is closed

    def _explain(self, text):
        """The text of an error. One that is closed is NULL for the library, which may use its memory again."""
        if self._p is None:
            return text.partition(":")[0] + ": " + self.closed
        return text

    # Parameters. name is the one in C.

    def _bad_handle(self, v, want, name):
        """The error for something that is not a handle of the class that is wanted."""
        if not isinstance(v, MuValue):
            return TypeError("%s: %s, want a %s" % (name, kind(v), want.__name__))
        if v._h is None:
            return MuError("%s: E_HANDLE: the value was deleted" % name)
        if v.ctx is not self:
            return MuError("%s: E_HANDLE: a value of another context" % name)
        return TypeError("%s: a %s, want a %s" % (name, type(v).__name__, want.__name__))

    def _id(self, v, name):
        """An ID, which may be given by the name of what has it."""
        if isinstance(v, int):
            return v
        if isinstance(v, str):
            return self.vm.id_of(v)
        raise TypeError("%s: %s, want an ID or a name" % (name, kind(v)))

    def _ids(self, list, name):
        ids = [self._id(v, name) for v in list]
        return (ctypes.c_uint32 * len(ids))(*ids)

    def _numbers(self, list, type, name):
        numbers = [index(v) for v in list]
        return (type * len(numbers))(*numbers)

    def _opcode(self, v, name):
        if not isinstance(v, Opcode):
            return index(v)
        number = v.numbers[self.vm._generation]
        if number is None:
            raise MuError("%s: %s has no %s" % (name, self.vm.generation, v.name))
        return number

    def _text(self, v, name):
        if isinstance(v, str):
            v = v.encode()
        if not isinstance(v, bytes):
            raise TypeError("%s: %s, want a str or bytes" % (name, kind(v)))
        if b"\0" in v:
            raise ValueError("%s: a text with a NUL" % name)
        return v

    def _texts(self, list, name):
        if isinstance(list, (str, bytes)):
            raise TypeError("%s: a %s, want several" % (name, type(list).__name__))
        texts = [self._text(v, name) for v in list]
        return (ctypes.c_char_p * len(texts))(*texts)

    def _buffer(self, v, name):
        if isinstance(v, str):
            v = v.encode()
        if not isinstance(v, (bytes, bytearray, memoryview)):
            raise TypeError("%s: %s, want a str or bytes" % (name, kind(v)))
        v = bytes(v)
        return (ctypes.c_char * len(v)).from_buffer_copy(v)

    def _real(self, v, name):
        if not isinstance(v, (int, float)):
            raise TypeError("%s: a %s, want a number" % (name, type(v).__name__))
        return v

    def _address(self, v, name):
        """An address: a number, None, or something of ctypes, of which the VM keeps functions alive."""
        if v is None:
            return None
        if isinstance(v, ctypes._CFuncPtr):
            self.vm._keep(v)
            return ctypes.cast(v, ctypes.c_void_p).value
        if isinstance(v, ctypes.c_void_p):
            return v.value
        if isinstance(v, (ctypes._Pointer, ctypes.c_char_p)):
            return ctypes.cast(v, ctypes.c_void_p).value
        if isinstance(v, (ctypes.Array, ctypes.Structure, ctypes.Union)):
            return ctypes.addressof(v)
        return index(v)

    def _equal(self, name1, list1, name2, list2):
        if len(list1) != len(list2):
            raise ValueError("%d %s, but %d %s: want as many" % (len(list1), name1, len(list2), name2))
