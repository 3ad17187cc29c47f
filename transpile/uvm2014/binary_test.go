package uvm2014_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
)

// convert writes a bundle in a form of the dialect.
func convert(t testing.TB, form string, src []byte) []byte {
	t.Helper()
	out, diags := uvm2014.Dialect.Form(form).Convert(dialect.Source{Name: "a", Text: src}, dialect.Options{})
	if diags.HasErrors() {
		var b bytes.Buffer
		diags.Print(&b)
		t.Fatalf("to %s: %s\n%s", form, b.String(), src)
	}
	return out
}

// The bundles and their bytes are testdata/tiny.uir and tiny.hex, phi.uir and phi.hex: a line
// for each definition, block and instruction, names last. They become one another, and
// without names the bytes are those of a bundle whose names are its IDs.
func TestBytes(t *testing.T) {
	for _, name := range []string{"tiny", "phi"} {
		text, err := os.ReadFile("testdata/" + name + ".uir")
		if err != nil {
			t.Fatal(err)
		}
		want, names := readHex(t, "testdata/"+name+".hex")
		if got := convert(t, "uirb", text); !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%swant\n%s", name, hex.Dump(got), hex.Dump(want))
		}
		if got := convert(t, "uir2014", want); !bytes.Equal(got, text) {
			t.Errorf("%s: got\n%swant\n%s", name, got, text)
		}
		bare := want[:len(want)-names]
		got := convert(t, "uirb", convert(t, "uir2014", bare))
		if len(got) < len(bare) || !bytes.Equal(got[:len(bare)], bare) {
			t.Errorf("%s without names: got\n%swant\n%s", name, hex.Dump(got), hex.Dump(bare))
		}
	}
}

// Bytes that begin as a bundle may be another file.
func TestReadsBinary(t *testing.T) {
	bundle, names := readHex(t, "testdata/tiny.hex")
	for _, tt := range []struct {
		src  []byte
		want bool
	}{
		{bundle, true}, {bundle[:len(bundle)-names], true}, {bundle[:len(bundle)-1], false},
		{append(bundle[:len(bundle):len(bundle)], '\n'), false}, {[]byte("\x01\xdf\x00\x03 an object file"), false}, {nil, false},
	} {
		if got := uvm2014.Dialect.Reads(tt.src); got != tt.want {
			t.Errorf("%q reads as a bundle: %t", tt.src, got)
		}
	}
}

// readHex reads bytes in hexadecimal, and tells how many at the end bind names.
func readHex(t *testing.T, file string) (all []byte, names int) {
	t.Helper()
	lines, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		code, _, _ := strings.Cut(line, "#")
		b, err := hex.DecodeString(strings.Join(strings.Fields(code), ""))
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, b...); strings.HasPrefix(code, "07 ") {
			names += len(b)
		}
	}
	return all, names
}

// roundTrip writes a bundle as binary, that as text, and that as binary again: the two
// binaries are the same, and so are the texts from there on.
func roundTrip(t testing.TB, text []byte) {
	t.Helper()
	first := convert(t, "uirb", text)
	again := convert(t, "uir2014", first)
	second := convert(t, "uirb", again)
	if !bytes.Equal(first, second) {
		t.Fatalf("the second binary differs:\n%s\nfrom\n%s", again, text)
	}
	if third := convert(t, "uir2014", second); !bytes.Equal(again, third) {
		t.Fatalf("the second text differs:\n%s\nfrom\n%s", third, again)
	}
}

func TestRoundTrip(t *testing.T) {
	files, err := filepath.Glob("testdata/*.uir")
	if err != nil || len(files) == 0 {
		t.Fatal("no bundles", err)
	}
	for _, m := range meanings(t) {
		roundTrip(t, []byte(m.text))
		p, msgs := load(false, string(convert(t, "uirb", []byte(m.text))))
		if p == nil {
			t.Fatal(msgs)
		}
		if got := result(t, p, "@f", m.args); got != m.want {
			t.Errorf("%s in binary: got %s, want %s", m.name, got, m.want)
		}
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, text)
	}
}

// Names that are IDs of others are left out, and those that depend on them; names that have
// changed places stay.
func TestNamesLikeIDs(t *testing.T) {
	for _, tt := range []struct{ defs, want string }{
		{".typedef @65538 = int<32> .typedef @b = ref<@65538> .const @c <struct<@b>> = {NULL}", "@65536 @b @65538 @c @65540"},
		{".typedef @65537 = int<32> .typedef @65538 = ref<@65537> .const @c <struct<int<8>>> = {5}", "@65536 @65537 @65538 @65539 @c @65541"},
		{".typedef @65537 = int<32> .typedef @65536 = ref<@65537>", "@65537 @65536"},
		{".typedef @65599 = int<32> .typedef @065537 = int<8> .typedef @65538.x = int<9>", "@65599 @065537 @65538.x"},
	} {
		roundTrip(t, []byte(tt.defs))
		bin := convert(t, "uirb", []byte(tt.defs))
		if _, msgs := load(true, string(bin)); msgs != "" {
			t.Errorf("%s: %s", tt.defs, msgs)
		}
		var names []string
		for line := range strings.Lines(string(convert(t, "uir2014", bin))) {
			names = append(names, strings.Fields(line)[1])
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.defs, got, tt.want)
		}
	}
}

