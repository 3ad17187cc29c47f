package resume_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/resume"
)

const prelude = `.typedef @i1 = int<1> .typedef @i32 = int<32> .typedef @i64 = int<64> .typedef @stack = stackref .typedef @void = void
.typedef @ref = ref<@void> .typedef @i = iref<@i64> .typedef @i32i = iref<@i32> .typedef @fp = funcref<@v_v> .typedef @pv = ufuncptr<@v_v>
.funcsig @v_v = () -> () .funcsig @s_v = (@stack) -> () .funcsig @si_v = (@stack @i64) -> ()
.const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @32.0 <@i32> = 0 .const @NULL <@ref> = NULL .const @NULLI <@i> = NULL
`

func load(t testing.TB, text string) *ir.Program {
	t.Helper()
	files := diag.NewSet()
	list := diag.NewList(files)
	p, ok := mu.Load(files, []mu.Source{{Name: "t.uir", Text: []byte(text)}}, mu.Options{}, list)
	if !ok {
		t.Fatalf("%v\n%s", list, text)
	}
	return p
}

func function(p *ir.Program, name string) *ir.Function {
	f, _ := p.Entities[name].(*ir.Function)
	return f
}

// summary lists the operations of each reachable block, what SUSPEND keeps, what RELOAD gives back, and where
// each block goes.
func summary(v *ir.Version) string {
	var b strings.Builder
	name := func(id ir.BlockID) string { return strings.TrimPrefix(v.Blocks[id].Name, "%") }
	value := func(x ir.ValueID) string { return strings.TrimLeft(v.Values[x].Name, "%") }
	list := func(l []ir.ValueID) string {
		var s []string
		for _, x := range l {
			s = append(s, value(x))
		}
		return "(" + strings.Join(s, " ") + ")"
	}
	for _, id := range analysis.Order(v) {
		b.WriteString(name(id) + list(v.Blocks[id].Params) + ":")
		for _, i := range v.Blocks[id].Insts {
			in := &v.Insts[i]
			b.WriteString(" " + in.Op.String())
			switch in.Op {
			case ir.OpSuspend:
				b.WriteString(list(in.Keep))
			case ir.OpReload, ir.OpWoken:
				b.WriteString(list(in.Results))
			}
			for _, d := range in.Dests {
				b.WriteString(" " + name(d.Block) + list(d.Args))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestBody shows what becomes of bodies.
func TestBody(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		polls      bool
		want       string
	}{
		{"a generator", `.funcdef @f VERSION %v <@si_v> { %e(<@stack> %to <@i64> %n): BRANCH %l(%to %n @0)
%l(<@stack> %to <@i64> %n <@i64> %k): SWAPSTACK %to RET_WITH <> PASS_VALUES <@i64> (%k) %j = ADD <@i64> %k @1 %c = SLT <@i64> %j %n BRANCH2 %c %l(%to %n %j) %x()
%x(): RET () }`, false, `
dispatch(): dispatch start() resume.1()
start(): woken( ) branch e( )
e(to n): branch l(to n 0)
resume.1(): reload(to n k) woken() add slt branch2 l(to n j) x()
l(to n k): suspend(to n k)
x(): ret
`},
		{"only what is live", `.funcdef @f VERSION %v <@si_v> { %e(<@stack> %to <@i64> %n):
%a = ADD <@i64> %n @1 %b = ADD <@i64> %n %n %x = SWAPSTACK %to RET_WITH <@i64> PASS_VALUES <@i64> (%a) %c = ADD <@i64> %b %x
%y = SWAPSTACK %to RET_WITH <@i64> PASS_VALUES <@i64> (%c) RET () }`, false, `
dispatch(): dispatch start() resume.1() resume.2()
start(): woken( ) branch e( )
e(to n): add add suspend(to b)
resume.1(): reload(to b) woken(x) add suspend()
resume.2(): woken(y) ret
`},
		{"exceptions and the end", `.funcdef @f VERSION %v <@si_v> { %e(<@stack> %to <@i64> %n):
%x = SWAPSTACK %to RET_WITH <@i64> PASS_VALUES <> () EXC(%a(%to %x) %b(%to %n))
%a(<@stack> %to <@i64> %x): SWAPSTACK %to KILL_OLD PASS_VALUES <@i64> (%x)
%b(<@stack> %to <@i64> %n) [%exc]: SWAPSTACK %to KILL_OLD THROW_EXC %exc }`, false, `
dispatch(): dispatch start() resume.1() resume.2() resume.3()
start(): woken( ) branch e( )
e(to n): suspend(to n)
resume.1(): reload(to n) woken(x) a(to x) b(to n)
a(to x): suspend()
b(to n): suspend()
resume.2(): woken() ret
resume.3(): woken() ret
`},
		{"polls", `.funcdef @f VERSION %v <@si_v> { %e(<@stack> %to <@i64> %n): BRANCH %l(%to %n @0)
%l(<@stack> %to <@i64> %n <@i64> %k): %j = ADD <@i64> %k @1 %c = SLT <@i64> %j %n BRANCH2 %c %l(%to %n %j) %x(%to)
%x(<@stack> %to): SWAPSTACK %to KILL_OLD PASS_VALUES <> () }`, true, `
dispatch(): dispatch start() resume.1() resume.2()
start(): woken( ) branch e( )
e(to n): branch l(to n 0)
resume.1(): reload(to n j) branch l(to n j)
l(to n k): add slt branch2 poll.1() x(to)
poll.1(): suspend(to n j) l(to n j)
x(to): suspend()
resume.2(): woken() ret
`},
		{"polls where exceptions lead back", `.funcdecl @g <@v_v>
.funcdef @f VERSION %v <@s_v> { %e(<@stack> %to): BRANCH %l(%to @NULL)
%l(<@stack> %to <@ref> %r): CALL <@v_v> @g () EXC(%x(%to) %h(%to))
%h(<@stack> %to) [%exc]: CALL <@v_v> @g () EXC(%x(%to) %h(%to))
%x(<@stack> %to): SWAPSTACK %to KILL_OLD PASS_VALUES <> () }`, true, `
dispatch(): dispatch start() resume.1() resume.2()
start(): woken() branch e()
e(to): branch l(to NULL)
l(to r): call x(to) landing.1()
landing.1(): branch h(to )
resume.1(): reload(to ) branch h(to )
h(to exc): call x(to) landing.2()
x(to): suspend()
landing.2(): branch poll.1()
poll.1(): suspend(to ) h(to )
resume.2(): woken() ret
`},
	} {
		v := function(load(t, prelude+tt.text), "@f").Current()
		before := summary(v)
		body := resume.Body(v, tt.polls)
		check(t, tt.name, body)
		got := strings.ReplaceAll(summary(body), "@", "")
		if strings.TrimSpace(got) != strings.TrimSpace(tt.want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		if summary(v) != before {
			t.Errorf("%s: the version has changed", tt.name)
		}
	}
}

// check reports what is wrong with a body: each variable is defined where it is used, jumps pass as many values
// as there are parameters, places agree.
func check(t *testing.T, name string, v *ir.Version) {
	t.Helper()
	cfg := analysis.NewCFG(v)
	place := map[ir.InstID]int{}
	for _, b := range cfg.Order {
		for i, x := range v.Blocks[b].Params {
			if d := v.Values[x]; d.Kind != ir.ValueParam || d.Def != int32(b) || d.Index != int32(i) {
				t.Errorf("%s: parameter %d of block %d is %+v", name, i, b, d)
			}
		}
		for i, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			place[id] = i
			for k, x := range in.Results {
				if d := v.Values[x]; d.Kind != ir.ValueResult || d.Def != int32(id) || d.Index != int32(k) {
					t.Errorf("%s: result %d of %s is %+v", name, k, in.Op, d)
				}
			}
			if in.Block != b {
				t.Errorf("%s: %s of block %d thinks it is in %d", name, in.Op, b, in.Block)
			}
			last := i == len(v.Blocks[b].Insts)-1
			if last != (in.IsTerminator() || in.Op == ir.OpSuspend) {
				t.Errorf("%s: %s is %d of %d in block %d", name, in.Op, i, len(v.Blocks[b].Insts), b)
			}
		}
	}
	for _, b := range cfg.Order {
		for i, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			uses := slices.Concat(in.Args, in.Keep)
			for _, d := range in.Dests {
				uses = append(uses, d.Args...)
				if len(d.Args) != len(v.Blocks[d.Block].Params) {
					t.Errorf("%s: block %d passes %d values to %d, which has %d parameters", name, b, len(d.Args), d.Block, len(v.Blocks[d.Block].Params))
				}
			}
			for _, x := range uses {
				d := v.Values[x]
				switch d.Kind {
				case ir.ValueConst:
					continue
				case ir.ValueResult:
					def := v.Insts[d.Def].Block
					if def == b && place[ir.InstID(d.Def)] <= i && (ir.InstID(d.Def) != id || len(in.Dests) > 0) || def != b && cfg.Index[def] >= 0 && cfg.Dominates(def, b) {
						continue
					}
				default:
					if cfg.Dominates(ir.BlockID(d.Def), b) {
						continue
					}
				}
				t.Errorf("%s: %s in block %d uses %s (%d), which is not defined there", name, in.Op, b, d.Name, x)
			}
		}
	}
}

// TestBodiesOfPrograms makes bodies of all that swaps in the script tests, examples and kernels.
func TestBodiesOfPrograms(t *testing.T) {
	var texts []string
	scripts, _ := filepath.Glob("../../testscripts/*.txtar")
	bundles, _ := filepath.Glob("../../examples/*/*.uir")
	kernels, _ := filepath.Glob("../../cmd/uvmbench/kernels/*/*.uir")
	for _, path := range slices.Concat(scripts, bundles, kernels) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), "SWAPSTACK") {
			continue
		}
		if !strings.HasSuffix(path, ".txtar") {
			texts = append(texts, string(data))
			continue
		}
		for _, part := range strings.Split(string(data), "\n-- ")[1:] {
			if name, text, _ := strings.Cut(part, " --\n"); strings.HasSuffix(name, ".uir") {
				texts = append(texts, text)
			}
		}
	}
	n := 0
	for _, text := range texts {
		files := diag.NewSet()
		p, ok := mu.Load(files, []mu.Source{{Name: "t.uir", Text: []byte(text)}}, mu.Options{}, diag.NewList(files))
		if !ok {
			continue // as some have on purpose
		}
		for _, f := range p.Funcs {
			v := f.Current()
			if v == nil || !strings.Contains(summary(v), "swapstack") {
				continue
			}
			n++
			check(t, f.Name, resume.Body(v, false))
			check(t, f.Name+" with polls", resume.Body(v, true))
		}
	}
	if n < 150 {
		t.Errorf("only %d functions that swap", n)
	}
}

