package gogen_test

import (
	"fmt"
	"math/big"
	"strings"
)

// A source says where an operand comes from: parameter n of the row, or the constant.
type source struct {
	param int
	konst value // nil for the parameter
}

// An application is an operation with its operands. A function makes all
// of its applications for each row of operands.
type application struct {
	c    *operation
	from []source
}

// A function is one function of the bundle: it applies operations to rows of operands in memory.
type function struct {
	name string
	args []shape
	res  shape
	apps []application
	// throws makes divisions without an exception clause.
	throws bool
	rows   [][]value // operands
}

// divides reports whether the function has flags: all its operations are divisions.
func (f *function) divides() bool { return f.apps[0].c.division() }

// params is the number of operands in a row.
func (f *function) params() int {
	n := 0
	for _, a := range f.apps {
		for _, s := range a.from {
			if s.konst == nil {
				n = max(n, s.param+1)
			}
		}
	}
	return n
}

// row is the layout of a row: offsets of the operands and size of all.
func (f *function) row() (offsets []int, size int) {
	align := 1
	for _, s := range f.args[:f.params()] {
		size = (size + s.size() - 1) / s.size() * s.size()
		align = max(align, s.size())
		offsets = append(offsets, size)
		size += s.size()
	}
	return offsets, (size + align - 1) / align * align
}

// A bundle collects definitions.
type bundle struct {
	types, consts, funcs strings.Builder
	seen                 map[string]bool
}

func newBundle() *bundle {
	b := &bundle{seen: map[string]bool{}}
	b.types.WriteString(".funcsig @v_v = () -> ()\n")
	b.typeOf(intShape(8))
	b.typeOf(intShape(64))
	b.types.WriteString(".funcsig @op.sig = (@P_i8 @P_i8 @P_i8 @i64) -> ()\n")
	for _, n := range []int64{1, 2} {
		b.konst(intShape(8), one(big.NewInt(n)))
	}
	b.konst(intShape(64), one(big.NewInt(1)))
	b.konst(intShape(64), one(big.NewInt(0)))
	return b
}

// typeOf defines a type and the pointer to it; it returns the name.
func (b *bundle) typeOf(s shape) string {
	n := s.name()
	if !b.seen[n] {
		b.seen[n] = true
		if s.lanes > 0 {
			b.typeOf(s.elem())
		}
		fmt.Fprintf(&b.types, ".typedef @%s = %s .typedef @P_%s = uptr<@%s>\n", n, s.ctor(), n, n)
	}
	return "@" + n
}

// rowOf defines the structure that holds a row.
func (b *bundle) rowOf(shapes []shape) string {
	n, fields := "row", ""
	for _, s := range shapes {
		n += "." + s.name()
		fields += " " + b.typeOf(s)
	}
	if len(shapes) == 0 {
		return "i8"
	}
	if !b.seen[n] {
		b.seen[n] = true
		fmt.Fprintf(&b.types, ".typedef @%s = struct<%s> .typedef @P_%s = uptr<@%s>\n", n, fields[1:], n, n)
	}
	return n
}

// konst defines a constant and returns its name.
func (b *bundle) konst(s shape, v value) string {
	n := "@" + s.name()
	for _, x := range v {
		n += fmt.Sprintf("_%x", x)
	}
	if b.seen[n] {
		return n
	}
	b.seen[n] = true
	t := b.typeOf(s)
	if s.lanes == 0 {
		fmt.Fprintf(&b.consts, ".const %s <%s> = %s\n", n, t, literal(s, v[0]))
		return n
	}
	list := ""
	for _, x := range v {
		list += " " + b.konst(s.elem(), one(x))
	}
	fmt.Fprintf(&b.consts, ".const %s <%s> = {%s}\n", n, t, list)
	return n
}

