package syntax

import (
	"fmt"
	"strings"
	"testing"
)

var kindNames = map[Kind]string{EOF: "eof", Bad: "bad", Ident: "name", Quoted: "quoted", Keyword: "word", Int: "int", Float: "float", Special: "special"}

// tokens returns the tokens of src, each as KIND:TEXT; Bad ones as bad@OFFSET:{MESSAGE}.
func tokens(src string) string {
	text := Scan(src)
	var out []string
	var before Token
	for _, t := range append(text.malformed, text.Tokens...) {
		k, ok := kindNames[t.Kind]
		switch {
		case t.Kind == EOF:
		case t.Kind == Bad:
			off, msg := t.problem(src, before)
			out = append(out, fmt.Sprintf("bad@%d:{%s}", off, msg))
		case !ok:
			out = append(out, "p:"+src[t.Off:t.End])
		default:
			out = append(out, k+":"+src[t.Off:t.End])
		}
		before = t
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	tests := []struct{ src, want string }{
		// white space, comments, byte order mark
		{"", ""},
		{" \t\n\v\f\r", ""},
		{"a\tb\nc\vd\fe\rf", "name:a name:b name:c name:d name:e name:f"},
		{"// c", ""},
		{"a//b\nc// \r\nd", "name:a name:c name:d"},
		{"a//b\rc", "name:a"}, // the newline alone ends a line
		{"//\n//\n", ""},
		{"// é 'x\na", "name:a"},
		{"\xef\xbb\xbfa", "name:a"},

		// delimiters
		{"{}()[]:;,=*&/", "p:{ p:} p:( p:) p:[ p:] p:: p:; p:, p:= p:* p:& p:/"},
		{"a/b", "name:a p:/ name:b"},
		{"a/ /b", "name:a p:/ p:/ name:b"},

		// identifiers
		{"a _ A9 _9.x libc.so.6 .x . .. a.5", "name:a name:_ name:A9 name:_9.x name:libc.so.6 name:.x name:. name:.. name:a.5"},
		{".5", "name:. int:5"},
		{"..5", "name:..5"},
		{".5.", "name:. bad@1:{bad literal 5.: digit expected after the point, as in 1.0}"},
		{"nanx infinite xnan nan.x", "name:nanx name:infinite name:xnan name:nan.x"},

		// quoted identifiers
		{"'a' 'a b' 'type' 'é\n\t//x'", "quoted:'a' quoted:'a b' quoted:'type' quoted:'é\n\t//x'"},
		{`'\'' 'a\'b' 'a\b' '\\'x'`, `quoted:'\'' quoted:'a\'b' quoted:'a\b' quoted:'\\'x'`},
		{"a'b'c", "name:a quoted:'b' name:c"},
		{"'nan'", "quoted:'nan'"},

		// literals
		{"0 7 007 00 +5 -5 -0 08", "int:0 int:7 int:007 int:00 int:+5 int:-5 int:-0 int:08"},
		{"0x0 0xAbF -0x1 +0xff 0x0123456789abcdefABCDEF", "int:0x0 int:0xAbF int:-0x1 int:+0xff int:0x0123456789abcdefABCDEF"},
		{"1.5 -0.0 +00.10 1.0e5 1.0e+5 1.0e-05", "float:1.5 float:-0.0 float:+00.10 float:1.0e5 float:1.0e+5 float:1.0e-05"},
		{"nan +nan -nan inf +inf -inf", "special:nan special:+nan special:-nan special:inf special:+inf special:-inf"},
		{"(1,-2)[3]{4}5;6//c", "p:( int:1 p:, int:-2 p:) p:[ int:3 p:] p:{ int:4 p:} int:5 p:; int:6"},
		{"1-2+3.0", "int:1 int:-2 float:+3.0"},
		{"1'a'", "int:1 quoted:'a'"},

		// keywords
		{"type align field thread function cdecl stdcall ssa pure nooptimize noinline", "word:type word:align word:field word:thread word:function word:cdecl word:stdcall word:ssa word:pure word:nooptimize word:noinline"},
		{"register block unwind entry exit void int uint float64 int8", "word:register word:block word:unwind word:entry word:exit word:void word:int word:uint word:float64 word:int8"},
		{"nop ari.add array.cmp.lteq ffi eh.catch", "word:nop word:ari.add word:array.cmp.lteq word:ffi word:eh.catch"},
		{"instance static global data module noreturn nothrow noescape volatile forward", "name:instance name:static name:global name:data name:module name:noreturn name:nothrow name:noescape name:volatile name:forward"},
		{"Type int128 ari nop.", "name:Type name:int128 name:ari name:nop."},
	}
	for _, tt := range tests {
		if got := tokens(tt.src); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestBadTokens(t *testing.T) {
	tests := []struct{ src, want string }{
		{"''", "bad@0:{bad name: nothing in the quotes}"},
		{"'a", `bad@0:{bad name: no closing quote; a quote in a name is written \', and a name cannot end with a backslash}`},
		{`'a\'`, `bad@0:{bad name: no closing quote; a quote in a name is written \', and a name cannot end with a backslash}`},
		{"'", `bad@0:{bad name: no closing quote; a quote in a name is written \', and a name cannot end with a backslash}`},
		{"1.", "bad@0:{bad literal 1.: digit expected after the point, as in 1.0}"},
		{"-1.e5", "bad@0:{bad literal -1.e5: digit expected after the point, as in 1.0}"},
		{"0x", "bad@0:{bad literal 0x: digit expected after 0x}"},
		{"0xg", "bad@0:{bad literal 0xg: digit expected after 0x}"},
		{"0x1.5", "int:0x1 bad@3:{unexpected .5 directly after 0x1: a literal has one point at most, a hexadecimal one none}"},
		{"1.5.5", "float:1.5 bad@3:{unexpected .5 directly after 1.5: a literal has one point at most, a hexadecimal one none}"},
		{"0X1F", "int:0 bad@1:{unexpected X1F directly after 0: the prefix of hexadecimal literals is 0x}"},
		{"1e5", "int:1 bad@1:{unexpected e5 directly after 1: an exponent is written as in 1.0e5 or 1.0e-5}"},
		{"1.5E5", "float:1.5 bad@3:{unexpected E5 directly after 1.5: an exponent is written as in 1.0e5 or 1.0e-5}"},
		{"1.5e", "float:1.5 bad@3:{unexpected e directly after 1.5: an exponent is written as in 1.0e5 or 1.0e-5}"},
		{"1.5e+", "float:1.5 bad@3:{unexpected e directly after 1.5: an exponent is written as in 1.0e5 or 1.0e-5} bad@4:{unexpected character +: a sign stands directly in front of the digits}"},
		{"1.5f 7u", "float:1.5 bad@3:{unexpected f directly after 1.5: literals have no suffix, the mnemonic gives the type} int:7 bad@6:{unexpected u directly after 7: literals have no suffix, the mnemonic gives the type}"},
		{"1_000", "int:1 bad@1:{unexpected _000 directly after 1: digits are written without _}"},
		{"5.const", "bad@0:{bad literal 5.const: digit expected after the point, as in 1.0}"},
		{"5const", "int:5 bad@1:{unexpected const directly after 5: white space or a delimiter wanted}"},
		{"- 5", "bad@0:{unexpected character -: a sign stands directly in front of the digits} int:5"},
		{"+x -nanx", "bad@0:{unexpected character +: a sign stands directly in front of the digits} name:x bad@3:{unexpected character -: a sign stands directly in front of the digits} name:nanx"},
		{`"x"`, `bad@0:{unexpected character ": there are no strings; load.ui8a and data take their bytes, and names with other characters stand in single quotes} name:x bad@2:{unexpected character ": there are no strings; load.ui8a and data take their bytes, and names with other characters stand in single quotes}`},
		{"#x", "bad@0:{unexpected character #: comments begin with //} name:x"},
		{"%a", "bad@0:{unexpected character %: names have no sign in front} name:a"},
		{"\x00", "bad@0:{unexpected NUL byte}"},
		{"\x01", "bad@0:{unexpected control character 0x01}"},
		{"~", "bad@0:{unexpected character ~}"},
		{"a éé b", "name:a bad@2:{unexpected character 'é' (U+00E9): names with it stand in quotes, '...'} name:b"},
		{"a\ufeff", "name:a bad@1:{unexpected byte order mark: it may stand at the beginning of the file only}"},

		// encodings
		{"\xff\xfet\x00", "bad@0:{UTF-16 text: IAL is written in UTF-8}"},
		{"\xfe\xff\x00t", "bad@0:{UTF-16 text: IAL is written in UTF-8}"},
		{"\xff\xfe\x00\x00t", "bad@0:{UTF-32 text: IAL is written in UTF-8}"},
		{"\x00\x00\xfe\xfft", "bad@0:{UTF-32 text: IAL is written in UTF-8}"},
		{"a \xff b", "name:a bad@2:{bad byte 0xff: the text is not UTF-8} name:b"},
		{"// é\xc3\na", "bad@5:{bad byte 0xc3: the text is not UTF-8} name:a"},
		{"'é\x80'a", "bad@3:{bad byte 0x80: the text is not UTF-8} quoted:'é\x80' name:a"},
		{"é\x80", "bad@2:{bad byte 0x80: the text is not UTF-8}"},
	}
	for _, tt := range tests {
		if got := tokens(tt.src); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestComments(t *testing.T) {
	src := "// a \t\r\ntype T // b\n{ }//c"
	var got []string
	for _, c := range Scan(src).Comments {
		got = append(got, src[c.Off:c.End])
	}
	if want := []string{"// a", "// b", "//c"}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q", got)
	}
}