// A truncated bundle is an error with the offset of its end, or of what is missing.
func TestTruncated(t *testing.T) {
	text, err := os.ReadFile("testdata/tiny.uir")
	if err != nil {
		t.Fatal(err)
	}
	whole := convert(t, "uirb", text)
	for n := 1; n < len(whole); n++ {
		p, msgs := load(false, string(whole[:n]))
		if p == nil && !strings.HasPrefix(msgs, "a.uir:1:") {
			t.Fatalf("%d bytes: %s", n, msgs)
		}
	}
}

func TestBinaryErrors(t *testing.T) {
	def := "\x01\x00\x00\x01\x00\x01\x40" // int<64>, ID 65536
	tests := []struct{ bytes, want string }{
		{"\x01\x00\x00\x01\x00\x7f", "a.uir:1:6: unknown type constructor 0x7f"},
		{"\x01\x01\x00\x00\x00\x02", "a.uir:1:2: ID 1 is reserved: those of bundles begin at 65536"},
		{def + "\x09", "a.uir:1:8: unknown definition 0x09: want 0x01 to 0x07"},
		{def + def, "a.uir:1:9: ID 65536 is defined twice: it is a type"},
		{def + "\x04\x01\x00\x01\x00\x05\x00\x01\x00", "a.uir:1:13: ID 65541 is not defined: wanted a type"},
		{def + "\x04\x01\x00\x01\x00\x00\x00\x01", "a.uir:1:13: the bundle ends in the middle of a type"},
		{def + "\x02\x01\x00\x01\x00\x00\x00\x01\x00\xff\xff", "a.uir:1:19: the bundle ends in the middle of a list of types"},
		{def + "\x04\x01\x00\x01\x00\x01\x00\x01\x00", "a.uir:1:13: ID 65537 is a cell: wanted a type"},
		{def + "\x07\x00\x00\x01\x00\x03\x00%xy", "a.uir:1:8: warning: the name %xy of a type is ill-formed: it is dropped"},
	}
	for _, tt := range tests {
		if _, got := load(false, tt.bytes); strings.TrimSpace(got) != tt.want {
			t.Errorf("% x\ngot  %swant %s", tt.bytes, got, tt.want)
		}
	}
}

// The 64 bits of an integer constant are cut where its type is shorter and zero-extended where it is
// longer.
func TestWidths(t *testing.T) {
	for _, tt := range []struct{ typ, value, again, shifted string }{
		{"int<100>", "0xffffffffffffffff", "18446744073709551615", "16"},
		{"int<100>", "0x8000000000000000", "9223372036854775808", "9"},
		{"int<65>", "0x7fffffffffffffff", "9223372036854775807", "8"},
		{"int<64>", "-1", "-1", "16"},
		{"int<64>", "0xffffffffffffffff", "-1", "16"},
	} {
		text := ".typedef @i = int<64> .typedef @w = " + tt.typ + " .const @c <@w> = " + tt.value + `
			.funcdef @f <@i (@i)> (%n) { %d = LSHR <@w> @c 60 %e = ADD <@w> %d 1 `
		if tt.typ == "int<64>" {
			text += "RET <@w> %e }"
		} else {
			text += "%t = TRUNC <@w @i> %e RET <@i> %t }"
		}
		bin := convert(t, "uirb", []byte(text))
		again := convert(t, "uir2014", bin)
		if want := ".const @c <@w> = " + tt.again + "\n"; !strings.Contains(strings.ReplaceAll(string(again), "     ", " "), want) {
			t.Errorf("got\n%swant %s", again, want)
		}
		for _, src := range [][]byte{[]byte(text), bin, again} {
			if got := call(t, string(src), "@f", "0"); got != tt.shifted {
				t.Errorf("%s %s: got %s, want %s", tt.typ, tt.value, got, tt.shifted)
			}
		}
	}
}

// A binary bundle refers to what an earlier one has defined by its ID.
func TestEarlierBundle(t *testing.T) {
	first := convert(t, "uirb", []byte(".typedef @t = int<64>\n"))
	p, msgs := load(false, string(first), "\x04\x01\x00\x01\x00\x00\x00\x01\x00\x07\x01\x00\x01\x00\x02\x00@g")
	if p == nil {
		t.Fatal(msgs)
	}
	if g, ok := p.Find("@g").(*ir.Global); !ok || p.Types.String(g.Type) != "@t" {
		t.Errorf("got %v", p.Entities)
	}
}

