package gogen_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
)

// An operation is one instruction at one type.
type operation struct {
	op   string
	args []shape
	res  shape
	eval evalFunc // of one lane
	// bits means that NaNs are compared bit by bit, with their payloads.
	bits bool
	// first and second are the scalar operands to try, nil for the edges of the type.
	first, second []*big.Int
	// plain means that fewer constants are enough, because many types like this are tested.
	plain bool
}

func (c *operation) division() bool {
	return slices.Contains([]string{"UDIV", "SDIV", "UREM", "SREM"}, c.op)
}

// types are the instruction's type parameters.
func (c *operation) types(b *bundle) string {
	switch {
	case c.op == "SELECT":
		return b.typeOf(c.args[0]) + " " + b.typeOf(c.args[1])
	case len(c.args) == 1:
		return b.typeOf(c.args[0]) + " " + b.typeOf(c.res)
	}
	return b.typeOf(c.args[0])
}

// shapes names the types of operands and result.
func (c *operation) shapes() string {
	n := ""
	for _, s := range c.args {
		n += s.name() + "_"
	}
	return n + "to_" + c.res.name()
}

// result is the result of the operation; ok is false if it continues exceptionally.
func (c *operation) result(args []value) (v value, ok bool) {
	for i := range c.res.count() {
		var lane []*big.Int
		for j, a := range args {
			if c.args[j].lanes == 0 {
				lane = append(lane, a[0])
			} else {
				lane = append(lane, a[i])
			}
		}
		r, ok := c.eval(lane)
		if !ok {
			return nil, false
		}
		v = append(v, r)
	}
	return v, true
}

// widths are all from 1 to 65 and some up to 128, and those of conversions.
func widths() (all, some []uint) {
	for n := uint(1); n <= 65; n++ {
		all = append(all, n)
	}
	return append(all, 66, 71, 72, 80, 95, 96, 97, 100, 112, 120, 126, 127, 128),
		[]uint{1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 52, 63, 64, 65, 72, 96, 100, 127, 128}
}

// operations lists the tested operations, for integers of the widths in all; conversions are
// from each width in some to each.
func operations(r *rand.Rand, all, some []uint) []*operation {
	var list []*operation
	add := func(op string, res shape, eval evalFunc, args ...shape) *operation {
		c := &operation{op: op, args: args, res: res, eval: eval}
		list = append(list, c)
		return c
	}
	bit := intShape(1)
	// lanes adds the operation on vectors of n lanes to one on scalars.
	lanes := func(c *operation, n int) {
		v := *c
		v.args, v.res = nil, c.res.vector(n)
		for _, s := range c.args {
			v.args = append(v.args, s.vector(n))
		}
		list = append(list, &v)
	}
	vectors := map[uint]int{1: 5, 3: 4, 8: 3, 13: 2, 16: 8, 32: 4, 33: 3, 64: 2, 65: 1, 100: 3, 128: 2}
	for _, n := range all {
		s := intShape(n)
		for _, op := range intOps {
			c := add(op, s, intOp(op, n), s, s)
			c.plain = !slices.Contains(some, n)
			if strings.HasPrefix(op, "SH") || strings.HasSuffix(op, "SHR") {
				c.second = append(counts(n), edges(s, r)...)
			}
			if vectors[n] > 0 {
				lanes(c, vectors[n])
			}
		}
		for _, op := range intComparisons {
			c := add(op, bit, intComparison(op, n), s, s)
			c.plain = !slices.Contains(some, n)
			if vectors[n] > 0 {
				lanes(c, vectors[n])
			}
		}
		for _, fp := range []shape{float32Shape, float64Shape} {
			for _, op := range []string{"FPTOUI", "FPTOSI"} {
				c := add(op, s, convert(op, fp, s), fp)
				c.first = toInt(fp, n)
				if vectors[n] > 0 {
					lanes(c, vectors[n])
				}
			}
			for _, op := range []string{"UITOFP", "SITOFP"} {
				c := add(op, fp, convert(op, s, fp), s)
				c.first = toFP(s, r)
				if vectors[n] > 0 {
					lanes(c, vectors[n])
				}
			}
		}
	}
	for i, n := range some {
		for j, m := range some[i+1:] {
			a, b := intShape(n), intShape(m)
			for _, op := range []string{"ZEXT", "SEXT"} {
				c := add(op, b, convert(op, a, b), a)
				if (i+j)%7 == 0 {
					lanes(c, 1+(i+j)%5)
				}
			}
			c := add("TRUNC", a, convert("TRUNC", b, a), b)
			if (i+j)%7 == 0 {
				lanes(c, 1+(i+j)%5)
			}
		}
		s := intShape(n)
		for _, p := range []shape{ptrShape, funcShape} {
			c := add("PTRCAST", p, convert("PTRCAST", s, p), s)
			d := add("PTRCAST", s, convert("PTRCAST", p, s), p)
			if n%16 == 0 {
				lanes(c, 2)
				lanes(d, 2)
			}
		}
	}
	add("PTRCAST", funcShape, convert("PTRCAST", ptrShape, funcShape), ptrShape)
	add("PTRCAST", ptrShape, convert("PTRCAST", funcShape, ptrShape), funcShape)
	for _, p := range []shape{ptrShape, funcShape} {
		for _, op := range intComparisons {
			lanes(add(op, bit, intComparison(op, 64), p, p), 3)
		}
	}
	for _, s := range []shape{float32Shape, float64Shape} {
		for _, op := range fpOps {
			c := add(op, s, fpOp(op, s.kind), s, s)
			lanes(c, 1)
			lanes(c, 3)
			lanes(c, 4)
		}
		for _, op := range fpComparisons {
			c := add(op, bit, fpComparison(op, s.kind), s, s)
			lanes(c, 2)
			lanes(c, 4)
		}
	}
	lanes(add("FPTRUNC", float32Shape, convert("FPTRUNC", float64Shape, float32Shape), float64Shape), 3)
	lanes(add("FPEXT", float64Shape, convert("FPEXT", float32Shape, float64Shape), float32Shape), 3)
	for _, x := range [][2]shape{{float32Shape, intShape(32)}, {float64Shape, intShape(64)}} {
		for _, y := range [][2]shape{x, {x[1], x[0]}} {
			c := add("BITCAST", y[1], convert("BITCAST", y[0], y[1]), y[0])
			c.bits = true
			lanes(c, 4)
		}
	}
	choices := []shape{float32Shape, float64Shape, ptrShape, funcShape}
	for _, n := range some {
		choices = append(choices, intShape(n))
	}
	for i, s := range choices {
		c := add("SELECT", s, always(selectOne), bit, s, s)
		c.bits = true
		lanes(c, 1+i%4)
		w := add("SELECT", s.vector(2+i%3), always(selectOne), bit, s.vector(2+i%3), s.vector(2+i%3))
		w.bits = true
	}
	return list
}