// function defines a function. It takes the addresses of rows, results and flags and the number of
// rows; a flag is 1 where a result was stored, 2 where the exceptional destination was taken.
func (b *bundle) function(f *function) {
	w := &b.funcs
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	row := b.rowOf(f.args[:f.params()])
	res := b.typeOf(f.res)
	rowT, resT := "@P_"+row, "@P_"+f.res.name()
	p(".funcdef @%s VERSION %%v <@op.sig> {\n", f.name)
	p(" %%entry(<@P_i8> %%in <@P_i8> %%out <@P_i8> %%flag <@i64> %%n):\n")
	p("  %%rows = PTRCAST <@P_i8 %s> %%in\n  %%res = PTRCAST <@P_i8 %s> %%out\n", rowT, resT)
	p("  BRANCH %%loop(%%rows %%res %%flag %%n)\n")
	state := fmt.Sprintf("<%s> %%rows <%s> %%res <@P_i8> %%flag <@i64> %%n", rowT, resT)
	p(" %%loop(%s):\n  %%done = EQ <@i64> %%n @i64_0\n", state)
	p("  BRANCH2 %%done %%exit() %%body(%%rows %%res %%flag %%n)\n %%body(%s):\n", state)
	live := "%rows %res %flag %n"
	for i, s := range f.args[:f.params()] {
		p("  %%p%d = GETFIELDIREF PTR <@%s %d> %%rows\n  %%a%d = LOAD PTR <%s> %%p%d\n", i, row, i, i, b.typeOf(s), i)
		state += fmt.Sprintf(" <%s> %%a%d", b.typeOf(s), i)
		live += fmt.Sprintf(" %%a%d", i)
	}
	next := "%res"
	for i, a := range f.apps {
		text := fmt.Sprintf("%s <%s>", a.c.op, a.c.types(b))
		for j, s := range a.from {
			if s.konst != nil {
				text += " " + b.konst(f.args[j], s.konst)
			} else {
				text += fmt.Sprintf(" %%a%d", s.param)
			}
		}
		if !f.divides() || f.throws {
			p("  %%r%d = %s\n  STORE PTR <%s> %s %%r%d\n", i, text, res, next, i)
			p("  %%q%d = SHIFTIREF PTR <%s @i64> %s @i64_1\n", i, res, next)
			next = fmt.Sprintf("%%q%d", i)
			continue
		}
		p("  %%r = %s EXC(%%ok%d(%s %%r) %%ex%d(%s))\n", text, i, live, i, live)
		p(" %%ok%d(%s <%s> %%r):\n  STORE PTR <%s> %%res %%r\n  STORE PTR <@i8> %%flag @i8_1\n  BRANCH %%next%d(%s)\n",
			i, state, res, res, i, live)
		p(" %%ex%d(%s):\n  STORE PTR <@i8> %%flag @i8_2\n  BRANCH %%next%d(%s)\n", i, state, i, live)
		p(" %%next%d(%s):\n  %%res2 = SHIFTIREF PTR <%s @i64> %%res @i64_1\n  %%flag2 = SHIFTIREF PTR <@i8 @i64> %%flag @i64_1\n", i, state, res)
		p("  BRANCH %%after%d(%s)\n %%after%d(%s):\n", i, strings.Replace(strings.Replace(live, "%res", "%res2", 1), "%flag", "%flag2", 1), i, state)
	}
	p("  %%rows2 = SHIFTIREF PTR <@%s @i64> %%rows @i64_1\n  %%n2 = SUB <@i64> %%n @i64_1\n", row)
	p("  BRANCH %%loop(%%rows2 %s %%flag %%n2)\n %%exit():\n  RET ()\n}\n", next)
}

func (b *bundle) text() string {
	return b.types.String() + b.consts.String() + b.funcs.String()
}

// driver is the program that calls the functions: it reads requests, each the number of
// a function and of rows, the sizes of their memory and the operands, and answers with an
// error's text, the results and the flags.
func driver(pkg string, funcs []*function) string {
	var b strings.Builder
	fmt.Fprintf(&b, driverHead, pkg)
	for _, f := range funcs {
		fmt.Fprintf(&b, "\tops.%s,\n", exportedName(f.name))
	}
	b.WriteString("}\n")
	return b.String()
}

// exportedName is the Go name of a function of the bundle.
func exportedName(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

const driverHead = `package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"runtime"
	"unsafe"

	ops %q

	rt "github.com/uvm2go/uvm2go/rtlib"
)

func main() {
	t := rt.NewThreadCtx()
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriterSize(os.Stdout, 1<<20)
	var q [5]uint32
	for binary.Read(in, binary.LittleEndian, &q) == nil {
		rows, res, flags := memory(q[2]), memory(q[3]), memory(q[4])
		if _, err := io.ReadFull(in, rows); err != nil {
			panic(err)
		}
		text := ""
		if err := table[q[0]](t, address(rows), address(res), address(flags), int64(q[1])); err != nil {
			text = err.Error()
		}
		binary.Write(out, binary.LittleEndian, uint32(len(text)))
		out.WriteString(text)
		out.Write(res)
		out.Write(flags)
		runtime.KeepAlive(rows)
	}
	out.Flush()
	rt.CloseThreadCtx(t)
}

// memory makes aligned bytes.
func memory(n uint32) []byte {
	b := make([]byte, n+128)
	skip := -address(b) & 127
	return b[skip : skip+uintptr(n)]
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

var table = []func(*rt.Ctx, uintptr, uintptr, uintptr, int64) error{
`
