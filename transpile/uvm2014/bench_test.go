package uvm2014_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
)

// generated makes a bundle of about n instructions in functions of the shape that
// compilers emit: loops, calls, memory, names of their own in each block.
func generated(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`.typedef @i64 = int<64>
.typedef @node = struct<@i64 @noderef>
.typedef @noderef = ref<@node>
.const @c1 <@i64> = 1
.funcsig @sig = @i64 (@i64 @noderef)
`)
	const perFunc = 24
	for i := range n / perFunc {
		fmt.Fprintf(&b, ".const @k%d <@i64> = %d\n.funcdef @func%d <@sig> (%%n %%r) {\n", i, i, i)
		fmt.Fprintf(&b, `    %%entry:
        BRANCH %%head
    %%head:
        %%n1_%[1]d = PHI <@i64> { %%entry: %%n; %%ok: %%m_%[1]d; }
        %%acc_%[1]d = PHI <@i64> { %%entry: 0; %%ok: %%y_%[1]d; }
        %%z%[1]d = EQ <@i64> %%n1_%[1]d 0
        BRANCH2 %%z%[1]d %%done %%body
    %%body:
        %%ir_%[1]d = GETIREF <@node> %%r
        %%f0_%[1]d = GETFIELDIREF <@node 0> %%ir_%[1]d
        %%f1_%[1]d = GETFIELDIREF <@node 1> %%ir_%[1]d
        %%v_%[1]d = LOAD <@i64> %%f0_%[1]d
        %%next_%[1]d = LOAD <@noderef> %%f1_%[1]d
        %%a_%[1]d = ADD <@i64> %%v_%[1]d %%acc_%[1]d
        %%b_%[1]d = MUL <@i64> %%a_%[1]d @k%[1]d
        %%c_%[1]d = XOR <@i64> %%b_%[1]d %%n
        %%d_%[1]d = SHL <@i64> %%c_%[1]d @c1
        %%e_%[1]d = SUB <@i64> %%d_%[1]d %%v_%[1]d
        STORE <@i64> %%f0_%[1]d %%e_%[1]d
        %%t_%[1]d = SLT <@i64> %%e_%[1]d 0
        %%s_%[1]d = SELECT <@i64> %%t_%[1]d %%a_%[1]d %%e_%[1]d
        %%m_%[1]d = SUB <@i64> %%n1_%[1]d @c1
        %%obj_%[1]d = NEW <@node>
        %%call_%[1]d = INVOKE <@sig> @func%[2]d (%%m_%[1]d %%obj_%[1]d) %%ok %%bad KEEPALIVE (%%s_%[1]d)
    %%ok:
        %%y_%[1]d = OR <@i64> %%call_%[1]d %%n
        BRANCH %%head
    %%bad:
        %%exc = LANDINGPAD
        THROW %%exc
    %%done:
        RET <@i64> %%acc_%[1]d
}
`, i, (i*7+1)%(n/perFunc))
	}
	return b.Bytes()
}

// BenchmarkLoad reads one bundle in both forms. The forms differ in the time to make the
// tree; checking and translating it takes the same time.
func BenchmarkLoad(b *testing.B) {
	text := generated(100_000)
	for _, form := range []struct {
		name string
		src  []byte
	}{{"text", text}, {"binary", convert(b, "uirb", text)}} {
		b.Run(form.name, func(b *testing.B) {
			b.SetBytes(int64(len(form.src)))
			b.ReportAllocs()
			for range b.N {
				files := diag.NewSet()
				if _, ok := uvm2014.Load(files, []dialect.Source{{Name: "bench", Text: form.src}}, dialect.Options{}, diag.NewList(files)); !ok {
					b.Fatal("errors")
				}
			}
		})
	}
}