// A group has operations with the same types. One function applies all of them.
type group []*operation

// groups sorts operations into groups, divisions apart.
func groups(list []*operation) []group {
	var gs []group
	index := map[string]int{}
	for _, c := range list {
		key := fmt.Sprint(c.shapes(), c.division())
		i, ok := index[key]
		if !ok {
			i = len(gs)
			index[key] = i
			gs = append(gs, nil)
		}
		gs[i] = append(gs[i], c)
	}
	return gs
}

func (g group) name() string {
	if g[0].division() {
		return "div_" + g[0].shapes()
	}
	return "op_" + g[0].shapes()
}

// choices are the scalar operands to try at a place.
func (g group) choices(i int, r *rand.Rand) []*big.Int {
	list := edges(g[0].args[i].elem(), r)
	for _, c := range g {
		list = append(list, [][]*big.Int{c.first, c.second, nil}[i]...)
	}
	return distinct(list)
}

// gather makes vectors of consecutive scalars.
func gather(s shape, x []*big.Int, at int) value {
	v := make(value, s.count())
	for i := range v {
		v[i] = x[(at+i)%len(x)]
	}
	return v
}

// functions are the functions for a group: one with variable operands and one with some or
// all of them constant.
func (g group) functions(r *rand.Rand) []*function {
	args := g[0].args
	all := make([][]*big.Int, len(args))
	var vars []source
	for i := range all {
		all[i] = g.choices(i, r)
		vars = append(vars, source{param: i})
	}
	// constant is the j-th constant for an operand: one of the usual edges, or a random one.
	constant := func(i, j int) source {
		if j >= 5 {
			j = r.IntN(len(all[i]))
		}
		return source{konst: gather(args[i], all[i], j)}
	}
	v := &function{name: g.name() + "_v", args: args, res: g[0].res}
	k := &function{name: g.name() + "_k", args: args, res: g[0].res}
	for _, c := range g {
		v.apps = append(v.apps, application{c, vars})
		constants, folded := 6, 9
		if c.plain || c.args[0].lanes > 0 {
			constants, folded = 2, 3
		}
		if len(args) == 1 {
			constants, folded = 0, 12
		}
		for i := range args {
			for range constants {
				from := slices.Clone(vars)
				from[i] = constant(i, r.IntN(7))
				k.apps = append(k.apps, application{c, from})
			}
		}
		for j := range folded {
			var from []source
			for i := range args {
				if len(args) > 1 {
					j = r.IntN(8)
				}
				from = append(from, constant(i, j))
			}
			k.apps = append(k.apps, application{c, from})
		}
	}
	if len(args) == 1 {
		for i := range all[0] {
			v.rows = append(v.rows, []value{gather(args[0], all[0], i)})
		}
		k.rows = [][]value{nil}
		return []*function{v, k}
	}
	// The last two operands go through all pairs.
	last := len(args) - 1
	x, y := all[last-1], all[last]
	for i := range x {
		for j := range y {
			row := []value{gather(args[last-1], x, i), gather(args[last], y, j)}
			if last == 2 {
				row = append([]value{gather(args[0], all[0], r.IntN(4))}, row...)
			}
			v.rows = append(v.rows, row)
		}
	}
	for i := range 24 {
		row := make([]value, len(args))
		for j := range row {
			row[j] = gather(args[j], all[j], (i+j)*(1+3*j))
		}
		k.rows = append(k.rows, row)
	}
	return []*function{v, k}
}

