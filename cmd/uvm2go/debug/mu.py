# Commands of GDB for programs made by uvm2go build -g:
#
#	mu EXPR    prints the object that a reference leads to, by its Mu type
#	mubt       prints the Mu frames of the current thread
#	mustacks   prints the Mu frames of all threads. Stacks that rest are goroutines without a thread
#	mubreak    FILE:LINE   sets breakpoints at all copies of a line
#
# uvm2go debug -script gdb > mu.py, and in GDB: source mu.py

import gdb
import struct

# The kinds of Mu types, as in rtlib: core.VKind.
V_INT, V_FLOAT, V_DOUBLE = 1, 2, 3
V_REFS = {4: "uptr", 5: "ufuncptr", 6: "ref", 7: "iref", 8: "weakref", 9: "tagref64", 10: "funcref", 11: "stackref", 12: "threadref", 13: "framecursorref"}
V_STRUCT, V_ARRAY, V_VECTOR, V_HYBRID = 16, 17, 18, 19
MAX_ELEMS = 20  # of an array that are shown
HEADER = 8      # bytes before an object: the ID of its type, the length of a hybrid


def memory(addr, size):
    return gdb.selected_inferior().read_memory(addr, size).tobytes()


def word(addr, size):
    return int.from_bytes(memory(addr, size), "little")


def elements(x):
    """the elements of a Go array or slice"""
    if x.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
        low, high = x.type.range()
        return [x[i] for i in range(low, high + 1)]
    return [x["array"][i] for i in range(int(x["len"]))]


def text(x):
    """a Go string"""
    return memory(int(x["str"]), int(x["len"])).decode() if int(x["len"]) else ""


def name(t):
    return text(t["Name"]) or "(a type without a name)"


def find(id):
    """the Mu type of objects whose type has an ID"""
    for t in elements(gdb.parse_and_eval("'main.vtypes'")):
        if int(t["GC"]) != 0 and int(t["GC"].dereference()["ID"]) == id:
            return t
    return None


def show(t, addr, length, indent):
    """prints what is at an address"""
    kind = int(t["Kind"])
    if kind in (V_STRUCT, V_HYBRID):
        for i, f in enumerate(elements(t["Fields"])):
            line(str(i), f.dereference(), addr + int(elements(t["Offsets"])[i]), indent)
        if kind == V_HYBRID:
            elems(t, addr + int(t["GC"].dereference()["Size"]), length, indent)
    elif kind in (V_ARRAY, V_VECTOR):
        elems(t, addr, int(t["Len"]), indent)
    else:
        print(indent + scalar(t, kind, addr))


def elems(t, addr, length, indent):
    for i in range(min(length, MAX_ELEMS)):
        line("[%d]" % i, t["Elem"].dereference(), addr + i * int(t["Stride"]), indent)
    if length > MAX_ELEMS:
        print("%s... %d elements" % (indent, length))


def line(label, t, addr, indent):
    kind = int(t["Kind"])
    if kind < V_STRUCT:
        print("%s%s = %s" % (indent, label, scalar(t, kind, addr)))
        return
    print("%s%s %s" % (indent, label, name(t)))
    show(t, addr, 0, indent + "  ")


def scalar(t, kind, addr):
    if kind == V_INT:
        bits = int(t["Bits"])
        n = word(addr, max((bits + 7) // 8, 1))
        if bits > 1 and n >> (bits - 1) & 1:
            n -= 1 << bits
        return str(n)
    if kind == V_FLOAT:
        return str(struct.unpack("<f", memory(addr, 4))[0])
    if kind == V_DOUBLE:
        return str(struct.unpack("<d", memory(addr, 8))[0])
    n = word(addr, 8)
    return "%s 0x%x" % (V_REFS.get(kind, "reference"), n) if n else "NULL"


def names():
    """the Mu functions, by their Go names"""
    return {"main." + text(f["Go"]): text(f["Func"].dereference()["Name"]) for f in elements(gdb.parse_and_eval("'main.funcNames'"))}


def trace(known):
    lines = []
    f = gdb.newest_frame()
    while f is not None and len(lines) < 1000:
        if f.name() in known:
            at = f.find_sal()
            lines.append("%s (%s:%d)" % (known[f.name()], at.symtab.filename if at.symtab else "?", at.line))
        try:
            f = f.older()
        except gdb.error:
            break
    return lines


class Mu(gdb.Command):
    """Prints the object that a Mu reference leads to.

mu EXPR"""

    def __init__(self):
        super().__init__("mu", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, arg, tty):
        ref = int(gdb.parse_and_eval(arg))
        if ref == 0:
            print("NULL")
            return
        t = find(word(ref - HEADER, 4))
        if t is None:
            print("0x%x is no reference to an object" % ref)
            return
        print("%s at 0x%x" % (name(t), ref))
        show(t, ref, word(ref - HEADER + 4, 4), "  ")


class MuBacktrace(gdb.Command):
    """Prints the Mu frames of the current thread."""

    def __init__(self):
        super().__init__("mubt", gdb.COMMAND_STACK)

    def invoke(self, arg, tty):
        for l in trace(names()):
            print(l)


class MuStacks(gdb.Command):
    """Prints the Mu frames of all threads that have some."""

    def __init__(self):
        super().__init__("mustacks", gdb.COMMAND_STACK)

    def invoke(self, arg, tty):
        known, current = names(), gdb.selected_thread()
        for t in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
            t.switch()
            lines = trace(known)
            if lines:
                print("%s thread %d" % ("*" if t == current else " ", t.num))
                for l in lines:
                    print("    " + l)
        current.switch()


class MuBreak(gdb.Command):
    """Sets breakpoints wherever code of a line begins, also in copies of inlined functions.

mubreak FILE:LINE"""

    def __init__(self):
        super().__init__("mubreak", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, arg, tty):
        file, number = arg.rsplit(":", 1)
        found = False
        for go in sorted(names()):
            symbol = gdb.lookup_global_symbol(go)
            if symbol is None:
                continue
            block = gdb.block_for_pc(int(symbol.value().address))
            before = None
            for i in gdb.selected_inferior().architecture().disassemble(block.start, block.end - 1):
                at = gdb.find_pc_line(i["addr"])
                here = (at.symtab.filename if at.symtab else "", at.line)
                if here != before and at.line == int(number) and ("/" + here[0]).endswith("/" + file):
                    gdb.Breakpoint("*0x%x" % i["addr"])
                    found = True
                before = here
        if not found:
            print("no code of " + arg)


Mu()
MuBacktrace()
MuStacks()
MuBreak()
