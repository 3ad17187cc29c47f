package syntax

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// parse reads a source named t.uir; the second result is what Print writes.
func parse(t testing.TB, src string) (*Bundle, string) {
	t.Helper()
	set := diag.NewSet()
	f, err := set.Add("t.uir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	errs := diag.NewList(set)
	errs.MaxErrors = -1
	b := Parse(f, NewSymbols(), errs, 0)
	var buf bytes.Buffer
	errs.Print(&buf)
	if b.Bad != errs.HasErrors() {
		t.Errorf("Bad is %v, but the errors are:\n%s", b.Bad, &buf)
	}
	return b, buf.String()
}

// good parses a source that must have no errors.
func good(t testing.TB, src string) *Bundle {
	t.Helper()
	b, errs := parse(t, src)
	if errs != "" {
		t.Fatalf("%s\n%s", src, errs)
	}
	return b
}

func source(t testing.TB, b *Bundle) string {
	t.Helper()
	var buf bytes.Buffer
	if err := Fprint(&buf, b); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// same stands for a wanted output that is equal to the input.
const same = ""

func TestDefinitions(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", same},
		{".typedef @i = int<64>", same},
		{".typedef @i=int<0x40>", ".typedef @i = int<0x40>"},
		{".typedef @f = float", same},
		{".typedef @d = double", same},
		{".typedef @v = void", same},
		{".typedef @r = ref<@i>", same},
		{".typedef @r = iref<@i>", same},
		{".typedef @r = weakref<@i>", same},
		{".typedef @r = uptr<@i>", same},
		{".typedef @s = struct<@a>", same},
		{".typedef @s = struct < @a @b\n@c >", ".typedef @s = struct<@a @b @c>"},
		{".typedef @h = hybrid<@v>", same},
		{".typedef @h = hybrid<@f1 @f2 @v>", same},
		{".typedef @a = array<@i 10>", same},
		{".typedef @a = array<@i 18446744073709551615>", same},
		{".typedef @a = vector<@i 4>", same},
		{".typedef @r = funcref<@s>", same},
		{".typedef @r = ufuncptr<@s>", same},
		{".typedef @r = threadref", same},
		{".typedef @r = stackref", same},
		{".typedef @r = framecursorref", same},
		{".typedef @r = irnoderef", same},
		{".typedef @r = tagref64", same},
		{".funcsig @s = () -> ()", same},
		{".funcsig @s = (@a @b) -> (@c)", same},
		{".funcsig @s=(@a)->(@b @c)", ".funcsig @s = (@a) -> (@b @c)"},
		{".const @c <@i> = 0", same},
		{".const @c <@i> = -0x1f", same},
		{".const @c <@i> = 017", same},
		{".const @c <@i> = +5", same},
		{".const @c <@i> = 99999999999999999999999999999999999999999999999999", same},
		{".const @c <@i> = 1.5e-3d", same},
		{".const @c <@i> = -inff", same},
		{".const @c <@i> = infd", same},
		{".const @c <@i> = nanf", same},
		{".const @c <@i> = bitsf(0x7fc00000)", same},
		{".const @c <@i> = bitsd ( -1 )", ".const @c <@i> = bitsd(-1)"},
		{".const @c <@i> = {}", same},
		{".const @c <@i> = { @a @b }", ".const @c <@i> = {@a @b}"},
		{".const @c <@i> = NULL", same},
		{`.const @c <@i> = EXTERN "write"`, same},
		{`.const @c <@i> = EXTERN ""`, same},
		{".global @g <@i>", same},
		{".funcdecl @f <@s>", same},
		{".expose @e = @f #DEFAULT @c", same},
		{".typedef @a = void .typedef @b = void", ".typedef @a = void\n.typedef @b = void"},
		{"// only a comment", "\n"},
		{"\xef\xbb\xbf.typedef @v = void\r\n.typedef @w = void\r\n", ".typedef @v = void\n.typedef @w = void"},
		{".funcdef @f VERSION %v1 <@s> {\n%a():\nRET ()\n}", same},
		{".funcdef @f VERSION @f.v <@s> {\n%a():\nRET ()\n@b(<@i> %x <@i> @y):\nRET ()\n%c() [%e]:\nRET ()\n%d(<@i> %x) [@e]:\nRET ()\n}", same},
		{".funcdef@f VERSION%v1<@s>{%a():RET()%b(<@i>%x)[%e]:RET()}", ".funcdef @f VERSION %v1 <@s> {\n%a():\nRET ()\n%b(<@i> %x) [%e]:\nRET ()\n}"},
	}
	for _, tt := range tests {
		got := strings.TrimSuffix(source(t, good(t, tt.src)), "\n")
		want := strings.TrimSuffix(tt.want, "\n")
		if tt.want == same {
			want = tt.src
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, want)
		}
	}
}

