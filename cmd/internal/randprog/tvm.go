package randprog

import (
	"fmt"
	"math/rand"
	"strings"
)

// Programs in TVM. They are made of structured statements in SSA form over values of all types that have
// values, also of types that are parameters. The behaviour of a program depends on one stream of random
// numbers, its spelling on another: values take detours, types have names or not, functions with type
// parameters are called, or copies of them with the types substituted. So two spellings of a seed
// behave the same, and a fault of the reader shows even without a second implementation.
//
// A counter, the fuel of the program, which calls of functions that call others decrement, bounds the
// number of calls.

// HeadTVM begins the text of programs in TVM.
const HeadTVM = "// TVM"

// GenerateTVM makes the program of a seed in TVM. Its names begin with the prefix, with % instead of @.
func GenerateTVM(seed int64, prefix string) Program { return SpellTVM(seed, seed, prefix) }

// SpellTVM is like GenerateTVM, in a given spelling. Programs for whose seeds RiskyTVM is true have only one.
func SpellTVM(seed, spelling int64, prefix string) Program {
	s := rand.New(rand.NewSource(^spelling))
	g := &tvmGen{r: rand.New(rand.NewSource(seed)), s: &tvmSpelling{s.Intn}, global: "%" + prefix[1:], risky: RiskyTVM(seed), schemas: map[string]*tvmType{}, callbacks: map[string]string{}}
	if g.risky {
		g.s.next = func(int) int { return 0 }
	}
	fmt.Fprintf(&g.out, "// seed %d\n", seed)
	g.program()
	return Program{Seed: seed, Prefix: prefix, Text: g.out.String(), Run: g.global + "run", Kind: TVM}
}

// RiskyTVM reports whether the program of a seed may divide by zero.
func RiskyTVM(seed int64) bool { return seed%8 == 3 }

// tvmShow holds the functions with which all programs print.
const tvmShow = `%putchar = import function (i32) > i32;
%puts = import function (pointer i8) > i32;
%digits = function (%n : ui64) > empty {
  %tens = div %n #ul10;
  cond_br (cmp_eq %tens #ul0) %last %front;
block %front:
  call %digits %tens;
  br %last;
block %last:
  call %putchar (bitcast (add #ul48 (sub %n (mul %tens #ul10))) i32);
  return empty_v;
};
%show = function (%n : ui64) > empty {
  call %digits %n;
  call %putchar #i10;
  return empty_v;
};
`

// bundleTVM is Bundle for programs in TVM: it skips as many programs as there are arguments.
func bundleTVM(ps []Program) string {
	var b strings.Builder
	b.WriteString(HeadTVM + "\n" + tvmShow)
	for _, p := range ps {
		b.WriteString(p.Text)
	}
	for i, p := range ps {
		text := "trap " + p.Prefix[1:] + "start\x00"
		fmt.Fprintf(&b, "%%start%d = global const (array i8 #up%d) (array_v i8", i, len(text))
		for _, c := range []byte(text) {
			fmt.Fprintf(&b, " #b%d", c)
		}
		b.WriteString(");\n")
	}
	b.WriteString("%main = function (%argc : i32, %argv : pointer (pointer i8)) > i32 {\n")
	for i, p := range ps {
		fmt.Fprintf(&b, "  cond_br (cmp_gt %%argc #i%d) %%next%d %%run%d;\nblock %%run%d:\n  call %%puts (array_ep %%start%d #up0);\n  call %s;\n  br %%next%d;\nblock %%next%d:\n", i+1, i, i, i, i, p.Run, i, i)
	}
	b.WriteString("  return #i0;\n};\n")
	return b.String()
}

// A tvmGen makes one program.
type tvmGen struct {
	r           *rand.Rand
	s           *tvmSpelling
	global      string // the beginning of names
	out         strings.Builder
	n           int
	risky       bool
	types       []*tvmType // closed ones that are used often
	schemas     map[string]*tvmType
	schemaNames []string
	cells       []tvmPtr
	funcs       []*tvmFunc
	callbacks   map[string]string // by the key of their type
}

