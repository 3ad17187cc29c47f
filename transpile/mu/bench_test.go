package mu

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// generated makes a bundle of about n instructions in functions of the shape
// that compilers emit: loops, calls, memory, names of their own in each block.
func generated(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`.typedef @i1 = int<1>
.typedef @i64 = int<64>
.typedef @node = struct<@i64 @noderef>
.typedef @noderef = ref<@node>
.typedef @inode = iref<@node>
.const @c0 <@i64> = 0
.const @c1 <@i64> = 1
.funcsig @sig = (@i64 @noderef) -> (@i64)
`)
	const perFunc = 24
	for i := range n / perFunc {
		fmt.Fprintf(&b, ".const @k%d <@i64> = %d\n", i, i)
		fmt.Fprintf(&b, ".funcdef @func%d VERSION %%v1 <@sig> {\n", i)
		b.WriteString("    %entry(<@i64> %n <@noderef> %r):\n        BRANCH %head(%n %r @c0)\n")
		b.WriteString("    %head(<@i64> %n <@noderef> %r <@i64> %acc):\n")
		fmt.Fprintf(&b, "        %%z%d = EQ <@i64> %%n @c0\n        BRANCH2 %%z%d %%done(%%acc) %%body(%%n %%r %%acc)\n", i, i)
		b.WriteString("    %body(<@i64> %n <@noderef> %r <@i64> %acc):\n")
		fmt.Fprintf(&b, `        %%ir_%[1]d = GETIREF <@node> %%r
        %%f0_%[1]d = GETFIELDIREF <@node 0> %%ir_%[1]d
        %%f1_%[1]d = GETFIELDIREF <@node 1> %%ir_%[1]d
        %%v_%[1]d = LOAD <@i64> %%f0_%[1]d
        %%next_%[1]d = LOAD <@noderef> %%f1_%[1]d
        %%a_%[1]d = ADD <@i64> %%v_%[1]d %%acc
        %%b_%[1]d = MUL <@i64> %%a_%[1]d @k%[1]d
        %%c_%[1]d = XOR <@i64> %%b_%[1]d %%n
        %%d_%[1]d = SHL <@i64> %%c_%[1]d @c1
        %%e_%[1]d = SUB <@i64> %%d_%[1]d %%v_%[1]d
        STORE <@i64> %%f0_%[1]d %%e_%[1]d
        %%t_%[1]d = SLT <@i64> %%e_%[1]d @c0
        %%s_%[1]d = SELECT <@i1 @i64> %%t_%[1]d %%a_%[1]d %%e_%[1]d
        %%m_%[1]d = SUB <@i64> %%n @c1
        %%obj_%[1]d = NEW <@node>
        %%call_%[1]d = CALL <@sig> @func%[2]d (%%m_%[1]d %%obj_%[1]d) EXC(%%ok(%%m_%[1]d %%next_%[1]d %%call_%[1]d) %%bad(%%s_%[1]d))
    %%ok(<@i64> %%n <@noderef> %%r <@i64> %%x):
        %%y_%[1]d = OR <@i64> %%x %%n
        BRANCH %%head(%%n %%r %%y_%[1]d)
    %%bad(<@i64> %%x) [%%exc]:
        THROW %%exc
    %%done(<@i64> %%x):
        RET %%x
}
`, i, (i*7+1)%(n/perFunc))
	}
	return b.Bytes()
}

func BenchmarkLoad(b *testing.B) {
	const n = 100_000
	src := generated(n)
	b.SetBytes(int64(len(src)))
	var before, after runtime.MemStats
	insts := 0
	runtime.ReadMemStats(&before)
	b.ResetTimer()
	for range b.N {
		set := diag.NewSet()
		diags := diag.NewList(set)
		p, ok := Load(set, []Source{{Name: "bench.uir", Text: src}}, Options{}, diags)
		if !ok {
			b.Fatal(printed(diags))
		}
		insts = 0
		for _, f := range p.Funcs {
			insts += len(f.Current().Insts) - 1
		}
	}
	b.StopTimer()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(insts)*float64(b.N)/b.Elapsed().Seconds(), "insts/s")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/float64(insts), "B/inst")
}

// BenchmarkLoadHAIL has a script of 32,000 objects and about 80,000 references.
func BenchmarkLoadHAIL(b *testing.B) {
	const n = 32_000
	bundle := []byte(`.typedef @i64 = int<64>
.typedef @i8 = int<8>
.typedef @void = void
.typedef @ref = ref<@void>
.typedef @node = hybrid<@i64 @ref @ref @i8>
.global @root <@ref>
`)
	var s bytes.Buffer
	for i := range n {
		fmt.Fprintf(&s, ".newhybrid $object_%d <@node> 40\n", i)
	}
	for i := range n {
		fmt.Fprintf(&s, ".init $object_%d = {%d $object_%d $object_%d {", i, i, (i*7+3)%n, (i*13+5)%n)
		for k := range 40 {
			fmt.Fprintf(&s, "0x%02x ", (i+k)&0xff)
		}
		s.WriteString("}}\n")
		if i%2 == 0 {
			fmt.Fprintf(&s, ".init $object_%d[1] = $object_%d\n", i, i/2)
		}
	}
	s.WriteString(".init @root = $object_0\n")
	b.SetBytes(int64(s.Len()))
	for range b.N {
		set := diag.NewSet()
		diags := diag.NewList(set)
		p, ok := Load(set, []Source{{Name: "bench.uir", Text: bundle}}, Options{}, diags)
		if !ok || !LoadHAIL(p, set, Source{Name: "bench.hail", Text: s.Bytes()}, diags) {
			b.Fatal(printed(diags))
		}
		b.ReportMetric(float64(len(p.Image.Inits)), "stores")
	}
}
