package lex

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

var (
	mu   = NewDialect("@%", "=<>(){}[]:", true)
	hail = NewDialect("@$", "=<>{}[]()&*", false)
)

var kindNames = map[Kind]string{EOF: "eof", Bad: "bad", Ident: "name", Flag: "flag", Int: "int", FP: "fp", Word: "word", Str: "str", Arrow: "arrow"}

// tokens gives the tokens of src, each as KIND:TEXT; Bad ones as bad@COL:MESSAGE.
func tokens(src string, d *Dialect) string {
	s := NewScanner([]byte(src), d, false)
	var out []string
	for {
		t := s.Next()
		if t.Kind == EOF {
			return strings.Join(out, " ")
		}
		if t.Kind == Bad {
			off, msg := t.Problem([]byte(src))
			out = append(out, fmt.Sprintf("bad@%d:{%s}", off+1, msg))
			continue
		}
		k, ok := kindNames[t.Kind]
		if !ok {
			k = "p"
		}
		out = append(out, k+":"+src[t.Off:t.End])
	}
}

// The forms are those of the table in docs/language.md, "Text".
func TestTokens(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", ""},
		{" \t\r\n", ""},
		{"// c\n@a//b\r%c", "name:@a name:%c"},
		{"//", ""},
		{"// \xff\x00é\n@a", "name:@a"},
		{"\xef\xbb\xbf@a", "name:@a"},

		{"@a %b", "name:@a name:%b"},
		{"@4xfloat @1 @- @. @a.b-c_D9", "name:@4xfloat name:@1 name:@- name:@. name:@a.b-c_D9"},
		{"%a.b-c. %a-", "name:%a.b-c. name:%a-"},
		{"@-1_i64 @0.01d_dbl", "name:@-1_i64 name:@0.01d_dbl"},
		{"@i64->", "name:@i64- p:>"}, // greedy
		{"%a)", "name:%a p:)"},
		{"@i64@i1 %a@b%c", "name:@i64 name:@i1 name:%a name:@b name:%c"}, // a sigil begins a new name
		{"1%a -0x1f@b 1.5d@c nanf%d +inff@e", "int:1 name:%a int:-0x1f name:@b fp:1.5d name:@c fp:nanf name:%d fp:+inff name:@e"},
		{`#A@b "x"@c`, `flag:#A name:@b str:"x" name:@c`},
		{"%a//x", "name:%a"},
		{"#DEFAULT #A_B", "flag:#DEFAULT flag:#A_B"},

		{"0 1 42 +7 -7", "int:0 int:1 int:42 int:+7 int:-7"},
		{"00 017 -0 +017", "int:00 int:017 int:-0 int:+017"},
		{"0x0 0xdeadBEEF -0xf +0x1", "int:0x0 int:0xdeadBEEF int:-0xf int:+0x1"},
		{"1.5d 0.0f -1.25e10d +1.0e-5f 00.10e+2d 0.0f", "fp:1.5d fp:0.0f fp:-1.25e10d fp:+1.0e-5f fp:00.10e+2d fp:0.0f"},
		{"089.5d", "fp:089.5d"}, // octal is a matter of integers
		{"+inff -infd inff infd nanf nand", "fp:+inff fp:-infd fp:inff fp:infd fp:nanf fp:nand"},
		{"1=2:3", "int:1 p:= int:2 p:: int:3"},

		{`"" "a b" "~!%@"`, `str:"" str:"a b" str:"~!%@"`},
		{`EXTERN"x"`, `word:EXTERN str:"x"`},
		{".typedef int ADD BRANCH2 NOT_ATOMIC a_1", "word:.typedef word:int word:ADD word:BRANCH2 word:NOT_ATOMIC word:a_1"},
		{"VERSION%v1", "word:VERSION name:%v1"},
		{"=<>(){}[]:->", "p:= p:< p:> p:( p:) p:{ p:} p:[ p:] p:: arrow:->"},
		{"<[@a]>", "p:< p:[ name:@a p:] p:>"},
		{"< [ @a ] >", "p:< p:[ name:@a p:] p:>"},
		{")->(", "p:) arrow:-> p:("},
		{"inf nan inffx nanf2", "word:inf word:nan word:inffx word:nanf2"},
	}
	for _, tt := range tests {
		if got := tokens(tt.src, mu); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestBadTokens(t *testing.T) {
	tests := []struct{ src, want string }{
		// A literal or name ends at white space or a delimiter; anything else
		// directly after it is an error at that place.
		{"5.const", "bad@2:{unexpected .const directly behind 5: white space wanted}"},
		{"5abc", "bad@2:{unexpected abc directly behind 5: white space wanted}"},
		{"0x1g", "bad@4:{unexpected g directly behind 0x1: white space wanted}"},
		{"1.5dx", "bad@5:{unexpected x directly behind 1.5d: white space wanted}"},
		{"1$a", "bad@2:{unexpected $a directly behind 1: white space wanted}"}, // no sigil of bundles
		{"%a/b", "bad@3:{unexpected /b directly behind %a: comments begin with //}"},
		{"#Ab", "bad@3:{unexpected b directly behind #A: white space wanted}"},
		{"#A#B", "bad@3:{unexpected #B directly behind #A: white space wanted}"},
		{"nanf.x", "bad@5:{unexpected .x directly behind nanf: white space wanted}"},
		{"-inff-", "bad@6:{unexpected - directly behind -inff: white space wanted}"},
		{`"a"b`, `bad@4:{unexpected b directly behind "a": white space wanted}`},
		{"%aé ", "bad@3:{unexpected character 'é' (U+00E9): only comments may hold anything but ASCII}"},
		{"1-2", "bad@2:{unexpected -2 directly behind 1: white space wanted}"},

		{"08", "bad@1:{bad integer 08: a leading 0 means octal, which has no digits 8 and 9}"},
		{"-0179", "bad@1:{bad integer -0179: a leading 0 means octal, which has no digits 8 and 9}"},
		{"0X1", "bad@1:{bad integer 0X1: the hexadecimal prefix is 0x}"},
		{"-0X1", "bad@1:{bad integer -0X1: the hexadecimal prefix is 0x}"},
		{"0x", "bad@1:{bad integer 0x: hexadecimal digits wanted behind 0x}"},
		{"0xg", "bad@1:{bad integer 0xg: hexadecimal digits wanted behind 0x}"},
		{"1d", "bad@1:{bad floating-point literal 1d: it needs a fraction, as in 1.0d or 1.0e5f}"},
		{"-1f", "bad@1:{bad floating-point literal -1f: it needs a fraction, as in 1.0d or 1.0e5f}"},
		{"1e5d", "bad@1:{bad floating-point literal 1e5d: it needs a fraction, as in 1.0d or 1.0e5f}"},
		{"1.", "bad@1:{bad floating-point literal 1.: it needs a fraction, as in 1.0d or 1.0e5f}"},
		{"1.d", "bad@1:{bad floating-point literal 1.d: it needs a fraction, as in 1.0d or 1.0e5f}"},
		{"1.0", "bad@1:{bad floating-point literal 1.0: it ends with f or d, as in 1.5f or 1.0e-5d}"},
		{"1.0D", "bad@1:{bad floating-point literal 1.0D: it ends with f or d, as in 1.5f or 1.0e-5d}"},
		{"1.0E5d", "bad@1:{bad floating-point literal 1.0E5d: it ends with f or d, as in 1.5f or 1.0e-5d}"},
		{"1.0e", "bad@1:{bad floating-point literal 1.0e: it ends with f or d, as in 1.5f or 1.0e-5d}"},
		{"-inf", "bad@1:{bad floating-point literal -inf: infinity ends with f or d, as in +inff or -infd}"},
		{"+nand", "bad@1:{bad floating-point literal +nand: nanf and nand have no sign}"},

		{"@", "bad@1:{bad name: @ stands alone}"},
		{"@ x", "bad@1:{bad name: @ stands alone} word:x"},
		{"%!", "bad@1:{bad name %!: a name has letters, digits, _, . and -}"},
		{"# a", "bad@1:{unexpected character #: comments begin with //} word:a"},
		{"#default", "bad@1:{bad flag #default: a flag has capital letters and _, as in #DEFAULT; comments begin with //}"},
		{`"abc`, "bad@1:{bad string: no closing quote on the line}"},
		{"\"abc\n\"", "bad@1:{bad string: no closing quote on the line} bad@6:{bad string: no closing quote on the line}"},
		{"\"a\tb\" @c", "bad@3:{bad string: unexpected control character 0x09} name:@c"},
		{"\"é\" @c", "str:\"é\" name:@c"},
		{"\"a\xff\"", "bad@3:{bad string: byte 0xff is not UTF-8}"},

		// What other languages write.
		{"; @a", "bad@1:{unexpected character ;: comments begin with //, and lines end without a mark} name:@a"},
		{"@a;", "bad@3:{unexpected ; directly behind @a: comments begin with //, and lines end without a mark}"},
		{"@a,", "bad@3:{unexpected , directly behind @a: white space alone separates names}"},
		{"(,", "p:( bad@2:{unexpected character ,: white space alone separates names}"},
		{"/ /", "bad@1:{unexpected character /: comments begin with //} bad@3:{unexpected character /: comments begin with //}"},
		{"-- a", "bad@1:{unexpected character -: comments begin with //} bad@2:{unexpected character -} word:a"},
		{"'a'", "bad@1:{unexpected character ': a character is written as its number} word:a bad@3:{unexpected character ': a character is written as its number}"},
		{"$a", "bad@1:{unexpected character $: names begin with @ or %} word:a"},
		{"0b1 10b1", "bad@2:{unexpected b1 directly behind 0: integers are decimal, octal after 0, or hexadecimal after 0x} " +
			"bad@7:{unexpected b1 directly behind 10: white space wanted}"},
		{"1_000", "bad@2:{unexpected _000 directly behind 1: digits are written without _}"},

		{"- +", "bad@1:{unexpected character -} bad@3:{unexpected character +}"},
		{". ._", "bad@1:{unexpected character .} bad@3:{unexpected character .} bad@4:{unexpected character _}"},
		{"\x00", "bad@1:{unexpected NUL byte}"},
		{"\x7f\x0c", "bad@1:{unexpected control character 0x7f} bad@2:{unexpected control character 0x0c}"},
		{"éü", "bad@1:{unexpected character 'é' (U+00E9): only comments may hold anything but ASCII}"},
		{"\xff\xfe", "bad@1:{unexpected byte 0xff: only comments may hold anything but ASCII}"},
		{"@a \xef\xbb\xbf", "name:@a bad@4:{unexpected byte order mark: it may stand at the beginning of the file only}"},
		{"@" + strings.Repeat("x", 100) + "!", "bad@102:{unexpected ! directly behind @" + strings.Repeat("x", 59) + "...: white space wanted}"},
	}
	for _, tt := range tests {
		if got := tokens(tt.src, mu); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

// HAIL has other sigils and punctuation, and no flags, strings or arrows
// (docs/hail.md).
// TestBareNames: words that are not keywords are names (docs/language.md, "The form of muc").
func TestBareNames(t *testing.T) {
	d := NewDialect("@%", "=<>(){}[]:", true).BareNames(NewKeywords([]string{"", "ADD", "int", ".typedef"}))
	for _, tt := range []struct{ src, want string }{
		{"a _b a.b-c_D9 @a %a", "name:a name:_b name:a.b-c_D9 name:@a name:%a"},
		{"ADD int<8> .typedef ADDS int.x int-", "word:ADD word:int p:< int:8 p:> word:.typedef name:ADDS name:int.x name:int-"},
		{"inff nand inff.x nanf-1 infdd", "fp:inff fp:nand name:inff.x name:nanf-1 name:infdd"},
		{"a<b>(c)->(d) e//f", "name:a p:< name:b p:> p:( name:c p:) arrow:-> p:( name:d p:) name:e"},
		{"a@b 1.5dx", "name:a name:@b bad@9:{unexpected x directly behind 1.5d: white space wanted}"},
		{"a;", "bad@2:{unexpected ; directly behind a: comments begin with //, and lines end without a mark}"},
	} {
		if got := tokens(tt.src, d); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
	if got := tokens("a _b", mu); got == "name:a name:_b" {
		t.Error("the dialect without bare names has them")
	}
}

// TestAsWritten: names in messages lose their sigils if the text leaves these out.
func TestAsWritten(t *testing.T) {
	syms := NewSymbols()
	bare := map[Sym]bool{syms.InternString("@f"): true, syms.InternString("%x"): true}
	syms.InternString("@x")
	for msg, want := range map[string]string{
		"unknown name %x; did you mean @x?": "unknown name x; did you mean @x?",
		"@f.v1.b: ref<@f> @fx %x.y 5% @":    "f.v1.b: ref<f> @fx x.y 5% @",
	} {
		if got := AsWritten(msg, syms, bare); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestHailTokens(t *testing.T) {
	tests := []struct{ src, want string }{
		{".init $a[3] = {@b &$c *@d}", "word:.init name:$a p:[ int:3 p:] p:= p:{ name:@b p:& name:$c p:* name:@d p:}"},
		{"$1-.x", "name:$1-.x"},
		{"$a$b@c 1$d", "name:$a name:$b name:@c int:1 name:$d"},
		{"%a", "bad@1:{unexpected character %} word:a"},
		{"#A", "bad@1:{unexpected character #: comments begin with //} word:A"},
		{"->", "bad@1:{unexpected character -} p:>"},
		{`"`, `bad@1:{unexpected character "}`},
	}
	for _, tt := range tests {
		if got := tokens(tt.src, hail); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestNewLines(t *testing.T) {
	s := NewScanner([]byte("\xef\xbb\xbfa b\nc // x\n// y\rd e"), mu, true)
	want := []bool{true, false, true, true, false, true}
	for i, w := range want {
		if tok := s.Next(); tok.NL != w {
			t.Errorf("token %d: NL is %v", i, tok.NL)
		}
	}
	s.SeekTo(3)
	for range want {
		s.Next()
	}
	if n := len(s.Comments()); n != 2 {
		t.Errorf("%d comments after a second pass, want 2", n)
	}
}

func TestParseInt(t *testing.T) {
	two128 := new(big.Int).Lsh(big.NewInt(1), 128)
	for _, text := range []string{
		"0", "-0", "+0", "00", "7", "-7", "+7", "017", "-017", "0x1f", "-0xFF", "9223372036854775808",
		"18446744073709551615", "18446744073709551616", "-18446744073709551616", "0xffffffffffffffff", "0x10000000000000000",
		"340282366920938463463374607431768211455", "340282366920938463463374607431768211456",
		"-340282366920938463463374607431768211457", "0x123456789abcdef0123456789abcdef", "0xffffffffffffffffffffffffffffffff",
		"0x100000000000000000000000000000000", "0777777777777777777777777777777777777777777777777777777777",
		"576460752303423487", "576460752303423488", "5764607523034234879", strings.Repeat("9", 5000), "1" + strings.Repeat("0", 300),
	} {
		tok := firstToken(text)
		if tok.Kind != Int {
			t.Errorf("%s is no integer", text)
			continue
		}
		l := ParseInt([]byte(text), tok)
		want, ok := new(big.Int).SetString(strings.TrimPrefix(text, "+"), 0)
		if !ok {
			t.Fatal(text)
		}
		mag := new(big.Int).Abs(want)
		if l.TooBig != (mag.Cmp(two128) >= 0) {
			t.Errorf("%s: TooBig is %v", text, l.TooBig)
		}
		got := new(big.Int).SetUint64(l.Hi)
		got.Lsh(got, 64).Or(got, new(big.Int).SetUint64(l.Lo))
		if w := new(big.Int).Mod(mag, two128); got.Cmp(w) != 0 {
			t.Errorf("%s: magnitude is %v, want %v", text, got, w)
		}
		hi, lo := l.Bits()
		got.SetUint64(hi)
		got.Lsh(got, 64).Or(got, new(big.Int).SetUint64(lo))
		if w := new(big.Int).Mod(want, two128); got.Cmp(w) != 0 {
			t.Errorf("%s: bits are %x, want %x", text, got, w)
		}
		if l.IsUint64() != want.IsUint64() {
			t.Errorf("%s: IsUint64 is %v", text, l.IsUint64())
		}
	}
}

// firstToken gives the first token of a text.
func firstToken(text string) Token {
	s := NewScanner([]byte(text), mu, false)
	return s.Next()
}

func TestParseFP(t *testing.T) {
	tests := []struct {
		text string
		want FPLit
	}{
		{"1.5d", FPLit{Double: true}},
		{"-1.5f", FPLit{Neg: true}},
		{"+infd", FPLit{Form: FPInf, Double: true}},
		{"-inff", FPLit{Form: FPInf, Neg: true}},
		{"inff", FPLit{Form: FPInf}},
		{"nand", FPLit{Form: FPNaN, Double: true}},
	}
	for _, tt := range tests {
		tt.want.End = Off(len(tt.text))
		if got := ParseFP([]byte(tt.text), firstToken(tt.text)); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

func TestSymbols(t *testing.T) {
	tab := NewSymbols()
	a, b, c := tab.Intern([]byte("@x")), tab.Intern([]byte("%x")), tab.Intern([]byte("#X"))
	if a == b || a == c || a == 0 || b == 0 {
		t.Errorf("symbols %d, %d, %d", a, b, c)
	}
	if a.Local() || !b.Local() || c.Local() {
		t.Error("only the second is local")
	}
	if tab.Intern([]byte("@x")) != a || tab.Lookup("%x") != b || tab.Lookup("@y") != 0 {
		t.Error("a spelling has two symbols")
	}
	if tab.String(b) != "%x" || tab.String(0) != "" || tab.Len() != 4 || c.Index() != 3 {
		t.Error("wrong spelling or index")
	}
}

// A string has the symbol of the same bytes, and no other after Grow.
func TestInternString(t *testing.T) {
	tab := NewSymbols()
	name := func(i int) string { return "@" + strconv.Itoa(i) }
	var syms []Sym
	for i := range 3000 {
		if i == 10 {
			tab.Grow(2000)
		}
		if i%2 == 0 {
			syms = append(syms, tab.Intern([]byte(name(i))))
		} else {
			syms = append(syms, tab.InternString(name(i)))
		}
	}
	for i, s := range syms {
		if a, b := tab.Intern([]byte(name(i))), tab.InternString(name(i)); a != s || b != s || tab.Lookup(name(i)) != s || tab.String(s) != name(i) {
			t.Fatalf("%s has the symbols %d, %d and %d", name(i), s, a, b)
		}
	}
	if tab.Len() != 3001 || tab.InternString("%x").Local() == tab.InternString("@x").Local() {
		t.Error("wrong number or sort of symbols")
	}
}

func TestReserve(t *testing.T) {
	tab := NewSymbols()
	x := tab.Intern([]byte("%x"))
	first := tab.Reserve(3)
	copy(tab.Spellings(first, 3), []string{"%x", "%x", "%z"})
	if !first.Local() || first == x || tab.String(first) != "%x" || tab.String(first+2) != "%x" || tab.Lookup("%x") != x || tab.Lookup("%z") != 0 {
		t.Error("symbols of their own are not apart from those of spellings")
	}
	if y := tab.Intern([]byte("%y")); y != first+6 {
		t.Errorf("the next symbol is %d, want %d", y, first+6)
	}
	tab.Spellings(first+2, 1)[0] = "%w"
	if tab.String(first+2) != "%w" || tab.String(first+4) != "%z" {
		t.Error("a spelling cannot be changed")
	}
}

// Reserved symbols without a spelling get one when it is asked for, once, each range from its own function.
func TestSpellLate(t *testing.T) {
	tab := NewSymbols()
	asked := 0
	spell := func(prefix string) func(i int) string {
		return func(i int) string {
			asked++
			return prefix + strconv.Itoa(i)
		}
	}
	plain := tab.Reserve(1)
	a, b := tab.Reserve(3), tab.Reserve(2)
	tab.SpellLate(a, 3, spell("%a"))
	tab.SpellLate(b, 2, spell("%b"))
	tab.Spellings(a, 3)[1] = "%x"
	for range 2 {
		got := tab.String(a) + tab.String(a+2) + tab.String(a+4) + tab.String(b+2) + tab.String(plain) + tab.String(0)
		if want := "%a0%x%a2%b1"; got != want {
			t.Errorf("spelled %s, want %s", got, want)
		}
	}
	if asked != 3 {
		t.Errorf("%d spellings were asked for, want 3", asked)
	}
	clear(tab.Spellings(a, 3))
	if tab.String(a+2) != "%a1" {
		t.Error("a symbol that lost its spelling gets no other")
	}
}

func TestSlab(t *testing.T) {
	var s Slab[int]
	a := s.Copy([]int{1, 2, 3})
	*s.One() = 4
	a = append(a, 5)
	if b := s.Make(2); b[0] != 0 || b[1] != 0 || a[3] != 5 {
		t.Errorf("slices of a slab meet: %v %v", a, b)
	}
	s.Reset()
	if b := s.Make(3); b[0] != 0 || b[2] != 0 || &b[0] != &a[0] && s.last == nil {
		t.Errorf("after Reset: %v", b)
	}
	if big := s.Make(maxSlab); len(big) != maxSlab {
		t.Error("no room for a long list")
	}
}

func TestIsName(t *testing.T) {
	for text, want := range map[string]bool{"@a": true, "@-sig.7": true, "@--3": true, "%0_.-Z": true, "@": false, "": false, "@a b": false, "@!a": false,
		"@a\x00": false, "@é": false, "@@a": false} {
		if IsName(text) != want {
			t.Errorf("IsName(%q) = %v", text, !want)
		}
	}
}