func (g *tvmGen) oneOf(words ...string) string { return words[g.r.Intn(len(words))] }

// freshGlobal returns a new name for a global.
func (g *tvmGen) freshGlobal(kind string) string {
	g.n++
	return fmt.Sprintf("%s%s%d", g.global, kind, g.n)
}

func (g *tvmGen) program() {
	g.support()
	for range g.r.Intn(3) {
		name := g.freshGlobal("s")
		t := &tvmType{kind: tvmStruct}
		for range 1 + g.r.Intn(3) {
			t.parts = append(t.parts, g.prim())
		}
		t.parts[g.r.Intn(len(t.parts))] = &tvmType{kind: tvmVar, name: "%a"}
		if g.r.Intn(3) == 0 {
			t.parts = append(t.parts, &tvmType{kind: tvmArray, parts: []*tvmType{{kind: tvmVar, name: "%a"}}, n: tvmLen{lit: 2}})
		}
		fmt.Fprintf(&g.out, "%s = recursive (%%a : type) > %s;\n", name, t.text(g.s))
		g.schemas[name] = t
		g.schemaNames = append(g.schemaNames, name)
	}
	for range 3 + g.r.Intn(4) {
		t := g.newType(g.types, nil, 2)
		if t.kind != tvmPrim && t.alias == "" {
			name := g.freshGlobal("t")
			fmt.Fprintf(&g.out, "%s = define %s;\n", name, t.text(g.s))
			t.alias = name
		}
		g.types = append(g.types, t)
	}
	for i := range 4 + g.r.Intn(4) {
		t, name := g.intType(), g.freshGlobal("g")
		if i > 2 {
			t = g.types[g.r.Intn(len(g.types))]
		}
		init := ""
		if g.r.Intn(3) > 0 {
			init = " " + g.constant(t)
		}
		fmt.Fprintf(&g.out, "%s = global %s%s;\n", name, t.text(g.s), init)
		g.cells = append(g.cells, tvmPtr{t, tvmLen{lit: 1}, name})
	}
	for range 2 + g.r.Intn(5) {
		g.function(g.r.Intn(2) == 0)
	}
	var specials []string
	for _, make := range tvmSpecials {
		if g.r.Intn(3) == 0 {
			specials = append(specials, make(g))
		}
	}
	b := g.body()
	b.put("store #ui200 %sfuel", g.global)
	b.calls = true
	s := b.scope()
	for _, f := range g.funcs {
		if f.generic() {
			continue
		}
		for range 2 {
			n := len(b.vals)
			b.call(f)
			if len(b.vals) > n {
				b.shows(b.vals[n].t, b.vals[n].text, 30)
			}
			b.leave(s)
		}
	}
	for _, f := range specials {
		v := b.fresh("v")
		b.put("%s = call %s", v, f)
		b.shows(tvmI64, v, 1)
	}
	for _, c := range g.cells {
		v := b.fresh("v")
		b.put("%s = load %s", v, c.text)
		b.shows(c.t, v, 20)
	}
	b.put("return empty_v")
	fmt.Fprintf(&g.out, "%srun = function () > empty {\n%s};\n", g.global, b.out.String())
}

// support writes the definitions that detours of values use.
func (g *tvmGen) support() {
	fmt.Fprintf(&g.out, `%[1]sfuel = global ui32;
%[1]sid = function (%%t : type, %%v : %%t) > %%t { return %%v; };
%[1]spick = function (%%t : type, %%c : bool, %%a : %%t, %%b : %%t) > %%t {
  cond_br %%c %%yes %%no;
block %%yes:
  br %%end;
block %%no:
  br %%end;
block %%end:
  %%r = phi %%t: %%yes > %%a, %%no > %%b;
  return %%r;
};
%[1]stype = function (%%c : bool, %%t : type, %%u : type) > type {
  cond_br %%c %%yes %%no;
block %%yes:
  return %%t;
block %%no:
  return %%u;
};
`, g.global)
}
