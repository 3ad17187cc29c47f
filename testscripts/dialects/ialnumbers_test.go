package dialects_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// A numberTest is an operation of IAL on operands of one type, or a conversion.
type numberTest struct {
	op     string
	from   numType
	result numType
	second numType // of the second operand
	arity  int
}

func (c numberTest) String() string {
	return fmt.Sprintf("%s %s -> %s", c.op, c.from.name, c.result.name)
}

// numberTests is every operation on numbers with every type it takes.
func numberTests() []numberTest {
	word := typeNamed("uint")
	var tests []numberTest
	add := func(arity int, t, result, second numType, ops ...string) {
		for _, op := range ops {
			tests = append(tests, numberTest{op, t, result, second, arity})
		}
	}
	for _, t := range numTypes {
		add(2, t, t, t, "ari.add", "ari.sub", "ari.mul", "ari.div", "ari.rem")
		add(1, t, t, t, "ari.neg", "not")
		add(2, t, word, t, "cmp.eq", "cmp.neq", "cmp.gt", "cmp.lt", "cmp.gteq", "cmp.lteq")
		if !t.float {
			add(2, t, t, t, "bit.and", "bit.or", "bit.xor")
			add(1, t, t, t, "bit.neg")
			add(2, t, t, word, "shl", "shr", "rol", "ror")
		}
		for _, to := range numTypes {
			add(1, t, to, t, "conv")
		}
	}
	return tests
}

// operands are what the test is tried with.
func (c numberTest) operands() (xs, ys []number) {
	xs = c.from.operands
	switch {
	case c.arity == 1:
		return xs, xs[:1]
	case strings.HasPrefix(c.op, "sh") || strings.HasPrefix(c.op, "ro"):
		return xs, shiftAmounts(c.from.width)
	case !c.from.float && (c.op == "ari.div" || c.op == "ari.rem"):
		for _, y := range xs {
			if y.bits != 0 {
				ys = append(ys, y)
			}
		}
		return xs, ys
	}
	return xs, xs
}

// mix is the hash of a row of results, in the program as here.
func mix(hash, bits uint64) uint64 { return hash*0x100000001b3 ^ bits }

// want is what the program prints for the test: the hash of the results of the scalar instruction, of the
// bulk instruction, which are the same, and of the scalar instruction with constant operands.
func (c numberTest) want() string {
	xs, ys := c.operands()
	var hash, constants uint64
	for j, y := range ys {
		for i, x := range xs {
			bits := c.evaluate(x, y).hashed(c.op == "ari.neg")
			hash = mix(hash, bits)
			if constant(i, j) {
				constants = mix(constants, bits)
			}
		}
	}
	return fmt.Sprintf("%#x %#[1]x %#x \n", hash, constants)
}

// constant chooses the pairs that are also tried as constants.
func constant(i, j int) bool { return (i+3*j)%41 == 0 }