// divisions are functions that divide by zero without an exception clause.
func (c *operation) divisions() []*function {
	ones := gather(c.args[0], []*big.Int{big.NewInt(1)}, 0)
	zeros := gather(c.args[1], []*big.Int{big.NewInt(1), new(big.Int)}, 1)
	zero := source{konst: zeros}
	name := strings.ToLower(c.op) + "_" + c.shapes()
	f := func(suffix string, x, y source, rows ...[]value) *function {
		return &function{name: name + suffix, args: c.args, res: c.res, throws: true, apps: []application{{c, []source{x, y}}}, rows: rows}
	}
	return []*function{
		f("_zv", source{param: 0}, source{param: 1}, []value{ones, ones}, []value{ones, zeros}),
		f("_zk", source{param: 0}, zero, []value{ones}),
		f("_zz", source{konst: ones}, zero, nil),
	}
}

// TestCompiledOperations runs every arithmetic operation, comparison and conversion
// (docs/language.md, "Numbers") as compiled code, with the optimising passes, on operands at the
// edges of their types, and compares with big integers and exact fractions. There is a width that fills what represents
// the integer and one that does not, and integers of two words.
func TestCompiledOperations(t *testing.T) {
	compileOperations(t, []uint{1, 13, 32, 64, 65}, []uint{1, 33, 64, 100}, 1)
}

// TestLongCompiledOperations does the same for all widths, without and with the optimising passes, and
// with words of 32 bits.
func TestLongCompiledOperations(t *testing.T) {
	longtest.Only(t)
	all, some := widths()
	compileOperations(t, all, some, 0, 1)
}

func compileOperations(t *testing.T, all, some []uint, levels ...int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	b := newBundle()
	var funcs []*function
	ops := operations(r, all, some)
	for _, g := range groups(ops) {
		funcs = append(funcs, g.functions(r)...)
	}
	for _, c := range ops {
		if c.division() && !c.plain {
			funcs = append(funcs, c.divisions()...)
		}
	}
	for _, f := range funcs {
		b.function(f)
	}
	dir := t.TempDir()
	if err := transpile.WriteModule(dir, "opstest", nil, uvm2go.Runtime); err != nil {
		t.Fatal(err)
	}
	text := []byte(b.text())
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=-dwarf=false", "-o", dir+string(filepath.Separator)+"bin"+string(filepath.Separator))
	for _, level := range levels {
		write(t, dir, level, text, funcs)
		build.Args = append(build.Args, fmt.Sprintf("./level%d", level))
	}
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -trimpath -ldflags=-s", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.4000s", err, out)
	}
	wants := make([][]answer, len(funcs))
	for i, f := range funcs {
		wants[i] = f.answers()
	}
	for _, level := range levels {
		run(t, filepath.Join(dir, "bin", fmt.Sprintf("level%d", level)), fmt.Sprintf("-O%d", level), funcs, wants)
	}
	if len(levels) < 2 || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return
	}
	// The same machine with words of 32 bits. Addresses have other values there.
	exe := filepath.Join(dir, "bin", "level1.386")
	build = exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=-dwarf=false", "-o", exe, "./level1")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -trimpath -ldflags=-s", "CGO_ENABLED=0", "GOARCH=386")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("GOARCH=386: %v\n%.4000s", err, out)
	}
	for i, f := range funcs {
		if slices.ContainsFunc(append([]shape{f.res}, f.args...), shape.address) {
			wants[i] = nil
		}
	}
	run(t, exe, "GOARCH=386", funcs, wants)
}

