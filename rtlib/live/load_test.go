package live

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/facts"
)

// tenThousand is a bundle of ten thousand instructions: functions with a loop over a list, each of which
// @main calls once.
func tenThousand() []byte {
	const functions, rows = 103, 14
	var b strings.Builder
	b.WriteString(`.typedef @i64 = int<64>
.typedef @node = struct<@i64 @i64 @i64 @list>
.typedef @list = ref<@node>
.const @0 <@i64> = 0
.const @1 <@i64> = 1
.const @7 <@i64> = 7
.const @nil <@list> = NULL
.funcsig @fn = (@i64 @list) -> (@i64)
.funcsig @none = () -> ()
`)
	for f := range functions {
		fmt.Fprintf(&b, ".funcdef @f%d VERSION %%v <@fn> {\n  %%e(<@i64> %%n <@list> %%l):\n    %%new = NEW <@node>\n    %%at = GETIREF <@node> %%new\n", f)
		b.WriteString("    %link = GETFIELDIREF <@node 3> %at\n    STORE <@list> %link %l\n    BRANCH %loop(%n @0 %new)\n")
		b.WriteString("  %loop(<@i64> %n <@i64> %s <@list> %p):\n    %end = EQ <@list> %p @nil\n    BRANCH2 %end %done(%s) %next(%n %s %p)\n")
		b.WriteString("  %next(<@i64> %n <@i64> %s0 <@list> %p):\n    %q = GETIREF <@node> %p\n")
		for i := range rows {
			fmt.Fprintf(&b, "    %%a%d = GETFIELDIREF <@node %d> %%q\n    %%x%[1]d = LOAD <@i64> %%a%[1]d\n    %%y%[1]d = MUL <@i64> %%x%[1]d @7\n", i, i%3)
			fmt.Fprintf(&b, "    %%z%d = XOR <@i64> %%y%[1]d %%n\n    %%s%d = ADD <@i64> %%s%[1]d %%z%[1]d\n    STORE <@i64> %%a%[1]d %%s%[2]d\n", i, i+1)
		}
		fmt.Fprintf(&b, "    %%link = GETFIELDIREF <@node 3> %%q\n    %%r = LOAD <@list> %%link\n    BRANCH %%loop(%%n %%s%d %%r)\n  %%done(<@i64> %%s):\n    RET %%s\n}\n", rows)
	}
	b.WriteString(".funcdef @main VERSION %v <@none> {\n  %e():\n    %s0 = ADD <@i64> @0 @1\n")
	for f := range functions {
		fmt.Fprintf(&b, "    %%s%d = CALL <@fn> @f%d (%%s%[2]d @nil)\n", f+1, f)
	}
	fmt.Fprintf(&b, "    [@main.done] TRAP <> KEEPALIVE(%%s%d)\n    RET ()\n}\n", functions)
	return []byte(b.String())
}

// BenchmarkLoad measures what happens between the text of ten thousand instructions and the first call of
// its functions, by stages. The calls themselves are left out: each takes well under a microsecond.
func BenchmarkLoad(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as the runtime does in a program
	text := tenThousand()
	for _, level := range []int{0, 1} {
		opt := transpile.Options{Optimize: level}
		load := func() *transpile.Program {
			p, diags := transpile.Load([]transpile.Source{{Name: "a.uir", Text: text}}, opt)
			if p == nil {
				b.Fatal(diags.Err())
			}
			return p
		}
		ready := func(p *transpile.Program) *facts.Program {
			f, _, err := p.Ready()
			if err != nil {
				b.Fatal(err)
			}
			return f
		}
		code := func(p *program) {
			for _, fn := range p.facts.IR.Funcs {
				if _, bad := p.compile(p.functions[fn]); bad != "" {
					b.Fatal(bad)
				}
			}
		}
		b.Run(fmt.Sprintf("O%d/read", level), func(b *testing.B) {
			for b.Loop() {
				load()
			}
		})
		b.Run(fmt.Sprintf("O%d/passes", level), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				p := load()
				b.StartTimer()
				ready(p)
			}
		})
		b.Run(fmt.Sprintf("O%d/code", level), func(b *testing.B) {
			f := ready(load())
			for b.Loop() {
				code(newProgram(f, nil))
			}
		})
		b.Run(fmt.Sprintf("O%d/all", level), func(b *testing.B) {
			for b.Loop() {
				code(newProgram(ready(load()), nil))
			}
		})
	}
}

// TestTenThousand checks that the bundle of BenchmarkLoad has as many instructions as its name says.
func TestTenThousand(t *testing.T) {
	p, diags := transpile.Load([]transpile.Source{{Name: "a.uir", Text: tenThousand()}}, transpile.Options{})
	if p == nil {
		t.Fatal(diags.Err())
	}
	n := 0
	for _, f := range p.IR.Funcs {
		for _, blk := range f.Current().Blocks {
			n += len(blk.Insts)
		}
	}
	if n < 9900 || n > 10100 {
		t.Errorf("%d instructions", n)
	}
}

// chain is a bundle of n types, each of which refers to the one before; $ stands for the beginning of names.
func chain(n int) string {
	b := strings.Builder{}
	b.WriteString(".typedef $i64 = int<64>\n.typedef $t0 = array<$i64 977>\n.typedef $r0 = ref<$t0>\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, ".typedef $t%d = struct<$i64 $r%d>\n.typedef $r%[1]d = ref<$t%[1]d>\n", i, i-1)
	}
	return b.String()
}
