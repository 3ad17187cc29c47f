package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeepNesting builds bodies whose blocks would be nested in hundreds of braces, more than
// the plan of a Go function allows, and expects the results of the interpreter.
func TestDeepNesting(t *testing.T) {
	const n = 150
	line := func(text string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(text, "#", fmt.Sprint(i)), "^", fmt.Sprint(i+1)) + "\n")
		}
		return b.String()
	}
	head := "%e(<@i64> %x <@i64> %c): BRANCH %b0(%x %c)\n"
	end := fmt.Sprintf("%%b%d(<@i64> %%x <@i64> %%c): RET %%x\n", n)
	step := "%b#(<@i64> %x <@i64> %c): %m = MUL <@i64> %x @5 %y = ADD <@i64> %m @3 %z = AND <@i64> %y @3 %t = EQ <@i64> %z @0 %k = SUB <@i64> %c @1 %u = SLT <@i64> %k @0\n"
	var text strings.Builder
	text.WriteString(`.typedef @i64 = int<64> .typedef @i1 = int<1> .funcsig @v_v = () -> () .funcsig @s = (@i64 @i64) -> (@i64)
.const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @2 <@i64> = 2 .const @3 <@i64> = 3 .const @5 <@i64> = 5 .const @40 <@i64> = 40 .const @900 <@i64> = 900
`)
	shapes := []string{
		// two branches that join
		head + line(step+"BRANCH2 %t %l#(%y %c) %r#(%y %c)\n%l#(<@i64> %x <@i64> %c): %a = CALL <@s> @id (%x %c) BRANCH %b^(%a %c)\n%r#(<@i64> %x <@i64> %c): %a = XOR <@i64> %x @5 BRANCH %b^(%a %c)") + end,
		// loops one after another
		head + line(step+"BRANCH2 %t %b^(%y %c) %b#(%y %k)") + end,
		// an exit from each loop, and one from all
		head + line(step+"BRANCH2 %u %l#(%y) %m#(%y %k)\n%l#(<@i64> %x): %a = CALL <@s> @id (%x %x) RET %a\n%m#(<@i64> %x <@i64> %c): %z = EQ <@i64> %x @0 BRANCH2 %z %out(%c) %b^(%x %c)") + end + "%out(<@i64> %c): RET %c\n",
		// the first target continues, and the exits join in pairs
		head + line(step+"BRANCH2 %u %m#(%y) %l#(%y %k)\n%l#(<@i64> %x <@i64> %c): %z = EQ <@i64> %x @1 BRANCH2 %z %m#(%x) %b^(%x %c)\n%m#(<@i64> %x): %a = CALL <@s> @id (%x %x) RET %a") + end,
		// switches in the default cases of switches
		head + line(step+"SWITCH <@i64> %k %b^(%y %k) { @0 %l#(%y) @1 %r#(%x %c) @40 %b^(%x %k) }\n%l#(<@i64> %x): RET %x %r#(<@i64> %x <@i64> %c): %a = ADD <@i64> %x %c RET %a") + end,
		// catches, with references that stay live
		head + line(step+"%o = NEW <@i64> %a = CALL <@s> @throw (%y %k) EXC(%b^(%a %k) %c#(%y %k))\n%c#(<@i64> %x <@i64> %c) [%exc]: %z = EQ <@i64> %x @2 BRANCH2 %z %out(%x) %b^(%x %c)") + end + "%out(<@i64> %x): RET %x\n",
	}
	text.WriteString(".funcdef @id VERSION %v <@s> { %e(<@i64> %x <@i64> %c): RET %x }\n")
	text.WriteString(".funcdef @throw VERSION %v <@s> { %e(<@i64> %x <@i64> %c): %z = AND <@i64> %x @1 %t = EQ <@i64> %z @0 BRANCH2 %t %no(%x) %yes(%x) %no(<@i64> %x): RET %x %yes(<@i64> %x): %o = NEW <@i64> THROW %o }\n")
	main := ".funcdef @main VERSION %v <@v_v> { %e():\n"
	for i, s := range shapes {
		fmt.Fprintf(&text, ".funcdef @f%d VERSION %%v <@s> {\n%s}\n", i, s)
		for k, args := range []string{"@3 @2", "@5 @40", "@1 @900"} {
			main += fmt.Sprintf("%%r%d.%d = CALL <@s> @f%d (%s)\n[%%t%d.%d] TRAP <> KEEPALIVE(%%r%[1]d.%[2]d)\n", i, k, i, args, i, k)
		}
	}
	text.WriteString(main + "RET () }\n")
	bundle := filepath.Join(t.TempDir(), "deep.uir")
	if err := os.WriteFile(bundle, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var want string
	for _, mode := range []string{"-interp", "-O0", "-O1"} {
		var out, errs bytes.Buffer
		if status := runChild(t, []string{"run", mode, bundle}, &out, &errs); status != 0 {
			t.Fatalf("%s: status %d\n%s", mode, status, &errs)
		}
		if mode == "-interp" {
			want = out.String()
			t.Log(want)
		} else if out.String() != want {
			t.Errorf("%s: got\n%swant\n%s", mode, &out, want)
		}
	}
}
