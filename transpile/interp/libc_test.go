package interp

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// nativeTest calls native functions on a machine without a program.
type nativeTest struct {
	*testing.T
	t           *thread
	out, errOut bytes.Buffer
}

func newNativeTest(t *testing.T, stdin string) *nativeTest {
	n := &nativeTest{T: t}
	cfg := Config{Stdin: strings.NewReader(stdin), Stdout: &n.out, Stderr: &n.errOut, Start: time.Unix(1000, 5000),
		LookupEnv: func(k string) (string, bool) { return "value of " + k, k == "SET" }}
	n.t = newMachine(ir.NewProgram(), cfg.withDefaults()).newThread()
	n.t.stack = &stack{live: new(uint64)}
	return n
}

// call passes integers as int<64> and returns one.
func (n *nativeTest) call(name string, args ...uint64) (uint64, misuse) {
	i64 := n.t.m.types.Int(64)
	sig := &ir.Type{Kind: ir.KSig}
	var vals []Value
	for _, a := range args {
		vals = append(vals, Value{Lo: a})
		sig.Fields = append(sig.Fields, i64)
	}
	if row := clib.Table[name]; row.Sig != "" && row.Signature().Result != 'v' {
		sig.Results = []ir.TypeID{i64}
	}
	c, bad := n.t.newNativeCall(name, vals, sig)
	if bad.kind != noError {
		return 0, bad
	}
	res := append(c.results(c.run()), null)
	return res[0].Lo, c.bad
}

func (n *nativeTest) must(name string, args ...uint64) uint64 {
	n.Helper()
	v, bad := n.call(name, args...)
	if bad.kind != noError {
		n.Fatalf("%s: %s: %s", name, bad.kind, bad.detail)
	}
	return v
}

func (n *nativeTest) want(name string, got, want uint64) {
	n.Helper()
	if got != want {
		n.Errorf("%s gives %#x, want %#x", name, got, want)
	}
}

func TestLibc(t *testing.T) {
	n := newNativeTest(t, "input")
	hello := n.t.m.nativeString("hello")
	n.want("strlen", n.must("strlen", hello), 5)
	buf := n.must("calloc", 4, 4)
	n.want("memset", n.must("memset", buf, 'x', 15), buf)
	n.want("strlen", n.must("strlen", buf), 15)
	n.want("memmove", n.must("memmove", buf+1, hello, 3), buf+1)
	n.want("memmove, overlapping", n.must("memmove", buf+2, buf, 4), buf+2)
	n.must("puts", buf)
	n.want("write", n.must("write", 1, hello, 4), 4)
	n.want("write", n.must("write", 2, hello, 2), 2)
	n.want("write to another file", n.must("write", 7, hello, 2), ^uint64(0))
	if got := n.out.String() + "|" + n.errOut.String(); got != "xhxhelxxxxxxxxx\nhell|he" {
		t.Errorf("written: %q", got)
	}
	n.want("read", n.must("read", 0, buf, 16), 5)
	n.want("read at the end", n.must("read", 0, buf, 16), 0)
	n.want("memcmp", n.must("memcmp", buf, n.t.m.nativeString("input"), 5), 0)
	n.want("strcmp", n.must("strcmp", hello, n.t.m.nativeString("help")), 1<<32-4)
	bigger := n.must("realloc", buf, 100)
	n.want("memcmp", n.must("memcmp", bigger, n.t.m.nativeString("input"), 5), 0)
	n.must("free", bigger)
	n.must("free", 0)
	if e := n.must("getenv", n.t.m.nativeString("SET")); n.must("strlen", e) != 12 || n.must("getenv", n.t.m.nativeString("SET")) != e {
		t.Error("getenv gives another string")
	}
	n.want("getenv", n.must("getenv", n.t.m.nativeString("UNSET")), 0)
	tv := n.must("malloc", 16)
	n.want("gettimeofday", n.must("gettimeofday", tv, 0), 0)
	b, _ := n.t.m.addresses.bytes(tv, 16)
	n.want("seconds", loadBytes(b[:8]).Lo, 1000)
	n.want("microseconds", loadBytes(b[8:]).Lo, 5)
	n.want("time", n.must("time", tv), 1000)
	n.want("clock", n.must("clock"), 0)
	n.want("labs", n.must("labs", ^uint64(4)), 5)
	n.want("malloc beyond the limit", n.must("malloc", 1<<40), 0)
	n.want("calloc beyond all", n.must("calloc", 1<<40, 1<<40), 0)
}

func TestEnviron(t *testing.T) {
	t.Setenv("SET", "other")
	n := newNativeTest(t, "")
	c := ir.Const{Kind: ir.ConstExtern, Sym: "environ"}
	cell := n.t.m.constant(&c).Lo
	if cell != n.t.m.constant(&c).Lo {
		t.Error("two variables")
	}
	b, _ := n.t.m.addresses.bytes(cell, 8)
	list := loadBytes(b).Lo
	b, _ = n.t.m.addresses.bytes(list, 16)
	text, bad := n.t.m.addresses.cstring(loadBytes(b[:8]).Lo)
	if string(text) != "SET=value of SET" || loadBytes(b[8:]).Lo != 0 {
		t.Errorf("%q %v, then %#x", text, bad, loadBytes(b[8:]).Lo)
	}
}

