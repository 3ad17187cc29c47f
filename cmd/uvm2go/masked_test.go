package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMaskedLoads loads values through NULL that nothing depends on, so that Go's compiler could
// remove the loads: the fault must occur at both levels, with the text of the interpreter.
func TestMaskedLoads(t *testing.T) {
	field := func(n int) string { return fmt.Sprintf("%%f = GETFIELDIREF <@S %d> %%i\n", n) }
	cases := []struct{ typ, body string }{
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%y = AND <@i64> %x @0\nRET %y"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%y = MUL <@i64> @0 %x\nRET %y"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%y = OR <@i64> %x @m1\nRET %y"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%y = SUB <@i64> %x %x\nRET %y"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%y = XOR <@i64> %x %x\nRET %y"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%a = AND <@i64> %x @240\n%y = AND <@i64> %a @15\nRET %y"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%a = SHL <@i64> %x @8\n%y = AND <@i64> %a @15\nRET %y"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%a = ADD <@i64> %x @15\n%b = MUL <@i64> %a @240\n%y = AND <@i64> %b @15\nRET %y"},
		{"i64", field(2) + "%x = LOAD <@i8> %f\n%a = ZEXT <@i8 @i64> %x\n%y = LSHR <@i64> %a @8\nRET %y"},
		{"i8", field(1) + "%x = LOAD <@i64> %f\n%a = SHL <@i64> %x @8\n%y = TRUNC <@i64 @i8> %a\nRET %y"},
		{"i8", field(2) + "%x = LOAD <@i8> %f\n%y = AND <@i8> %x @8.0\nRET %y"},
		{"i1", field(1) + "%x = LOAD <@i64> %f\n%y = ULT <@i64> %x @0\nRET %y"},
		{"i1", field(1) + "%x = LOAD <@i64> %f\n%y = UGE <@i64> %x @0\nRET %y"},
		{"i1", field(2) + "%x = LOAD <@i8> %f\n%a = ZEXT <@i8 @i64> %x\n%y = ULT <@i64> %a @256\nRET %y"},
		{"i1", field(2) + "%x = LOAD <@i8> %f\n%a = ZEXT <@i8 @i64> %x\n%y = SLE <@i64> %a @255\nRET %y"},
		{"i1", field(2) + "%x = LOAD <@i8> %f\n%a = ZEXT <@i8 @i64> %x\n%y = EQ <@i64> %a @256\nRET %y"},
		{"i1", field(2) + "%x = LOAD <@i8> %f\n%a = ZEXT <@i8 @i64> %x\n%b = ADD <@i64> %a @8\n%y = ULT <@i64> %b @1000\nRET %y"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%a = AND <@i64> %x @15\n%y = ASHR <@i64> %a @8\nRET %y"},
		{"i64", field(2) + "%x = LOAD <@i8> %f\n%a = AND <@i8> %x @8.15\n%b = SEXT <@i8 @i64> %a\n%y = LSHR <@i64> %b @8\nRET %y"},
		{"i1", field(1) + "%x = LOAD <@i64> %f\n%y = SLE <@i64> %x %x\nRET %y"},
		{"i1", field(3) + "%x = LOAD <@d> %f\n%y = FFALSE <@d> %x %x\nRET %y"},
		{"i1", field(5) + "%x = LOAD <@i1> %f\n%y = AND <@i1> %x @1.0\nRET %y"},
		{"i64", field(6) + "%g = GETELEMIREF <@A @i64> %f @2\n%x = LOAD <@i64> %g\n%y = AND <@i64> %x @0\nRET %y"},
		{"i64", field(6) + "%x = LOAD <@A> %f\n%z = EXTRACTELEMENT <@A @i64> %x @1\n%y = AND <@i64> %z @0\nRET %y"},
		{"i64", "%x = LOAD <@S> %i\n%z = EXTRACTVALUE <@S 1> %x\n%y = AND <@i64> %z @0\nRET %y"},
		{"i64", "%p = PTRCAST <@i64 @PS> @0\n%f = GETFIELDIREF PTR <@S 1> %p\n%x = LOAD PTR <@i64> %f\n%y = AND <@i64> %x @0\nRET %y"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\n%z = AND <@i64> %x @0\n%b = EQ <@i64> %z @0\nBRANCH2 %b %q() %q()\n%q(): RET @1"},
		{"i64", field(1) + "%x = LOAD <@i64> %f\nBRANCH %n(%x @0)\n%n(<@i64> %a <@i64> %k): %y = AND <@i64> %a @0\n%j = ADD <@i64> %k @1\n%b = EQ <@i64> %j @15\nBRANCH2 %b %q(%y) %n(%a %j)\n%q(<@i64> %y): RET %y"},
	}
	var text, main strings.Builder
	text.WriteString(`.typedef @i64 = int<64> .typedef @i32 = int<32> .typedef @i8 = int<8> .typedef @i1 = int<1> .typedef @d = double .typedef @i128 = int<128>
.typedef @S = struct<@i64 @i64 @i8 @d @i128 @i1 @A> .typedef @A = array<@i64 4> .typedef @IS = iref<@S> .typedef @PS = uptr<@S> .typedef @V = uptr<@i8> .typedef @VV = uptr<@V>
.const @nil <@IS> = NULL .const @0 <@i64> = 0 .const @8.0 <@i8> = 0 .const @1.0 <@i1> = 0 .const @1 <@i64> = 1 .const @2 <@i64> = 2 .const @m1 <@i64> = -1
.const @8 <@i64> = 8 .const @15 <@i64> = 15 .const @240 <@i64> = 240 .const @255 <@i64> = 255 .const @256 <@i64> = 256 .const @1000 <@i64> = 1000 .const @8.15 <@i8> = 15
.funcsig @main.sig = (@i32 @VV) -> () .funcsig @i64.s = (@IS) -> (@i64) .funcsig @i8.s = (@IS) -> (@i8) .funcsig @i1.s = (@IS) -> (@i1)
`)
	main.WriteString(".funcdef @main VERSION %v <@main.sig> {\n%e(<@i32> %n <@VV> %v):\nSWITCH <@i32> %n %no() {")
	for i := range cases {
		fmt.Fprintf(&text, ".const @n%d <@i32> = %d\n", i, i+2)
		fmt.Fprintf(&main, " @n%d %%c%[1]d()", i)
	}
	main.WriteString(" }\n%no(): RET ()\n")
	for i, c := range cases {
		fmt.Fprintf(&text, ".funcdef @f%d VERSION %%v <@%s.s> {\n%%e(<@IS> %%i):\n%s\n}\n", i, c.typ, c.body)
		fmt.Fprintf(&main, "%%c%d():\n%%y = CALL <@%s.s> @f%[1]d (@nil)\n[%%t] TRAP <> KEEPALIVE(%%y)\nRET ()\n", i, c.typ)
	}
	main.WriteString("}\n")
	dir := t.TempDir()
	bundle := filepath.Join(dir, "masked.uir")
	if err := os.WriteFile(bundle, []byte(text.String()+main.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"-O0", "-O1"} {
		var out, errs bytes.Buffer
		if status := runChild(t, []string{"build", level, "-o", filepath.Join(dir, level), bundle}, &out, &errs); status != 0 {
			t.Fatalf("build %s: %s", level, &errs)
		}
	}
	args := []string{}
	for _, c := range cases {
		args = append(args, "x")
		var out, want bytes.Buffer
		if status := runChild(t, append([]string{"run", "-interp", bundle, "--"}, args...), &out, &want); status != 4 || !strings.Contains(want.String(), "NULL_REF") {
			t.Fatalf("%s: interpreted, status %d: %s", c.body, status, &want)
		}
		for _, level := range []string{"-O0", "-O1"} {
			var stdout, stderr bytes.Buffer
			cmd := exec.Command(filepath.Join(dir, level), args...)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			cmd.Run()
			if s := cmd.ProcessState.ExitCode(); s != 4 || stderr.String() != want.String() {
				t.Errorf("%s, %s: exit status %d\n%s%swant\n%s", level, c.body, s, &stdout, &stderr, &want)
			}
		}
	}
}
