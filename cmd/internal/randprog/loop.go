package randprog

import (
	"fmt"
	"math/rand"
	"strings"
)

// Counting loops over arrays of structs, as front ends write them: indices and
// products that change by the same amount in each iteration, in loops without calls.
// They draw from their own source of random numbers, so that the rest of a program
// is the same as without them.

// A looper writes one function with a loop.
type looper struct {
	g    *gen
	r    *rand.Rand
	b    strings.Builder
	n    int
	acc  string // the variable with what the iteration has computed so far
	elem *typ
}

func (l *looper) def(format string, args ...any) string {
	l.n++
	x := fmt.Sprintf("%%t%d", l.n)
	fmt.Fprintf(&l.b, "    %s = %s\n", x, fmt.Sprintf(format, args...))
	return x
}

// mix combines an int<64> with the value that the iteration computes. The
// operations cannot be removed from a loop.
func (l *looper) mix(x string) {
	t := l.g.int(64).name
	y := l.def("LSHR <%s> %s %s", t, l.acc, l.g.num(l.g.int(64), int64(1+l.r.Intn(20))))
	z := l.def("XOR <%s> %s %s", t, y, l.acc)
	w := l.def("MUL <%s> %s %s", t, z, l.g.num(l.g.int(64), 31))
	l.acc = l.def("XOR <%s> %s %s", t, w, x)
}

// index computes %i*c + d in one of several ways.
func (l *looper) index(c, d int) string {
	g := l.g
	i64 := g.int(64)
	x := "%i"
	switch {
	case c == 2 && l.r.Intn(2) == 0:
		x = l.def("SHL <%s> %s %s", i64.name, x, g.num(i64, 1))
	case c == -1:
		x = l.def("SUB <%s> %s %s", i64.name, g.num(i64, int64(d)), x)
		d = 0
	case c != 1:
		x = l.def("MUL <%s> %s %s", i64.name, x, g.num(i64, int64(c)))
	}
	if d != 0 {
		if l.r.Intn(2) == 0 {
			return l.def("ADD <%s> %s %s", i64.name, x, g.num(i64, int64(d)))
		}
		return l.def("SUB <%s> %s %s", i64.name, x, g.num(i64, int64(-d)))
	}
	return x
}