// write writes the functions of the test with number k.
func (c numberTest) write(b *strings.Builder, k int) {
	xs, ys := c.operands()
	x, r, y := c.from.name, c.result.name, c.second.name
	instruction := func(result, args string) string { return fmt.Sprintf("%s = %s %s;", result, c.op, args) }
	if c.arity == 1 {
		fmt.Fprintf(b, "function %s f%d(%s) { register %[3]s x; register %[1]s r; block entry { x = arg.pop; %[4]s return r; } }\n",
			r, k, x, instruction("r", "x"))
	} else {
		fmt.Fprintf(b, "function %s f%d(%s, %s) { register %[3]s x; register %[4]s y; register %[1]s r; block entry { x = arg.pop; y = arg.pop; %[5]s return r; } }\n",
			r, k, x, y, instruction("r", "x, y"))
	}
	bits := "bits_"
	if c.op == "ari.neg" {
		bits = "raw_"
	}
	hashed := func(hash string) string {
		return fmt.Sprintf("arg.push r; bits = call (%s%s); arg.push %s; arg.push bits; %[3]s = call (mix);", bits, r, hash)
	}
	var push, bulk, args string
	switch {
	case c.op == "conv":
		push, bulk, args = "arg.push x;", "array.conv xs, d;", "x"
	case c.arity == 1:
		push, bulk, args = "arg.push x;", fmt.Sprintf("array.%s d, xs;", c.op), "x"
	default:
		push, bulk, args = "arg.push x; arg.push y;", fmt.Sprintf("array.%s d, xs, y;", c.op), "x, y"
	}
	fmt.Fprintf(b, "function void t%d()\n{\n", k)
	fmt.Fprintf(b, "    register %s[] xs; register %[1]s x; register %[2]s[] ys; register %[2]s y; register %[3]s[] d; register %[3]s r;\n", x, y, r)
	b.WriteString("    register uint n; register uint m; register uint i; register uint j; register uint zero; register uint one; register uint more;\n")
	b.WriteString("    register uint64 bits; register uint64 h; register uint64 g; register uint64 c; register uint64 w;")
	fmt.Fprintf(b, " register %s[%d] lx; register %s[%d] ly; register %[1]s wx; register %[3]s wy;\n",
		c.from.literal, len(xs), c.second.literal, len(ys))
	fmt.Fprintf(b, "    block entry { w = load.ui64 (1); one = conv w; %s %s n = array.len xs; m = array.len ys; d = mem.alloc n; jump (outer); }\n",
		c.from.array("xs", "lx", xs), c.second.array("ys", "ly", ys))
	b.WriteString("    block outer { more = cmp.lt j, m; jump.cond more (start, done); }\n")
	fmt.Fprintf(b, "    block start { y = array.get ys, j; i = copy zero; %s jump (inner); }\n", bulk)
	b.WriteString("    block inner { more = cmp.lt i, n; jump.cond more (step, next); }\n")
	fmt.Fprintf(b, "    block step { x = array.get xs, i; %s r = call (f%d); %s r = array.get d, i; %s i = ari.add i, one; jump (inner); }\n",
		push, k, hashed("h"), hashed("g"))
	b.WriteString("    block next { j = ari.add j, one; jump (outer); }\n    block done\n    {\n")
	for j := range ys {
		for i := range xs {
			if !constant(i, j) {
				continue
			}
			fmt.Fprintf(b, "        %s %s %s %s\n", c.from.scalar("x", "wx", xs[i]), c.second.scalar("y", "wy", ys[j]), instruction("r", args), hashed("c"))
		}
	}
	b.WriteString("        arg.push h; invoke (hex); arg.push g; invoke (hex); arg.push c; invoke (hex); invoke (line); leave;\n    }\n}\n")
}

// numberProgram prints a line for each test.
func numberProgram(tests []numberTest) string {
	var b strings.Builder
	b.WriteString("function uint64 mix(uint64, uint64) { register uint64 h; register uint64 b; register uint64 m; block entry" +
		" { h = arg.pop; b = arg.pop; m = load.ui64 (0x100000001b3); h = ari.mul h, m; h = bit.xor h, b; return h; } }\n")
	for _, t := range numTypes {
		t.writeBits(&b)
	}
	for k, c := range tests {
		c.write(&b, k)
	}
	b.WriteString("function int32 main()\n{\n    register int32 r;\n    block entry\n    {\n")
	for k := range tests {
		fmt.Fprintf(&b, "        invoke (t%d);\n", k)
	}
	b.WriteString("        return r;\n    }\n}\nentry main;\n")
	return b.String()
}

// TestNumbersIAL tries every operation on numbers on the extreme values of every type: with variables, in bulk,
// and with constants, on the interpreter and on the engine for live code.
func TestNumbersIAL(t *testing.T) { numbers(t, "-interp", "-live") }

// TestLongNumbersIAL does so in a program built with and without the optimising passes.
func TestLongNumbersIAL(t *testing.T) {
	longtest.Only(t)
	numbers(t, "-O0", "-O1")
}

func numbers(t *testing.T, ways ...string) {
	scripttest.OwnCache(t)
	uvm2go := scripttest.Command(t)
	tests := numberTests()
	file := filepath.Join(t.TempDir(), "numbers.ial")
	if err := os.WriteFile(file, []byte(numberProgram(tests)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, way := range ways {
		cmd := exec.Command(uvm2go, "run", way, file, filepath.Join("..", "..", "cmd", "uvm2go", "testdata", "ial", "show.ial"))
		cmd.Env = append(os.Environ(), "GOFLAGS="+scripttest.FastBuild(os.Getenv("GOFLAGS")))
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil || errs.Len() > 0 {
			t.Fatalf("%s: %v\n%s", way, err, &errs)
		}
		lines := strings.SplitAfter(out.String(), "\n")
		if len(lines) != len(tests)+1 {
			t.Fatalf("%s: %d lines for %d tests", way, len(lines)-1, len(tests))
		}
		for k, c := range tests {
			if want := c.want(); lines[k] != want {
				t.Errorf("%s %v: variables, bulk, constants: got %swant %s", way, c, lines[k], want)
			}
		}
	}
}
