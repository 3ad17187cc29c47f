package uvm2014_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// load reads text bundles and returns the program and the messages.
func load(strict bool, texts ...string) (*ir.Program, string) {
	files := diag.NewSet()
	diags := diag.NewList(files)
	var srcs []dialect.Source
	for i, t := range texts {
		srcs = append(srcs, dialect.Source{Name: string(rune('a'+i)) + ".uir", Text: []byte(t)})
	}
	p, ok := uvm2014.Load(files, srcs, dialect.Options{Strict: strict}, diags)
	var out bytes.Buffer
	diags.Print(&out)
	if !ok {
		return nil, out.String()
	}
	p.Files = files
	return p, out.String()
}

// call loads bundles and calls a function of int<64>s on the interpreter.
func call(t *testing.T, text, name string, args string) string {
	t.Helper()
	p, msgs := load(false, text)
	if p == nil {
		t.Fatal(msgs)
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Fatal(err)
	}
	return result(t, p, name, args)
}

// result calls a function on the interpreter.
func result(t *testing.T, p *ir.Program, name, args string) string {
	t.Helper()
	f := p.Find(name).(*ir.Function)
	vals, err := dialect.ParseArgs(p, f, args)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	results, status, err := interp.Call(p, f.Name, interp.Literals(p, vals), interp.Config{Stderr: &stderr})
	if err != nil || status != 0 {
		t.Fatalf("%v, status %d: %s", err, status, stderr.String())
	}
	lines, err := interp.Results(p, f.Name, results)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, " ")
}

// A meaning is a bundle with a function @f, and the expected result of a call.
type meaning struct{ name, text, args, want string }

// meanings are the bundles of testdata/meaning, each of which has @f(ARGS) = RESULT in its
// second line.
func meanings(t *testing.T) []meaning {
	t.Helper()
	files, err := filepath.Glob("testdata/meaning/*.uir")
	if err != nil || len(files) < 5 {
		t.Fatal("no bundles", err)
	}
	var l []meaning
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		line := strings.Split(string(text), "\n")[1]
		args, want, ok := strings.Cut(strings.TrimPrefix(line, "// @f("), ") = ")
		if !ok {
			t.Fatalf("%s: bad second line %s", f, line)
		}
		l = append(l, meaning{filepath.Base(f), string(text), args, want})
	}
	return l
}