// inBlock returns a function with these instructions.
func inBlock(insts string) string {
	return ".funcdef @f VERSION %v <@s> {\n%a(<@i> %x):\n" + insts + "\n}\n"
}

func TestInstructions(t *testing.T) {
	tests := []struct{ src, want string }{
		{"%r = SELECT <@i1 @i> %c %a %b", same},
		{"BRANCH %b()", same},
		{"BRANCH %b(%x %y @C)", same},
		{"BRANCH2 %c %a(%x) %b()", same},
		{"SWITCH <@i> %x %d() { }", same},
		{"SWITCH <@i> %x %d(%y) {@C1 %a() @C2 %b(%x %y)}", "SWITCH <@i> %x %d(%y) { @C1 %a() @C2 %b(%x %y) }"},
		{"CALL <@s> @g ()", same},
		{"%r = CALL <@s> %g (%x @C) EXC( %n(%r) %e() ) KEEPALIVE(%x %y)", "%r = CALL <@s> %g (%x @C) EXC ( %n(%r) %e() ) KEEPALIVE(%x %y)"},
		{"CALL <@s> @g () KEEPALIVE()", same},
		{"TAILCALL <@s> @g (%x)", same},
		{"RET ()", same},
		{"RET %x", "RET (%x)"},
		{"RET (%x %y)", same},
		{"THROW %x", same},
		{"%r = EXTRACTVALUE <@s 0> %x", same},
		{"%r = INSERTVALUE <@s 0x10> %x %y", same},
		{"%r = EXTRACTELEMENT <@a @i> %x %y", same},
		{"%r = INSERTELEMENT <@a @i> %x %y %z", same},
		{"%r = SHUFFLEVECTOR <@v @m> %x %y %z", same},
		{"%r = NEW <@t>", same},
		{"%r = NEW <@t> EXC ( %a(%r) %b() )", same},
		{"%r = ALLOCA <@t>", same},
		{"%r = NEWHYBRID <@t @i> %n", same},
		{"%r = ALLOCAHYBRID <@t @i> %n EXC ( %a(%r) %b() )", same},
		{"%r = GETIREF <@t> %x", same},
		{"%r = GETFIELDIREF <@t 3> %x", same},
		{"%r = GETFIELDIREF PTR <@t 3> %x", same},
		{"%r = GETELEMIREF <@t @i> %x %y", same},
		{"%r = GETELEMIREF PTR <@t @i> %x %y", same},
		{"%r = SHIFTIREF <@t @i> %x %y", same},
		{"%r = SHIFTIREF PTR <@t @i> %x %y", same},
		{"%r = GETVARPARTIREF <@t> %x", same},
		{"%r = GETVARPARTIREF PTR <@t> %x", same},
		{"%r = LOAD <@t> %x", same},
		{"%r = LOAD PTR SEQ_CST <@t> %x EXC ( %a(%r) %b() )", same},
		{"STORE <@t> %x %y", same},
		{"STORE RELEASE <@t> %x %y", same},
		{"STORE PTR NOT_ATOMIC <@t> %x %y", same},
		{"(%o %s) = CMPXCHG SEQ_CST ACQUIRE <@t> %x %y %z", same},
		{"(%o %s) = CMPXCHG PTR WEAK ACQ_REL RELAXED <@t> %x %y %z EXC ( %a() %b() )", same},
		{"FENCE SEQ_CST", same},
		{"TRAP <>", same},
		{"(%p %q) = TRAP <@i @i> EXC ( %a(%p) %b() ) KEEPALIVE(%x)", same},
		{"WATCHPOINT 1 <> %d() %e()", same},
		{"%r = WATCHPOINT 4294967295 <@i> %d(%x) %e(%r) WPEXC ( %c() ) KEEPALIVE(%x)", same},
		{"WPBRANCH 7 %d() %e(%x)", same},
		{"%r = CCALL #DEFAULT <@p @s> %f (%x) EXC ( %a() %b() ) KEEPALIVE(%x)", same},
		{"%r = NEWTHREAD %s PASS_VALUES <> ()", same},
		{"%r = NEWTHREAD %s THREADLOCAL(%t) PASS_VALUES <@i @j> (%x %y) EXC ( %a(%r) %b() )", same},
		{"%r = NEWTHREAD %s THROW_EXC %e", same},
		{"SWAPSTACK %s RET_WITH <> PASS_VALUES <> ()", same},
		{"%r = SWAPSTACK %s RET_WITH <@i> THROW_EXC %e EXC ( %a(%r) %b() ) KEEPALIVE(%x)", same},
		{"SWAPSTACK %s KILL_OLD PASS_VALUES <@i> (%x)", same},
		{"COMMINST @uvm.thread_exit", same},
		{"COMMINST @c ()", same},
		{"%r = COMMINST @c [#A #B] <@t @u> <[@s @z]> (%x %y) EXC ( %a() %b() ) KEEPALIVE()", same},
		{"%r = COMMINST @c [#A]", same},
		{"%r = COMMINST @c []", "%r = COMMINST @c"},
		{"%r = COMMINST @c <@t>", same},
		{"%r = COMMINST @c <>", "%r = COMMINST @c"},
		{"%r = COMMINST @c <[@s]>", same},
		{"%r = COMMINST @c < [ @s ] > (%x)", "%r = COMMINST @c <[@s]> (%x)"},
		{"%r = COMMINST @c <> <[]> ()", "%r = COMMINST @c ()"},

		// names and results (notes 1, 2, 5)
		{"() = TRAP <>", "TRAP <>"},
		{"(%r) = ADD <@i> %x %y", "%r = ADD <@i> %x %y"},
		{"@r = [@n] ADD <@i> %x @y", same},
		{"[%n] TRAP <>", same},
		{"(%a %b) = [%n] TRAP <@i @i>", same},
		{"COMMINST @c\n[%n] TRAP <>", same},
		{"COMMINST @c [%n] TRAP <>", "COMMINST @c\n[%n] TRAP <>"},
		{"COMMINST @c [#A] [%n] TRAP <>", "COMMINST @c [#A]\n[%n] TRAP <>"},
		{"COMMINST @c\n(%a %b) = TRAP <@i @i>", same},
		{"COMMINST @c\n() = TRAP <>", "COMMINST @c\nTRAP <>"},
		{"COMMINST @c (%x)\n(%a %b) = TRAP <@i @i>", same},
		{"COMMINST @c (%x) (%a) = TRAP <@i>", "COMMINST @c (%x)\n%a = TRAP <@i>"},
		{"%r = ADD <@i> %x %y %z = SUB <@i> %r %r", "%r = ADD <@i> %x %y\n%z = SUB <@i> %r %r"},
		{"STORE <@i> %x %y\n(%a %b) = TRAP <@i @i>", same},
		{"%r = ADD <@i>\n  %x\n  %y\n RET\n %r", "%r = ADD <@i> %x %y\nRET (%r)"},
		{"RET // c\n(%x // d\n)//e", "RET (%x)"},
	}
	for op := NoOp + 1; op < NumOps; op++ {
		add := func(format string) {
			tests = append(tests, struct{ src, want string }{fmt.Sprintf(format, op), same})
		}
		switch op.Form() {
		case FormBin:
			add("%%r = %s <@t> %%x @y")
			add("%%r = %s <@t> %%x @y EXC ( %%a(%%r) %%b() )")
		case FormCmp:
			add("%%r = %s <@t> %%x @y")
		case FormConv:
			add("%%r = %s <@t @u> %%x")
		}
	}
	for r := RMWXchg; r <= RMWUMin; r++ {
		s := fmt.Sprintf("%%r = ATOMICRMW ACQ_REL %s <@t> %%x %%y", r)
		p := fmt.Sprintf("%%r = ATOMICRMW PTR SEQ_CST %s <@t> %%x %%y EXC ( %%a(%%r) %%b() )", r)
		tests = append(tests, struct{ src, want string }{s, same}, struct{ src, want string }{p, same})
	}
	for o := NotAtomic; o <= SeqCst; o++ {
		s := fmt.Sprintf("%%r = LOAD %s <@t> %%x", o)
		tests = append(tests, struct{ src, want string }{s, same})
	}
	for _, tt := range tests {
		want := tt.want
		if want == same {
			want = tt.src
		}
		if got := source(t, good(t, inBlock(tt.src))); got != inBlock(want) {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, inBlock(want))
		}
	}
}

