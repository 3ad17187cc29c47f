// Package synth writes large Mu bundles of the shape that compilers for dynamic
// languages emit: thousands of functions over thousands of nested structures,
// blocks that pass all their live variables along, address arithmetic, calls. They
// are valid, and their @main runs a part of them; the results have no meaning.
// Measurements of the translator use them.
package synth

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
)

// Shape tells how many definitions of each kind a bundle has.
type Shape struct {
	Structs   int // structure types
	Functions int
	// Blocks and Insts are averages, per function and per block.
	Blocks, Insts int
	Natives       int // declared native functions
	Seed          uint64
}

// Full is the shape of an interpreter for a whole language: some 600,000 instructions.
var Full = Shape{Structs: 6600, Functions: 9600, Blocks: 8, Insts: 2, Natives: 166, Seed: 1}

// Scale shrinks or grows a shape.
func (s Shape) Scale(f float64) Shape {
	mul := func(n int) int { return max(4, int(float64(n)*f)) }
	s.Structs, s.Functions, s.Natives = mul(s.Structs), mul(s.Functions), mul(s.Natives)
	return s
}

type gen struct {
	w    *bufio.Writer
	r    *rand.Rand
	s    Shape
	name []string // of structures, without '@'
	next int      // for variable names
}

// Write writes a bundle.
func Write(w io.Writer, s Shape) error {
	g := &gen{w: bufio.NewWriterSize(w, 1<<16), r: rand.New(rand.NewPCG(s.Seed, 7)), s: s}
	g.types()
	for i := range s.Functions {
		g.function(i)
	}
	g.main()
	return g.w.Flush()
}

func (g *gen) p(format string, args ...any) { fmt.Fprintf(g.w, format, args...) }

func (g *gen) types() {
	g.p(".typedef @i1 = int<1>\n.typedef @i8 = int<8>\n.typedef @i32 = int<32>\n.typedef @i64 = int<64>\n.typedef @dbl = double\n.typedef @void = void\n.typedef @void.ref = ref<@void>\n")
	g.p(".typedef @bytes = hybrid<@i64 @i64 @i8>\n.typedef @bytes.ref = ref<@bytes>\n.typedef @bytes.iref = iref<@bytes>\n.typedef @i8.iref = iref<@i8>\n")
	for i := range 64 {
		g.p(".const @c%d_i64 <@i64> = %d\n", i, i)
	}
	g.p(".const @c0_i8 <@i8> = 0\n")
	for i := range g.s.Structs {
		name := fmt.Sprintf("stt_rpy_object.%d", i)
		g.name = append(g.name, name)
		// A header nested up to eleven deep, numbers, and references.
		first := "@i64"
		if i > 0 && i%12 != 0 {
			first = "@" + g.name[i-1]
		}
		g.p(".typedef @%s = struct<%s @i64 @%s.ref @bytes.ref @dbl @i32>\n", name, first, g.pickLater(i))
		g.p(".typedef @%s.ref = ref<@%s>\n", name, name)
	}
	g.p(".typedef @vt = struct<@i64 @fn.ref @fn.ref>\n.typedef @vt.iref = iref<@vt>\n")
	g.p(".funcsig @fn.sig = (@void.ref @i64) -> (@i64)\n.typedef @fn.ref = funcref<@fn.sig>\n")
	g.p(".global @vtable <@vt>\n.global @counter <@i64>\n")
	for i := range g.s.Natives {
		g.p(".funcsig @nat%d.sig = (@i64) -> (@i64)\n.typedef @nat%d.fp = ufuncptr<@nat%d.sig>\n", i, i, i)
		g.p(".const @nat%d <@nat%d.fp> = EXTERN \"labs\"\n", i, i)
	}
}

func (g *gen) pickLater(i int) string {
	return fmt.Sprintf("stt_rpy_object.%d", g.r.IntN(g.s.Structs))
}

// vars are the visible variables of a block, by type.
type vars struct {
	ints []string
	refs []string // of structure st
	st   int
}

func (g *gen) fresh(prefix string) string {
	g.next++
	return fmt.Sprintf("%%%s_%d", prefix, g.next)
}

// params returns the parameter list and the argument list that pass v from block to block.
func (v *vars) params(g *gen) (params, args string) {
	for _, x := range v.refs {
		params += fmt.Sprintf("<@%s.ref> %s ", g.name[v.st], x)
		args += x + " "
	}
	for _, x := range v.ints {
		params += fmt.Sprintf("<@i64> %s ", x)
		args += x + " "
	}
	return
}

func (g *gen) function(n int) {
	g.next = 0
	st := g.r.IntN(g.s.Structs)
	blocks := 1 + g.r.IntN(2*g.s.Blocks)
	if g.r.IntN(200) == 0 {
		blocks = 250
	}
	g.p("\n.funcdef @pypy_fn_%d VERSION %%v1 <@fn.sig> {\n", n)
	g.p("    %%entry(<@void.ref> %%o <@i64> %%n):\n        %%x = REFCAST <@void.ref @%s.ref> %%o\n        %%stop = SLE <@i64> %%n @c0_i64\n", g.name[st])
	g.p("        BRANCH2 %%stop %%leave(%%n) %%b0(%%x %%n)\n")
	g.p("    %%leave(<@i64> %%n):\n        RET %%n\n")
	v := vars{st: st, refs: []string{"%x"}, ints: []string{"%n"}}
	// Most blocks continue with the next one; some have a second exit to a later
	// block, and some loop back once, decrementing %n.
	for b := range blocks {
		params, _ := v.params(g)
		g.p("    %%b%d(%s):\n", b, params)
		w := vars{st: v.st, refs: append([]string(nil), v.refs...), ints: append([]string(nil), v.ints...)}
		g.body(n, &w)
		_, args := v.params(g) // pass the old values to joins, so that the types agree
		last := b == blocks-1
		switch {
		case last:
			g.p("        RET %s\n", w.ints[len(w.ints)-1])
		case b%3 == 0 && b+2 < blocks:
			c := g.fresh("c")
			g.p("        %s = SGT <@i64> %s @c%d_i64\n", c, w.ints[len(w.ints)-1], g.r.IntN(64))
			g.p("        BRANCH2 %s %%b%d(%s) %%b%d(%s)\n", c, b+1, args, b+2, args)
			// Both targets receive the variables of this block.
		default:
			g.p("        BRANCH %%b%d(%s)\n", b+1, args)
		}
	}
	g.p("}\n")
}