func TestMeaning(t *testing.T) {
	for _, tt := range meanings(t) {
		t.Run(tt.name, func(t *testing.T) {
			if got := call(t, tt.text, "@f", tt.args); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A type or constant with an error that is written in place several times in equal text is reported each
// time, at its own place, as far as its meaning is reported there.
func TestEqualText(t *testing.T) {
	tests := []struct{ inst, want string }{
		{"NEW <ref<@no>>", ":10: unknown name @no: no such type"},
		{"NEW <ref<struct<ref<@no>>>>", ":21: unknown name @no: no such type"},
		{"NEW <int<0>>", ":10: invalid width 0: an int has 1 to 255 bits"},
		{"NEW <array<@t -1>>", ":15: invalid length -1: an array has 0 to 2^64-1 elements"},
		{"NEW <func<@no ()>>", ":11: unknown name @no: no such type"},
		{"CALL <void (ref<@no>)> %n ()", ":17: unknown name @no: no such type"},
		{"CALL <@no ()> %n ()", ":7: unknown name @no: no such type"},
		{"ADD <double> %n %n", ":6: ADD wants an int, found double"},
		{"LOAD <@t> 5", ":11: 5: wanted a constant of type iref<int<8>>, found an integer"},
		{"ADD <@t> %n 0.5", ":13: 0.5: wanted a constant of type @t, found a floating-point literal"},
		{"ADD <@t> %n 300", ":13: 300 does not fit int<8>: it is taken modulo 2^8"},
	}
	for _, tt := range tests {
		_, got := load(true, ".typedef @t = int<8>\n.funcdef @f <void (int<8>)> (%n) {\n"+tt.inst+"\n"+tt.inst+"\n    "+tt.inst+"\nRETVOID }")
		col, msg, _ := strings.Cut(tt.want[1:], ":")
		n, _ := strconv.Atoi(col)
		want := fmt.Sprintf("a.uir:3:%d:%s\na.uir:4:%d:%s\na.uir:5:%d:%s\n", n, msg, n, msg, n+4, msg)
		if strings.ReplaceAll(got, "iref<@t>", "iref<int<8>>") != want {
			t.Errorf("%s: got\n%swant\n%s", tt.inst, got, want)
		}
	}
}

// Each fault is one error, at the offending name; other faults of the file are also found.
func TestErrors(t *testing.T) {
	body := func(insts string) string { return ".funcdef @f <int<64> (int<64>)> (%n) {\n" + insts + "\n}" }
	tests := []struct{ text, want string }{
		{".typedef @a = struct<@a>", "a.uir:1:10: @a contains itself: only a ref, iref, weakref or func may lead back to it"},
		{".typedef @a = struct<void>", "a.uir:1:22: field 0 of a struct has a type of fixed length, not void"},
		{doubling(20), "a.uir:18:10: invalid type: it has more than 65536 scalars, those of its parts counted, of an array those of one element"},
		{doubling(13) + ".funcsig @s = @t13 ()", "a.uir:15:15: a signature returns a type of values or void, not @t13, which has more than 4096 scalars"},
		{".typedef @a = array<int<8> 0x800000000000>", "a.uir:1:10: invalid type: it takes 2^47 bytes or more"},
		{".global @g <array<int<8> 0x40000001>>", "a.uir:1:9: @g: the global cells of the program take more than 2^30 bytes"},
		{".const @c <int<64>> = 1.5", "a.uir:1:23: 1.5: wanted a constant of type int<64>, found a floating-point literal"},
		{".global @g <void>", "a.uir:1:13: @g: a cell has a type of fixed length, not void"},
		{body("BRANCH %n"), "a.uir:2:8: %n is a value, not a label"},
		{body("%a: BRANCH %b\n%b: BRANCH %a"), "a.uir:3:12: %a is the entry block, which nothing may lead to"},
		{body("RET <int<64>> %x"), "a.uir:2:15: unknown name %x: no such value"},
		{body("RETVOID"), "a.uir:2:1: RETVOID: @f returns int<64>"},
		{body("%x = ADD <int<64>> %n NULL\nRET <int<64>> %n"), "a.uir:2:23: NULL: wanted a constant of type int<64>"},
		{body("%x = PHI <int<64>> { }\nRET <int<64>> %n"), "a.uir:2:6: PHI in the entry block, which nothing leads to"},
		{body("%x = ADD <int<64>> %n 1"), "a.uir:2:6: block %entry does not end with a terminator: ADD is none"},
		{body("RET <int<64>> %n\nRET <int<64>> %n"), "a.uir:3:1: instruction after RET, which ends block %entry"},
		{body("%x = LOAD <int<64>> %n\nRET <int<64>> %x"), "a.uir:2:21: %n: LOAD wants iref<int<64>>, found int<64>"},
		{".funcdef @f VERSION %v <@s> { }", "a.uir:1:13: bad .funcdef @f: wanted < of the signature, found VERSION; VERSION is of the forms after 2014"},
	}
	for _, tt := range tests {
		_, got := load(false, tt.text)
		if !strings.HasPrefix(got, tt.want) || strings.Count(got, "\n") != 1+strings.Count(got, "\n\t") {
			t.Errorf("%s\ngot\n%swant\n%s", tt.text, got, tt.want)
		}
	}
}

// Messages about unknown names say what the name may mean.
func TestHints(t *testing.T) {
	const head = ".typedef @int = int<64>\n.const @c5 <@int> = 5\n.funcdef @other <@int ()> () { %q = ADD <@int> 1 1 RET <@int> %q }\n" +
		".funcdef @f <@int (@int)> (%n) {\n%blk0: %sum = ADD <@int> %n 1 BRANCH %blk1\n%blk1:\n"
	for _, tt := range []struct{ insts, want string }{
		{"RET <@int> @f.blk0.sum", ":12: unknown name @f.blk0.sum: no such value; here the variable is %sum"},
		{"RET <@int> @f.v1.blk0.sum", ":12: unknown name @f.v1.blk0.sum: no such value; here the variable is %sum"},
		{"RET <@int> @f.v1.blk0.n", ":12: unknown name @f.v1.blk0.n: no such value; here the variable is %n"},
		{"RET <@int> %blk0.sum", ":12: unknown name %blk0.sum: no such value; here the variable is %sum"},
		{"RET <@int> @v1.blk0.sum", ":12: unknown name @v1.blk0.sum: no such value; here the variable is %sum"},
		{"RET <@int> @sum", ":12: unknown name @sum: no such value; did you mean %sum?"},
		{"RET <@int> %c5", ":12: unknown name %c5: no such value; did you mean @c5?"},
		{"RET <@int> %smu", ":12: unknown name %smu: no such value; did you mean %sum?"},
		{"RET <@int> @c6", ":12: unknown name @c6: no such value; did you mean @c5?"},
		{"RET <@int> @other.v1.entry.q", ":12: unknown name @other.v1.entry.q: no such value; variables of @other exist only in that function"},
		{"RET <@imt> %sum", ":6: unknown name @imt: no such type; did you mean @int?"},
		{"BRANCH %blk2", ":8: unknown label %blk2; did you mean %blk1?"},
		{"BRANCH %sum", ":8: %sum is a value, not a label"},
		{"%p = PHI <@int> { %blk: 1; } RET <@int> %p", ":19: unknown label %blk; did you mean %blk1?"},
		{"%s = ICALL @uvm.curent_stack () RET <@int> 1", ":12: unknown intrinsic function @uvm.curent_stack; did you mean @uvm.current_stack?"},
		{"%a = IADD <@int> %n %n RET <@int> 1", ":6: unknown instruction IADD; did you mean ADD?"},
		{"%a = IADD <int<8>> %n %n RET <@int> 1", ":6: unknown instruction IADD; did you mean ADD?"},
		{"%a = IADD <double> %n %n RET <@int> 1", ":6: unknown instruction IADD; did you mean FADD?"},
		{"%a = IADD <@later> %n %n RET <@int> 1", ":6: unknown instruction IADD; did you mean FADD?"},
		{"%a = FADDD <@int> %n %n RET <@int> 1", ":6: unknown instruction FADDD; did you mean ADD?"},
		{"%a = LT <float> %n %n RET <@int> 1", ":6: unknown instruction LT; did you mean FOLT?"},
		{"%a = GT <@int> %n %n RET <@int> 1", ":6: unknown instruction GT; did you mean SGT?"},
		{"%a = REM <@int> %n %n RET <@int> 1", ":6: unknown instruction REM; did you mean SREM?"},
		{"%a = MOD <double> %n %n RET <@int> 1", ":6: unknown instruction MOD; did you mean FREM?"},
		{"%a = ADD <@int> %n %n KEEPALIVE (%n) RET <@int> 1", ":23: ADD takes no KEEPALIVE clause; leave it out"},
		{"%a = ADD <@int> %n %n EXC(%blk0 %blk1) RET <@int> 1", ":23: unexpected EXC after ADD; an exception clause is of the forms after 2014: INVOKE has destinations, and what cannot fail needs none"},
		{"%a = ADD <@itn> %n , , %n RET <@int> 1", ":11: unknown name @itn: no such type; did you mean @int?"},
		{"%a = ADD @c6 %n RET <@int> 1", ":10: unknown name @c6: no such value; did you mean @c5?"},
		{"%a = ADDD <ref<@itn>> %n %n RET <@int> 1", ":16: unknown name @itn: no such type; did you mean @int?"},
		{"%a = ADDD <@int> %n %n %b = NEW <ref<@itn>> RET <@int> 1", ":38: unknown name @itn: no such type; did you mean @int?"},
		{"RET <@int> %longer", ":12: unknown name %longer: no such value"},
	} {
		_, got := load(false, head+tt.insts+"\n}\n.typedef @later = double")
		if !strings.Contains(got, "a.uir:7"+tt.want+"\n") {
			t.Errorf("%s\ngot  %swant a.uir:7%s", tt.insts, got, tt.want)
		}
	}
}

// TestSeveralBundles has the entities of earlier bundles that a bundle may define again.
func TestSeveralBundles(t *testing.T) {
	const first = ".typedef @t = int<64> .funcsig @s = @t () .const @c <@t> = 1 .global @g <@t> .funcdecl @decl <@s> .funcdef @def <@s> () { RET <@t> 1 }"
	for _, tt := range []struct{ second, want string }{
		{".typedef @t = int<64>", "b.uir:1:10: @t redefined"},
		{".funcsig @s = @t ()", "b.uir:1:10: @s redefined"},
		{".const @c <@t> = 1", "b.uir:1:8: @c redefined"},
		{".global @g <@t>", "b.uir:1:9: @g redefined"},
		{".typedef @def = int<64>", "b.uir:1:10: @def redefined"},
		{".funcdecl @t <@s>", "b.uir:1:11: @t redefined"},
		{".funcdecl @decl <@s>", "b.uir:1:11: warning: @decl is known from an earlier bundle"},
		{".funcdecl @def <int<64> ()>", "b.uir:1:11: warning: @def is known from an earlier bundle"},
		{".funcdecl @decl <void ()>", "b.uir:1:11: @decl has signature void () here, but @t ()"},
		{".funcdef @decl <void ()> () { RETVOID }", "b.uir:1:10: @decl has signature void () here, but @t ()"},
		{".funcdef @def <void ()> () { RETVOID }", "b.uir:1:10: @def has signature void () here, but @t ()"},
		{".funcdef @decl <@s> () { RET <@t> @c }", ""},
		{".funcdef @def <@s> () { %x = LOAD <@t> @g RET <@t> %x }", ""},
		{".const @d <struct<@t iref<@t> func<@s>>> = {@c @g @def}", ""},
	} {
		p, got := load(false, first, tt.second)
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" || strings.Count(got, "\n") > 1+strings.Count(got, "\n\t") {
			t.Errorf("%s\ngot\n%swant\n%s", tt.second, got, tt.want)
		}
		warned := strings.Contains(tt.want, "warning")
		if (p == nil) != (tt.want != "" && !warned) {
			t.Errorf("%s: %s", tt.second, got)
		}
		if strict, _ := load(true, first, tt.second); (strict == nil) != (tt.want != "") {
			t.Errorf("%s: strict", tt.second)
		}
	}
	p, _ := load(false, first, ".funcdef @def <@s> () { RET <@t> 2 }")
	if got := result(t, p, "@def", ""); got != "2" || len(p.Find("@def").(*ir.Function).Versions) != 2 {
		t.Errorf("got %s", got)
	}
}

// doubling defines @t0 to @tn, each of which contains the one before twice.
func doubling(n int) string {
	s := ".typedef @t0 = int<8>\n"
	for i := 1; i <= n; i++ {
		s += fmt.Sprintf(".typedef @t%d = struct<@t%d @t%d>\n", i, i-1, i-1)
	}
	return s
}

func TestRecognize(t *testing.T) {
	tests := []struct {
		text string
		want dialect.Evidence
	}{
		{".funcdef @f <@s> (%x) {", dialect.Certain},
		{".funcdef @f VERSION %v1 <@s> {", dialect.None},
		{".funcsig @s = @i64 (@i64)", dialect.Certain},
		{".funcsig @s = int<64> (@i64)", dialect.Certain},
		{".funcsig @s = (@i64) -> (@i64)", dialect.None},
		{".typedef @f = func<@s>", dialect.Certain},
		{".typedef @f = funcref<@s>", dialect.None},
		{".typedef @r = ref<int<64>>", dialect.Certain},
		{".typedef @r = ref<@i64>", dialect.None},
		{"// PHI\n.typedef @r = ref<@i64>", dialect.None},
		{"\x01\x00\x00", dialect.Certain},
		{"\x7fUIR", dialect.None},
		{"", dialect.None},
		{"program 1 1\nfunc @f", dialect.None},
	}
	for _, tt := range tests {
		if got := uvm2014.Recognize([]byte(tt.text)); got != tt.want {
			t.Errorf("%q: got %d, want %d", tt.text, got, tt.want)
		}
	}
}
