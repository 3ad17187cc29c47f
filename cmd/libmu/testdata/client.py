# A client in Python, as the binding of the reference implementation works: structs of pointers, the error number before and after each call.
import ctypes
import sys
import threading
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_int64, c_uint32, c_uint64, c_void_p

lib = ctypes.CDLL(sys.argv[1])
lib.mu_refimpl2_new_ex.restype = c_void_p
lib.mu_refimpl2_new_ex.argtypes = [c_char_p]


def slot(struct, n, result, *args):
    address = ctypes.cast(struct, POINTER(c_void_p))[n]
    function = CFUNCTYPE(result, c_void_p, *args, use_errno=True)(address)

    def call(*values):
        error.value = 0
        value = function(struct, *values)
        if error.value:
            raise Exception("error %d" % error.value)
        return value

    return call


error = c_int()
vm = lib.mu_refimpl2_new_ex(b"sosSize=1048576\nlosSize=1048576\nvmLog=ERROR\n")
error = c_int.from_address(slot(vm, 6, c_void_p)())

ctx = slot(vm, 1, c_void_p)()
id_of = slot(ctx, 1, c_uint32, c_char_p)
name_of = slot(ctx, 2, c_char_p, c_uint32)
load = slot(ctx, 4, None, c_char_p, c_void_p)
from_sint = slot(ctx, 12, c_void_p, c_int64, c_int)
to_sint = slot(ctx, 25, c_int64, c_void_p)
to_double = slot(ctx, 28, c_double, c_void_p)
const = slot(ctx, 31, c_void_p, c_uint32)
func = slot(ctx, 33, c_void_p, c_uint32)
new_stack = slot(ctx, 55, c_void_p, c_void_p)
new_thread = slot(ctx, 56, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)
execute = slot(vm, 5, None)

text = b"""
.typedef @i64 = int<64> .typedef @double = double .const @c <@double> = 3.25d
.funcsig @one = (@i64) -> ()
.funcdef @trap VERSION %v1 <@one> { %entry(<@i64> %x): BRANCH %loop(%x) %loop(<@i64> %x): %y = [%again] TRAP <@i64> KEEPALIVE (%x) BRANCH %loop(%y) }
"""
load(text, len(text))
print(to_sint(from_sint(100, 64)), to_sint(from_sint(2147483648, 32)), to_double(const(id_of(b"@c"))), name_of(id_of(b"@trap")).decode())
try:
    id_of(b"@nothing")
except Exception as e:
    print(e)

freed = []
arrays = []


@CFUNCTYPE(None, c_void_p, c_void_p)
def freer(values, data):
    freed.append(data)


@CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_uint32, POINTER(c_uint32), POINTER(c_void_p), POINTER(c_void_p), POINTER(c_int),
           POINTER(c_void_p), POINTER(c_void_p), POINTER(c_void_p), c_void_p)
def handler(ctx, thread, stack, wpid, result, new_stack, values, nvalues, free, freedata, exception, userdata):
    cursor = slot(ctx, 61, c_void_p, c_void_p)(stack)
    kept = (c_void_p * 1)()
    slot(ctx, 68, None, c_void_p, c_void_p)(cursor, kept)
    slot(ctx, 64, None, c_void_p)(cursor)
    x = slot(ctx, 25, c_int64, c_void_p)(kept[0])
    print("trap", x)
    if x == 44:
        return  # the thread ends
    array = (c_void_p * 1)(slot(ctx, 12, c_void_p, c_int64, c_int)(x + 1, 64))
    arrays.append(array)
    result[0] = 1
    new_stack[0] = stack
    values[0] = ctypes.addressof(array)
    nvalues[0] = 1
    free[0] = ctypes.cast(freer, c_void_p).value
    freedata[0] = 5


slot(vm, 4, None, c_void_p, c_void_p)(ctypes.cast(handler, c_void_p), None)
vals = (c_void_p * 1)(from_sint(42, 64))
new_thread(new_stack(func(id_of(b"@trap"))), None, vals, 1)
worker = threading.Thread(target=execute)  # handlers need Python's lock, which execute does not hold
worker.start()
worker.join()
print(freed)
slot(ctx, 3, None)()
lib.mu_refimpl2_close.argtypes = [c_void_p]
lib.mu_refimpl2_close(vm)