// TestMnemonics checks the op table, which is generated, against the lists of the
// grammar.
func TestMnemonics(t *testing.T) {
	groups := []struct {
		in    func(Form) bool
		names string
	}{
		{func(f Form) bool { return f == FormBin }, "ADD SUB MUL UDIV SDIV UREM SREM SHL LSHR ASHR AND OR XOR FADD FSUB FMUL FDIV FREM"},
		{func(f Form) bool { return f == FormCmp }, "EQ NE SGT SLT SGE SLE UGT ULT UGE ULE FTRUE FFALSE FUNO FUEQ FUNE " +
			"FUGT FULT FUGE FULE FORD FOEQ FONE FOGT FOLT FOGE FOLE"},
		{func(f Form) bool { return f == FormConv }, "TRUNC ZEXT SEXT FPTRUNC FPEXT FPTOUI FPTOSI UITOFP SITOFP BITCAST REFCAST PTRCAST"},
		{func(f Form) bool { return f > FormConv }, "SELECT BRANCH BRANCH2 SWITCH CALL TAILCALL RET THROW " +
			"EXTRACTVALUE INSERTVALUE EXTRACTELEMENT INSERTELEMENT SHUFFLEVECTOR NEW ALLOCA NEWHYBRID ALLOCAHYBRID " +
			"GETIREF GETFIELDIREF GETELEMIREF SHIFTIREF GETVARPARTIREF LOAD STORE CMPXCHG ATOMICRMW FENCE TRAP " +
			"WATCHPOINT WPBRANCH CCALL NEWTHREAD SWAPSTACK COMMINST"},
	}
	all := 0
	for _, g := range groups {
		var got []string
		for op := NoOp + 1; op < NumOps; op++ {
			if g.in(op.Form()) {
				got = append(got, op.String())
			}
		}
		want := strings.Fields(g.names)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf(" got %s\nwant %s", got, want)
		}
		all += len(got)
	}
	if all != int(NumOps)-1 {
		t.Errorf("%d ops have a form, of %d", all, int(NumOps)-1)
	}
	if NoOp.String() != "none" || NumOps.String() != "none" {
		t.Error("what is no op has a mnemonic")
	}
}