// TestLibcFiles opens, writes, seeks, reads and removes a file.
func TestLibcFiles(t *testing.T) {
	n := newNativeTest(t, "")
	name := n.t.m.nativeString(filepath.Join(t.TempDir(), "file"))
	hello, buf := n.t.m.nativeString("hello"), n.must("malloc", 16)
	errno := func(want int64) {
		t.Helper()
		b, _ := n.t.m.addresses.bytes(n.must("__errno_location"), 4)
		if got := int64(loadBytes(b).Lo); got != want {
			t.Errorf("errno %d, want %d", got, want)
		}
		storeBytes(b, null)
	}
	minus := ^uint64(0)
	n.want("open of nothing", n.must("open", name, uint64(os.O_RDWR)), 1<<32-1)
	errno(errNoEntry)
	fd := n.must("open", name, uint64(os.O_RDWR|os.O_CREATE), 0o600)
	n.want("open", fd, 3)
	n.want("write", n.must("write", fd, hello, 5), 5)
	n.want("dprintf", n.must("dprintf", fd, n.t.m.nativeString("%d"), 7), 1)
	n.want("lseek", n.must("lseek", fd, 1, 0), 1)
	n.want("read", n.must("read", fd, buf, 16), 5)
	if b, _ := n.t.m.addresses.bytes(buf, 5); string(b) != "ello7" {
		t.Errorf("read %q", b)
	}
	n.want("read at the end", n.must("read", fd, buf, 16), 0)
	n.want("close", n.must("close", fd), 0)
	n.want("close again", n.must("close", fd), 1<<32-1)
	errno(errBadFile)
	n.want("lseek of standard input", n.must("lseek", 0, 0, 0), minus)
	errno(errPipe)
	n.want("unlink", n.must("unlink", name), 0)
	n.want("unlink again", n.must("unlink", name), 1<<32-1)
	errno(errNoEntry)
	n.want("close of standard output", n.must("close", 1), 0)
	n.want("write to it", n.must("write", 1, hello, 5), minus)
	errno(errBadFile)
}

// TestFormatTooLong: a text whose length does not fit an int is an error.
func TestFormatTooLong(t *testing.T) {
	for _, f := range []string{"%2147483648d", "%99999999999999999999d", "%.2147483648d", "%*d", "%.*d"} {
		n := newNativeTest(t, "")
		n.want(f, n.must("snprintf", 0, 0, n.t.m.nativeString(f), 1<<31-1, 1), 1<<32-1)
		b, _ := n.t.m.addresses.bytes(n.must("__errno_location"), 4)
		n.want("errno", loadBytes(b).Lo, errOverflow)
	}
}

// TestNatives: the interpreter has exactly the functions of the list.
func TestNatives(t *testing.T) {
	for name := range clib.Table {
		if natives[name] == nil {
			t.Errorf("%s: not known to the interpreter", name)
		}
	}
	for name := range natives {
		if _, ok := clib.Table[name]; !ok {
			t.Errorf("%s: not in the list of natives", name)
		}
	}
}

func TestLibcMisuse(t *testing.T) {
	n := newNativeTest(t, "")
	buf := n.must("malloc", 8)
	n.must("memset", buf, 1, 8)
	gone := n.must("malloc", 8)
	n.must("free", gone)
	ref := n.t.m.types.Struct(n.t.m.types.Int(64), n.t.m.types.Ref(n.t.m.types.Void()))
	object := n.t.m.newUnit(heapUnit, n.t.m.shapes.of(ref), 16)
	pinned := n.t.pin(Value{ref: object})
	for _, c := range []struct {
		name string
		args []uint64
		want kind
	}{
		{"memcpy", []uint64{buf, buf, 9}, bounds},
		{"memcpy", []uint64{buf, gone, 1}, native},
		{"memset", []uint64{0, 0, 1}, native},
		{"memset", []uint64{pinned, 0, 8}, noError},
		{"memset", []uint64{pinned, 0, 9}, badType},
		{"strlen", []uint64{buf}, bounds},
		{"free", []uint64{gone}, native},
		{"free", []uint64{buf + 1}, native},
		{"free", []uint64{pinned}, native},
		{"realloc", []uint64{gone, 8}, native},
		{"strlen", nil, native},
		{"sqrt", []uint64{1}, native},
		{"dlopen", []uint64{1}, native},
	} {
		if _, bad := n.call(c.name, c.args...); bad.kind != c.want {
			t.Errorf("%s%#x: %s %s, want %s", c.name, c.args, bad.kind, bad.detail, c.want)
		}
	}
}

func TestInternalError(t *testing.T) {
	m := newMachine(ir.NewProgram(), Config{}.withDefaults())
	if err := m.internalError("boom"); !strings.Contains(err.Error(), "internal error: interpreter, before the program starts: boom") {
		t.Error(err)
	}
	if err := m.internalError(usedUndefined{}); !strings.Contains(err.Error(), "invalid program") {
		t.Error(err)
	}
}
