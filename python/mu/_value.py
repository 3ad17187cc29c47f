"""Handles: the base of their classes, and what some of them can do besides."""


class MuValue:
    """A handle of a Mu value, or of a node of a bundle, in a context.

    The handle is deleted some time after the object is gone: at a later call of its context, by the thread that makes the call, since
    a context is for one thread at a time.
    """

    __slots__ = ("ctx", "_h", "__weakref__")

    def __init__(self, ctx, handle):
        self.ctx = ctx
        self._h = handle  # None: deleted

    def __del__(self):
        if self._h:
            self.ctx._dead.append(self._h)

    def __repr__(self):
        return "<%s %s>" % (type(self).__name__, hex(self._h) if self._h else "deleted")

    def cast(self, cls):
        """Makes the object one of another class of handles, and returns it. Results of functions such as load are plain MuValues."""
        if not (isinstance(cls, type) and issubclass(cls, MuValue)):
            raise TypeError("cast: %r is no class of handles" % (cls,))
        self.__class__ = cls
        return self

    def delete(self):
        """The same as delete_value of the context."""
        self.ctx.delete_value(self)

    def __int__(self):
        return self.ctx.handle_to_sint64(self)

    def __float__(self):
        return self.ctx.handle_to_double(self)


class Cursor:
    """A cursor may be used in a with statement, which closes it."""

    __slots__ = ()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.ctx.close_cursor(self)


class Bundle:
    """The node of a bundle may be used in a with statement, which loads the bundle, or gives it up after an exception."""

    __slots__ = ()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.ctx.load_bundle_from_node(self)
        else:
            self.ctx.abort_bundle_node(self)