// loop writes the function that is the k-th with a loop.
func (g *gen) loop(k int, r *rand.Rand, s *sig) {
	i1, i64 := g.int(1), g.int(64)
	small := g.int([]int{1, 7, 8, 16, 32}[r.Intn(5)])
	l := &looper{g: g, r: r, acc: "%acc"}
	var fields []*typ
	for range 1 + r.Intn(5) {
		fields = append(fields, i64)
	}
	l.elem = g.structOf(fmt.Sprintf("L%d", k), fields...)
	// %i begins with first and changes by step; there are at most 7 iterations.
	first, step := r.Intn(9)-4, []int{1, 1, 1, 2, 3, -1, -2}[r.Intn(7)]
	low := func(c int) int { return min(c*first, c*(first+6*step)) }
	high := func(c int) int { return max(c*first, c*(first+6*step)) }
	const length = 40
	// The array: a cell, or an object.
	array := g.array(l.elem, length)
	cell := fmt.Sprintf("%sl%d.cell", g.prefix, k)
	base, how := cell, ""
	if r.Intn(2) == 0 {
		base, how = "%p", fmt.Sprintf("    %%o = NEWHYBRID <%[1]s %[2]s> %[3]s\n    %%oi = GETIREF <%[1]s> %%o\n    %%p = GETVARPARTIREF <%[1]s> %%oi\n",
			g.hybridOf(fmt.Sprintf("Lh%d", k), 1, l.elem).name, i64.name, g.num(i64, length))
	} else {
		fmt.Fprintf(&g.defs, ".global %s <%s>\n", cell, array.name)
		how = fmt.Sprintf("    %%p = GETELEMIREF <%s %s> %s %s\n", array.name, i64.name, cell, g.num(i64, 0))
	}
	for range 2 + r.Intn(4) {
		switch r.Intn(6) {
		case 0:
			l.mix(l.def("MUL <%s> %%i %%m", i64.name))
		case 1:
			x := l.def("MUL <%s> %%m %s", i64.name, l.index([]int{1, 2, 3, -1}[r.Intn(4)], r.Intn(20)-10))
			op := []string{"ADD", "SUB"}[r.Intn(2)]
			l.mix(l.def("%s <%s> %s %%n", op, i64.name, x))
		case 2:
			x := l.def("MUL <%s> %%j %%q", small.name)
			y := l.def("SUB <%s> %s %%q", small.name, x)
			l.mix(l.def("ZEXT <%s %s> %s", small.name, i64.name, y))
		default:
			c := []int{1, 1, 1, 2, 3, -1}[r.Intn(6)]
			if high(c)-low(c) >= length-3 {
				c = 1
			}
			d := -low(c) + r.Intn(length-(high(c)-low(c)))
			at := l.index(c, d)
			var e string
			if base == cell && r.Intn(2) == 0 {
				e = l.def("GETELEMIREF <%s %s> %s %s", array.name, i64.name, cell, at)
			} else {
				e = l.def("SHIFTIREF <%s %s> %%p %s", l.elem.name, i64.name, at)
			}
			f := l.def("GETFIELDIREF <%s %d> %s", l.elem.name, r.Intn(len(fields)), e)
			if r.Intn(3) > 0 {
				fmt.Fprintf(&l.b, "    STORE <%s> %s %s\n", i64.name, f, l.acc)
			}
			f = l.def("GETFIELDIREF <%s %d> %s", l.elem.name, r.Intn(len(fields)), e)
			l.mix(l.def("LOAD <%s> %s", i64.name, f))
		}
	}
	body := l.b.String()
	name := fmt.Sprintf("%sl%d", g.prefix, k)
	back := "BRANCH %turn(%p %n %m %q %k2 %i2 %j2 " + l.acc + ")"
	if r.Intn(2) == 0 { // a second back edge
		back = fmt.Sprintf("%%odd = TRUNC <%s %s> %s\n    BRANCH2 %%odd %%turn(%%p %%n %%m %%q %%k2 %%i2 %%j2 %s) %%turn(%%p %%n %%m %%q %%k2 %%i2 %%j2 %%k2)", i64.name, i1.name, l.acc, l.acc)
	}
	g.template(`.funcdef {name} VERSION %v1 <{sig}> {
  %entry():
{how}    %m = LOAD <{i64}> {sum}
    %n = AND <{i64}> %m {7}
    %q = TRUNC <{i64} {small}> %m
    BRANCH %turn(%p %n %m %q {0} {first} %q %m)
  %turn(<{I}> %p <{i64}> %n <{i64}> %m <{small}> %q <{i64}> %k <{i64}> %i <{small}> %j <{i64}> %acc):
    %more = ULT <{i64}> %k %n
    BRANCH2 %more %do(%p %n %m %q %k %i %j %acc) %out(%acc)
  %do(<{I}> %p <{i64}> %n <{i64}> %m <{small}> %q <{i64}> %k <{i64}> %i <{small}> %j <{i64}> %acc):
{body}    %k2 = ADD <{i64}> %k {1}
    %i2 = {op} <{i64}> %i {step}
    %j2 = ADD <{small}> %j {one}
    {back}
  %out(<{i64}> %acc):
    STORE <{i64}> {sum} %acc
    RET ()
}
`, map[string]string{
		"name": name, "sig": s.name, "how": how, "i64": i64.name, "small": small.name, "I": g.iref(l.elem).name, "sum": g.sum, "body": body, "back": back,
		"7": g.num(i64, 7), "0": g.num(i64, 0), "1": g.num(i64, 1), "one": g.num(small, 1), "first": g.num(i64, int64(first)),
		"op": map[bool]string{true: "ADD", false: "SUB"}[step > 0], "step": g.num(i64, int64(max(step, -step))),
	})
	g.loops = append(g.loops, name)
}
