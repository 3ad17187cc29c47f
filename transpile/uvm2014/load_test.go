package uvm2014_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// load reads bundles of text and prints what is wrong with them.
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

func TestMeaning(t *testing.T) {
	tests := []struct{ name, text, args, want string }{
		{"loop with PHI nodes that exchange values", `
.funcdef @f <int<64> (int<64>)> (%n) {
%entry:
    BRANCH %loop
%loop:
    %i = PHI <int<64>> { %entry: 0; %loop: %i1; }
    %a = PHI <int<64>> { %entry: 0; %loop: %b; }
    %b = PHI <int<64>> { %entry: 1; %loop: %c; }
    %c = ADD <int<64>> %a %b
    %i1 = ADD <int<64>> %i 1
    %z = EQ <int<64>> %i %n
    BRANCH2 %z %done %loop
%done:
    RET <int<64>> %a
}`, "50", "12586269025"},
		{"a landing pad that is reached normally, too", `
.funcdef @thrower <void (int<1>)> (%x) {
    BRANCH2 %x %bad %good
%bad:
    %o = NEW <int<64>>
    THROW %o
%good:
    RETVOID
}
.funcdef @f <int<64> (int<64>)> (%n) {
%entry:
    %c = SGT <int<64>> %n 5
    %skip = EQ <int<64>> %n 0
    BRANCH2 %skip %pad %try
%try:
    INVOKE <void (int<1>)> @thrower (%c) %ok %pad
%ok:
    RET <int<64>> 1
%pad:
    %e = LANDINGPAD
    %p = PHI <int<64>> { %entry: 10; %try: 20; }
    %v = EQ <ref<void>> %e NULL
    %w = ZEXT <int<1> int<64>> %v
    %r = ADD <int<64>> %p %w
    RET <int<64>> %r
}`, "0", "11"},
		{"an entry block without a label, inline constants of structs", `
.funcdef @f <int<64> (int<64>)> (%n) {
    %s = INSERTVALUE <struct<int<64> double> 0> { 1 2.5 } %n
    %a = EXTRACTVALUE <struct<int<64> double> 0> %s
    %b = EXTRACTVALUE <struct<int<64> double> 1> %s
    %c = FPTOSI <double int<64>> %b
    %r = MUL <int<64>> %a %c
    RET <int<64>> %r
}`, "21", "42"},
		{"a block ends where the thread does", `
.funcdef @f <int<64> (int<64>)> (%n) {
%entry:
    %z = EQ <int<64>> %n 0
    BRANCH2 %z %end %on
%end:
    ICALL @uvm.thread_exit ()
    %x = ADD <int<64>> %n 1
    BRANCH %on
%on:
    %p = PHI <int<64>> { %entry: %n; %end: %x; }
    RET <int<64>> %p
}`, "7", "7"},
		{"a value whose definition does not dominate", `
.funcdef @f <int<64> (int<64>)> (%n) {
%entry:
    %z = SGT <int<64>> %n 10
    BRANCH2 %z %set %use
%set:
    %x = MUL <int<64>> %n 2
    BRANCH %use
%use:
    RET <int<64>> %x
}`, "3", "0"},
		{"the result of INVOKE on its normal edge alone", `
.funcdef @id <int<64> (int<64>)> (%n) {
    RET <int<64>> %n
}
.funcdef @f <int<64> (int<64>)> (%n) {
%entry:
    %c = INVOKE <int<64> (int<64>)> @id (%n) %join %join
%join:
    %p = PHI <int<64>> { %entry: 9; }
    RET <int<64>> %p
}`, "3", "9"},
		{"old forms", `
.typedef @i64 int<64>
.funcsig @s @i64 (@i64)
.funcdef @g <@s> INLINE {
.label %entry:
    %p = PARAM 0
    RET <@i64> %p
}
.funcdef @f <@s> {
    %q = PARAM0
    %r = CALL <@s> @g (%q) %ok %bad
%ok:
    RET <@i64> %r
%bad:
    RET <@i64> 0
}`, "5", "5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := call(t, tt.text, "@f", tt.args); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// Each fault is one error, at the offending name; the others of the file are found, too.
func TestErrors(t *testing.T) {
	body := func(insts string) string { return ".funcdef @f <int<64> (int<64>)> (%n) {\n" + insts + "\n}" }
	tests := []struct{ text, want string }{
		{".typedef @a = struct<@a>", "a.uir:1:10: @a contains itself: only a ref, iref, weakref or func may lead back to it"},
		{".typedef @a = struct<void>", "a.uir:1:10: field 0 of a struct has a type of fixed length, not void"},
		{".const @c <int<64>> = 1.5", "a.uir:1:23: 1.5: wanted a constant of type int<64>, found a floating-point literal"},
		{".global @g <void>", "a.uir:1:13: @g: a cell has a type of fixed length, not void"},
		{body("BRANCH %n"), "a.uir:2:8: unknown label %n"},
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
	}
	for _, tt := range tests {
		if got := uvm2014.Recognize([]byte(tt.text)); got != tt.want {
			t.Errorf("%q: got %d, want %d", tt.text, got, tt.want)
		}
	}
}