// TestBodies says which functions get a body.
func TestBodies(t *testing.T) {
	const start = `.funcdef @main VERSION %v <@v_v> { %e(): %s = COMMINST @uvm.new_stack <[@s_v]> (@f) RET () } `
	body := func(code string) string {
		return `.funcdef @f VERSION %v <@s_v> { %e(<@stack> %to): ` + code + ` SWAPSTACK %to RET_WITH <> PASS_VALUES <> () RET () } `
	}
	const (
		never  = 0
		always = 1
		single = 2 // only if there is one thread
	)
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"the least", start + body(""), always},
		{"nothing starts with it", body(""), never},
		{"it does not swap", start + `.funcdef @f VERSION %v <@s_v> { %e(<@stack> %to): RET () }`, never},
		{"started with a function that is not known", `.funcsig @g = (@F) -> () .typedef @F = funcref<@s_v>
.funcdef @main VERSION %v <@g> { %e(<@F> %f): %s = COMMINST @uvm.new_stack <[@s_v]> (%f) RET () } ` + body(""), always},
		{"a trap", start + body("TRAP <>"), never},
		{"a watchpoint", start + `.funcdef @f VERSION %v <@s_v> { %e(<@stack> %to): WATCHPOINT 7 <> %a(%to) %a(%to) %a(<@stack> %to): SWAPSTACK %to RET_WITH <> PASS_VALUES <> () RET () }`, never},
		{"a stack cell", start + body("%a = ALLOCA <@i64>"), never},
		{"a thread", start + body("%a = NEWTHREAD %to PASS_VALUES <> ()"), never},
		{"it kills", start + body("COMMINST @uvm.kill_stack (%to)"), never},
		{"it ends the thread", start + `.funcdef @f VERSION %v <@s_v> { %e(<@stack> %to): SWAPSTACK %to RET_WITH <> PASS_VALUES <> () COMMINST @uvm.thread_exit }`, never},
		{"a native call", start + ".const @p <@pv> = EXTERN \"f\" " + body("CCALL #DEFAULT <@pv @v_v> @p ()"), never},
		{"an unknown function", start + ".global @g <@fp> " + body("%x = LOAD <@fp> @g CALL <@v_v> %x ()"), never},
		{"a function without a body", start + ".funcdecl @d <@v_v> " + body("CALL <@v_v> @d ()"), never},
		{"a tail call", start + `.funcdef @f VERSION %v <@s_v> { %e(<@stack> %to): SWAPSTACK %to RET_WITH <> PASS_VALUES <> () TAILCALL <@s_v> @f (%to) }`, never},
		{"it waits", start + body("%r = COMMINST @uvm.futex.wait <@i32> (@W @32.0)") + ".global @W <@i32> ", single},
		{"it wakes", start + body("%r = COMMINST @uvm.futex.wake <@i32> (@W @32.0)") + ".global @W <@i32> ", always},
		{"objects, exceptions, stacks", start + body("%a = NEW <@i64> %s = COMMINST @uvm.current_stack %n = COMMINST @uvm.new_stack <[@s_v]> (@f) %x = LOAD <@i64> @NULLI"), always},
		{"it calls", start + `.funcdef @g VERSION %v <@v_v> { %e(): RET () } ` + body("CALL <@v_v> @g ()"), always},
		{"it calls what swaps", start + `.funcdef @g VERSION %v <@s_v> { %e(<@stack> %to): SWAPSTACK %to RET_WITH <> PASS_VALUES <> () RET () } ` + body("CALL <@s_v> @g (%to)"), never},
		{"it calls what calls what traps", start + `.funcdef @h VERSION %v <@v_v> { %e(): TRAP <> RET () } .funcdef @g VERSION %v <@v_v> { %e(): CALL <@v_v> @h () RET () } ` + body("CALL <@v_v> @g ()"), never},
		{"it calls a loop", start + `.funcdef @g VERSION %v <@v_v> { %e(): BRANCH %l() %l(): BRANCH %l() } ` + body("CALL <@v_v> @g ()"), single},
		{"it calls a recursion", start + `.funcdef @g VERSION %v <@v_v> { %e(): CALL <@v_v> @h () RET () } .funcdef @h VERSION %v <@v_v> { %e(): CALL <@v_v> @g () RET () } ` + body("CALL <@v_v> @g ()"), single},
		{"a loop of its own", start + `.funcdef @f VERSION %v <@s_v> { %e(<@stack> %to): SWAPSTACK %to RET_WITH <> PASS_VALUES <> () BRANCH %l() %l(): BRANCH %l() }`, always},
	} {
		p := load(t, prelude+tt.text)
		f := function(p, "@f")
		for _, threads := range []bool{false, true} {
			known := facts.Of(p, facts.Options{})
			known.Threads = threads
			got := resume.Bodies(known)[f] != nil
			if want := tt.want == always || tt.want == single && !threads; got != want {
				t.Errorf("%s, several threads %v: a body %v, want %v", tt.name, threads, got, want)
			}
		}
	}
	// n values, each live until its turn comes: n*n/2 are kept.
	for n, want := range map[int]bool{40: true, 200: false} {
		var values, swaps strings.Builder
		for i := range n {
			fmt.Fprintf(&values, "%%v%d = ADD <@i64> @1 @1 ", i)
			fmt.Fprintf(&swaps, "SWAPSTACK %%to RET_WITH <> PASS_VALUES <@i64> (%%v%d) ", i)
		}
		p := load(t, prelude+start+`.funcdef @f VERSION %v <@s_v> { %e(<@stack> %to): `+values.String()+swaps.String()+`RET () }`)
		if got := resume.Bodies(facts.Of(p, facts.Options{}))[function(p, "@f")] != nil; got != want {
			t.Errorf("%d values at %d places: a body %v, want %v", n, n, got, want)
		}
	}

	p := load(t, prelude+body(""))
	if resume.Bodies(facts.Of(p, facts.Options{Open: true}))[function(p, "@f")] == nil {
		t.Error("what others may start with has no body")
	}
}