// write makes the program of a level.
func write(t *testing.T, dir string, level int, text []byte, funcs []*function) {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{{Name: "ops.uir", Text: text}},
		transpile.Options{Optimize: level, Package: "ops", Strict: true})
	if p == nil {
		var b strings.Builder
		diags.Print(&b)
		t.Fatal(b.String())
	}
	files, err := p.Generate()
	if err != nil {
		t.Fatal(err)
	}
	sub := fmt.Sprintf("level%d", level)
	ops := filepath.Join(dir, sub, "ops")
	if err := os.MkdirAll(ops, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(ops, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	main := driver("opstest/"+sub+"/ops", funcs)
	if err := os.WriteFile(filepath.Join(dir, sub, "main.go"), []byte(main), 0o666); err != nil {
		t.Fatal(err)
	}
}

// An answer is the outcome of one application to one row.
type answer struct {
	v  value
	ok bool
}

// answers are the expected answers by docs/language.md, "Numbers", row by row.
func (f *function) answers() []answer {
	var list []answer
	for _, row := range f.rows {
		for _, a := range f.apps {
			v, ok := a.c.result(a.operands(row))
			list = append(list, answer{v, ok})
		}
	}
	return list
}

// operands are those of an application in a row.
func (a application) operands(row []value) []value {
	var list []value
	for _, s := range a.from {
		if s.konst != nil {
			list = append(list, s.konst)
		} else {
			list = append(list, row[s.param])
		}
	}
	return list
}

// run calls all functions for which there are answers and compares.
func run(t *testing.T, exe, way string, funcs []*function, wants [][]answer) {
	var in bytes.Buffer
	for i, f := range funcs {
		if wants[i] == nil {
			continue
		}
		offsets, size := f.row()
		rows := make([]byte, size*len(f.rows))
		for j, row := range f.rows {
			for k, at := range offsets {
				encode(rows[j*size+at:], f.args[k], row[k], []byte{0, 0xff, 0xa5}[j%3])
			}
		}
		n := len(wants[i])
		binary.Write(&in, binary.LittleEndian, []uint32{uint32(i), uint32(len(f.rows)), uint32(len(rows)), uint32(n * f.res.size()), uint32(n)})
		in.Write(rows)
	}
	cmd := exec.Command(exe)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = &in, &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReaderSize(pipe, 1<<20)
	compared, wrong := 0, 0
	for i, f := range funcs {
		if wants[i] == nil {
			continue
		}
		n := len(wants[i])
		var length uint32
		if err := binary.Read(out, binary.LittleEndian, &length); err != nil {
			cmd.Wait()
			t.Fatalf("%s: %s: %v\n%s", way, f.name, err, stderr.String())
		}
		msg, res, flags := make([]byte, length), make([]byte, n*f.res.size()), make([]byte, n)
		for _, b := range [][]byte{msg, res, flags} {
			if _, err := io.ReadFull(out, b); err != nil {
				t.Fatal(err)
			}
		}
		if w := f.compare(string(msg), res, flags, wants[i]); len(w) > 0 {
			wrong++
			if wrong <= 40 {
				t.Errorf("%s: %s: %d of %d wrong\n\t%s", way, f.name, len(w), n, strings.Join(w[:min(3, len(w))], "\n\t"))
			}
		}
		compared += n
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s: %v\n%s", way, err, stderr.String())
	}
	t.Logf("%s: %d functions, %d results, %d functions wrong", way, len(funcs), compared, wrong)
}

// compare returns the errors in the results of a function.
func (f *function) compare(msg string, res, flags []byte, want []answer) []string {
	var wrong []string
	step := f.res.size()
	for i, w := range want {
		row, app := f.rows[i/len(f.apps)], f.apps[i%len(f.apps)]
		if f.throws && !w.ok {
			// The program ends at the error.
			if !strings.HasPrefix(msg, "run-time error: DIV_BY_ZERO ") {
				wrong = append(wrong, fmt.Sprintf("%s %v: %q, want DIV_BY_ZERO", app.c.op, app.operands(row), msg))
			}
			return wrong
		}
		got := answer{decode(res[i*step:], f.res), true}
		if f.divides() && !f.throws {
			got.ok = flags[i] == 1
			if flags[i] != 1 && flags[i] != 2 {
				wrong = append(wrong, fmt.Sprintf("%s %v: flag %d", app.c.op, app.operands(row), flags[i]))
				continue
			}
		}
		if !app.c.same(got, w) {
			wrong = append(wrong, fmt.Sprintf("%s %v = %v %t, want %v %t", app.c.op, app.operands(row), got.v, got.ok, w.v, w.ok))
		}
	}
	if msg != "" {
		wrong = append(wrong, msg)
	}
	return wrong
}

// same reports whether an answer is right.
func (c *operation) same(got, want answer) bool {
	if got.ok != want.ok {
		return false
	}
	for i, w := range want.v {
		if got.v[i].Cmp(w) == 0 {
			continue
		}
		if c.bits || !c.res.fp() || !formats[c.res.kind].isNaN(w) || !formats[c.res.kind].isNaN(got.v[i]) {
			return false
		}
	}
	return true
}