// No bytes make the reader panic, and what is accepted goes there and back.
func FuzzBinary(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.uir")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(convert(f, "uirb", text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || data[0] < 1 || data[0] > 7 {
			return
		}
		if p, _ := load(true, string(data)); p != nil {
			convert(t, "uir2014", data)
		}
	})
}

// No text makes the reader panic.
func FuzzText(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.uir")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { load(false, string(text)) })
}

// Whatever text is valid goes to binary and back, unless it has what binary cannot express, and
// gives the same bytes again.
func FuzzRoundTrip(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.uir")
	more, _ := filepath.Glob("testdata/meaning/*.uir")
	for _, name := range append(files, more...) {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 0 && text[0] <= 7 {
			return
		}
		if _, diags := uvm2014.Dialect.Form("uirb").Convert(dialect.Source{Name: "a", Text: text}, dialect.Options{}); !diags.HasErrors() {
			roundTrip(t, text)
		}
	})
}

// Formatting changes white space only, and once is enough. Comments stay.
func TestFormat(t *testing.T) {
	messy := []byte(`.typedef   @i = int < 64 >  // a word
.const @c <struct<@i @i>> = {1
2}
.funcdef @f <@i (@i)> ( %x ) { // begins
  BRANCH   %b  // to b
%b: %p = PHI <@i> {%entry:%x; // first
%b : 5;}
%q = INSERTVALUE <struct<@i @i> 0> { 1 2 } %p
  SWITCH <@i> %p %b {1 : %b;} }
`)
	want := `.typedef @i = int<64>  // a word
.const @c <struct<@i @i>> = {1
    2}
.funcdef @f <@i (@i)> (%x) {  // begins
        BRANCH %b  // to b
    %b:
        %p = PHI <@i> {
            %entry: %x;  // first
            %b: 5;
        }
        %q = INSERTVALUE <struct<@i @i> 0> { 1 2 } %p
        SWITCH <@i> %p %b {
            1: %b;
        }
}
`
	got, err := uvm2014.Format("a.uir", messy)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if again, err := uvm2014.Format("a.uir", got); err != nil || !bytes.Equal(again, got) {
		t.Errorf("formatting again, %v:\n%s", err, again)
	}
	if !bytes.Equal(convert(t, "uirb", messy), convert(t, "uirb", got)) {
		t.Error("formatting changes the bundle")
	}
}

// TestBinaryAfterTrap: instructions after TRAP are left out of binary bundles too, with one warning a function, and so
// are those of bodies that are read later. Other terminators end their blocks.
func TestBinaryAfterTrap(t *testing.T) {
	const text = ".funcdef @f <void ()> () { %a: TRAP <void> %b %b KEEPALIVE () %b: TRAP <void> %c %c KEEPALIVE () %c: RETVOID }" +
		".funcdef @g <void ()> () { %a: BRANCH %b %b: RETVOID }"
	code := convert(t, "uirb", []byte(text))
	// after puts a RETVOID after the only instruction of a block, if it is op.
	after := func(code []byte, op byte, id byte) []byte {
		for i := 0; i+9 < len(code); i++ {
			if bytes.Equal(code[i:i+4], []byte{1, 0, 0, 0}) && code[i+6] == 1 && code[i+8] == op {
				size := map[byte]int{0xe8: 4 + 1 + 12 + 2, 0x90: 4 + 1 + 4}[op]
				code[i]++
				return bytes.Join([][]byte{code[:i+4+size], {id, 0, 2, 0, 0x64}, code[i+4+size:]}, nil)
			}
		}
		t.Fatal("no such block")
		return nil
	}
	rest := after(after(bytes.Clone(code), 0xe8, 1), 0xe8, 2)
	p, msgs := load(false, string(rest))
	if want := ": warning: an instruction after TRAP, which ends its block: it is left out (and 1 more)\n"; p == nil || strings.Count(msgs, "warning") != 1 || !strings.HasSuffix(msgs, want) {
		t.Errorf("got %s, want %s", msgs, want)
	}
	if p, msgs := load(true, string(rest)); p != nil || !strings.Contains(msgs, ": an instruction after TRAP, which ends its block: it is left out\n") {
		t.Errorf("strict: %s", msgs)
	}
	if got, want := string(convert(t, "uir2014", rest)), string(convert(t, "uir2014", code)); got != want {
		t.Errorf("as text\n%swant\n%s", got, want)
	}
	if p, msgs := load(false, string(after(code, 0x90, 3))); p != nil || !strings.Contains(msgs, ": instruction after BRANCH, which ends block %a") {
		t.Errorf("after BRANCH: %s", msgs)
	}
}