// body writes the instructions of a block, in a typical mix.
func (g *gen) body(self int, v *vars) {
	n := 1 + g.r.IntN(2*g.s.Insts)
	pick := func(l []string) string { return l[g.r.IntN(len(l))] }
	for range n {
		switch k := g.r.IntN(100); {
		case k < 38: // load a field
			st := g.name[v.st]
			ir, f, x := g.fresh("ir"), g.fresh("f"), g.fresh("v")
			g.p("        %s = GETIREF <@%s> %s\n        %s = GETFIELDIREF <@%s 1> %s\n        %s = LOAD <@i64> %s\n", ir, st, pick(v.refs), f, st, ir, x, f)
			v.ints = append(v.ints, x)
		case k < 52: // store a field
			st := g.name[v.st]
			ir, f := g.fresh("ir"), g.fresh("f")
			g.p("        %s = GETIREF <@%s> %s\n        %s = GETFIELDIREF <@%s 1> %s\n        STORE <@i64> %s %s\n", ir, st, pick(v.refs), f, st, ir, f, pick(v.ints))
		case k < 62: // call
			o, m, x := g.fresh("o"), g.fresh("m"), g.fresh("r")
			g.p("        %s = REFCAST <@%s.ref @void.ref> %s\n        %s = SUB <@i64> %s @c1_i64\n", o, g.name[v.st], pick(v.refs), m, pick(v.ints))
			callee := g.r.IntN(max(1, self))
			g.p("        %s = CALL <@fn.sig> @pypy_fn_%d (%s %s)\n", x, callee, o, m)
			v.ints = append(v.ints, x)
		case k < 64: // call through a table
			f, p, o, x := g.fresh("f"), g.fresh("p"), g.fresh("o"), g.fresh("r")
			g.p("        %s = GETFIELDIREF <@vt 1> @vtable\n        %s = LOAD <@fn.ref> %s\n        %s = REFCAST <@%s.ref @void.ref> %s\n", f, p, f, o, g.name[v.st], pick(v.refs))
			g.p("        %s = CALL <@fn.sig> %s (%s @c0_i64)\n", x, p, o)
			v.ints = append(v.ints, x)
		case k < 72: // byte of a string
			r, i, b, e, c, x := g.fresh("s"), g.fresh("i"), g.fresh("b"), g.fresh("e"), g.fresh("ch"), g.fresh("z")
			g.p("        %s = NEWHYBRID <@bytes @i64> @c%d_i64\n        %s = GETIREF <@bytes> %s\n        %s = GETVARPARTIREF <@bytes> %s\n", r, 8+g.r.IntN(40), i, r, b, i)
			g.p("        %s = SHIFTIREF <@i8 @i64> %s @c%d_i64\n        %s = LOAD <@i8> %s\n        %s = ZEXT <@i8 @i64> %s\n", e, b, g.r.IntN(8), c, e, x, c)
			v.ints = append(v.ints, x)
		case k < 76: // allocate
			x := g.fresh("new")
			g.p("        %s = NEW <@%s>\n", x, g.name[v.st])
			v.refs = append(v.refs, x)
		case k < 78: // native
			x := g.fresh("nat")
			i := g.r.IntN(g.s.Natives)
			g.p("        %s = CCALL #DEFAULT <@nat%d.fp @nat%d.sig> @nat%d (%s)\n", x, i, i, i, pick(v.ints))
			v.ints = append(v.ints, x)
		default:
			x := g.fresh("a")
			op := []string{"ADD", "SUB", "XOR", "MUL", "AND"}[g.r.IntN(5)]
			g.p("        %s = %s <@i64> %s %s\n", x, op, pick(v.ints), pick(v.ints))
			v.ints = append(v.ints, x)
		}
	}
}

func (g *gen) main() {
	g.p("\n.funcsig @main.sig = () -> (@i32)\n.const @zero <@i32> = 0\n")
	g.p(".funcdef @main VERSION %%v1 <@main.sig> {\n    %%entry():\n")
	g.p("        %%f = GETFIELDIREF <@vt 1> @vtable\n        STORE <@fn.ref> %%f @pypy_fn_0\n")
	g.p("        %%o = NEW <@%s>\n        %%v = REFCAST <@%s.ref @void.ref> %%o\n", g.name[0], g.name[0])
	g.p("        %%r = CALL <@fn.sig> @pypy_fn_%d (%%v @c1_i64)\n        [@synth.done] TRAP <> KEEPALIVE(%%r)\n        RET @zero\n}\n", min(40, g.s.Functions-1))
}