// TestFields checks that parts are in the fields that the tree documents.
func TestFields(t *testing.T) {
	src := inBlock(`(%o %s) = [%n] CMPXCHG PTR WEAK ACQ_REL RELAXED <@t> %l %e %d EXC(%nor(%o) %exc())
SWITCH <@t> %x %def(%p) { @K1 %b1() @K2 %b2(%q %r) }
%c = CCALL #DEFAULT <@fp @sig> %callee (%a1 %a2) KEEPALIVE()
WATCHPOINT 9 <@t> %dis() %ena() WPEXC(%exc(%z)) KEEPALIVE(%k)
%t = NEWTHREAD %st THREADLOCAL(%tl) THROW_EXC %ex
SWAPSTACK %st RET_WITH <@rt> PASS_VALUES <@pt> (%pv)
COMMINST @cc [#F] <@ty> <[@sg]> (%ar)
%g = GETFIELDIREF <@t 12> %x`)
	b := good(t, src)
	sp := b.Spelling
	list := func(ns []Name) string {
		var s []string
		for _, n := range ns {
			s = append(s, sp(n))
			if got := b.Text(n.Off, n.Off+Off(len(sp(n)))); got != sp(n) {
				t.Errorf("%s stands where the source has %s", sp(n), got)
			}
		}
		return strings.Join(s, " ")
	}
	dests := func(ds []Dest) string {
		var s []string
		for _, d := range ds {
			s = append(s, sp(d.Block)+"("+list(d.Args)+")")
		}
		return strings.Join(s, " ")
	}
	f := b.Defs[0].(*FuncDef)
	in := f.Blocks[0].Insts
	check := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	check("version", sp(f.Version), "%v")
	check("signature", sp(f.Sig), "@s")
	check("braces", b.Text(f.Open, f.Open+1)+b.Text(f.Close, f.Close+1), "{}")
	check("parameter", sp(f.Blocks[0].Params[0].Type)+sp(f.Blocks[0].Params[0].Name), "@i%x")
	check("counts", fmt.Sprint(b.Blocks, b.Insts), "1 8")

	x := in[0]
	check("offsets", b.Text(x.Off, x.Off+2)+b.Text(x.OpOff, x.OpOff+7), "(%CMPXCHG")
	check("results", list(x.Results), "%o %s")
	check("name", sp(x.Name), "%n")
	check("flags", x.Flags, Ptr|Weak|HasExc)
	check("orders", fmt.Sprint(x.Order, x.OrdFail), "ACQ_REL RELAXED")
	check("operands", list(x.Types)+" "+list(x.Args), "@t %l %e %d")
	nor, exc := x.Exc()
	check("exc", dests([]Dest{*nor, *exc}), "%nor(%o) %exc()")

	x = in[1]
	check("switch", list(x.Args)+" "+dests(x.Dests), "%x @K1 @K2 %def(%p) %b1() %b2(%q %r)")
	if nor, _ := x.Exc(); nor != nil {
		t.Error("a SWITCH has an EXC clause")
	}

	x = in[2]
	check("ccall", list(x.Ext.Flags)+" "+list(x.Types)+" "+sp(x.Sig)+" "+list(x.Args), "#DEFAULT @fp @sig %callee %a1 %a2")
	check("keep", x.Flags, HasKeep)

	x = in[3]
	check("watchpoint", fmt.Sprint(x.Int.Lo)+" "+list(x.Types)+" "+dests(x.Dests)+" "+list(x.Keep), "9 @t %dis() %ena() %exc(%z) %k")
	check("flags", x.Flags, HasWPEx|HasKeep)

	x = in[4]
	check("newthread", list(x.Args)+" "+sp(x.Ext.ThreadLocal)+" "+sp(x.Ext.Throw), "%st %tl %ex")
	check("new stack", x.Ext.New, ThrowExc)
	check("place", b.Text(x.Ext.NewOff, x.Ext.NewOff+9), "THROW_EXC")

	x = in[5]
	check("swapstack", list(x.Args)+" "+list(x.Ext.RetTypes)+" "+list(x.Ext.PassTypes)+" "+list(x.Ext.PassArgs), "%st @rt @pt %pv")
	check("stacks", fmt.Sprint(x.Ext.Cur, x.Ext.New), fmt.Sprint(RetWith, PassValues))
	check("place", b.Text(x.Ext.CurOff, x.Ext.CurOff+8), "RET_WITH")

	x = in[6]
	check("comminst", sp(x.Ext.Common)+" "+list(x.Ext.Flags)+" "+list(x.Types)+" "+list(x.Ext.Sigs)+" "+list(x.Args), "@cc #F @ty @sg %ar")

	x = in[7]
	check("field", fmt.Sprint(x.Int.Lo)+b.Text(x.Int.Off, x.Int.End), "1212")
}

func TestConstFields(t *testing.T) {
	b := good(t, `.const @a <@i> = -5
.const @b <@d> = bitsd(0x10)
.const @c <@p> = EXTERN "f g"`)
	c := b.Defs[0].(*ConstDef)
	if c.Kind != ConstInt || !c.Int.Neg || c.Int.Lo != 5 || c.ValOff != c.Int.Off || b.Text(c.Int.Off, c.Int.End) != "-5" {
		t.Errorf("%+v", c)
	}
	c = b.Defs[1].(*ConstDef)
	if c.Kind != ConstFP || !c.FP.Double || c.FP.Bits.Lo != 16 || b.Text(c.FP.Off, c.FP.End) != "bitsd(0x10)" {
		t.Errorf("%+v", c)
	}
	c = b.Defs[2].(*ConstDef)
	if c.Kind != ConstExtern || c.Symbol != "f g" || b.Text(c.StrOff, c.StrOff+1) != `"` {
		t.Errorf("%+v", c)
	}
}

func TestComments(t *testing.T) {
	src := "// one\n.typedef @v = void // two\r\n//three"
	set := diag.NewSet()
	f, _ := set.Add("t.uir", []byte(src))
	b := Parse(f, NewSymbols(), diag.NewList(set), WithComments)
	var got []string
	for _, c := range b.Comments {
		got = append(got, b.Text(c.Off, c.End))
	}
	if s := strings.Join(got, "|"); s != "// one|// two|//three" {
		t.Errorf("got %s", s)
	}
}

// TestSharedSymbols reads two bundles into one table.
func TestSharedSymbols(t *testing.T) {
	set, syms := diag.NewSet(), NewSymbols()
	errs := diag.NewList(set)
	f1, _ := set.Add("1", []byte(".typedef @v = void"))
	f2, _ := set.Add("2", []byte("\n.global @g <@v>"))
	b1 := Parse(f1, syms, errs, 0)
	b2 := Parse(f2, syms, errs, 0)
	g := b2.Defs[0].(*GlobalDef)
	if _, n := b1.Defs[0].Head(); n.Sym != g.Type.Sym {
		t.Error("one name has two symbols")
	}
	if got := set.Position(b2.Pos(g.Type.Off)).String(); got != "2:2:13" {
		t.Errorf("got %s", got)
	}
}
