package syntax

import (
	"fmt"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// bitsOf reads the only literal of a text.
func bitsOf(src string, k module.Kind) string {
	t := Scan(src).Tokens[0]
	bits, err := Lit{Kind: t.Kind, Text: src[t.Off:t.End]}.Bits(k)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%#x", bits)
}

func TestBits(t *testing.T) {
	tests := []struct {
		k    module.Kind
		src  string
		want string
	}{
		{module.Int8, "127", "0x7f"}, {module.Int8, "-128", "0x80"}, {module.Int8, "-1", "0xff"}, {module.Int8, "-0x80", "0x80"}, {module.Int8, "+0x7f", "0x7f"},
		{module.Int8, "128", "128 is out of range: wanted -128 to 127"}, {module.Int8, "-129", "-129 is out of range: wanted -128 to 127"}, {module.Int8, "0xff", "0xff is out of range: wanted -128 to 127"},
		{module.Uint8, "255", "0xff"}, {module.Uint8, "-0", "0x0"}, {module.Uint8, "256", "256 is out of range: wanted 0 to 255"}, {module.Uint8, "-1", "-1 is out of range: wanted 0 to 255"},
		{module.Int16, "-32768", "0x8000"}, {module.Int16, "32768", "32768 is out of range: wanted -32768 to 32767"}, {module.Uint16, "65535", "0xffff"},
		{module.Int32, "-2147483648", "0x80000000"}, {module.Int32, "2147483648", "2147483648 is out of range: wanted -2147483648 to 2147483647"}, {module.Uint32, "4294967295", "0xffffffff"},
		{module.Int64, "-9223372036854775808", "0x8000000000000000"}, {module.Int64, "-1", "0xffffffffffffffff"},
		{module.Int64, "9223372036854775808", "9223372036854775808 is out of range: wanted -9223372036854775808 to 9223372036854775807"},
		{module.Uint64, "0xffffffffffffffff", "0xffffffffffffffff"}, {module.Uint64, "00018446744073709551615", "0xffffffffffffffff"},
		{module.Uint64, "0x10000000000000000", "0x10000000000000000 is out of range: wanted 0 to 18446744073709551615"},
		{module.Uint8, "08", "0x8"}, // no octal numbers
		{module.Int8, "1.0", "wanted an integer, found 1.0"}, {module.Int8, "inf", "wanted an integer, found inf"},

		{module.Float32, "1", "0x3f800000"}, {module.Float32, "-2.5", "0xc0200000"}, {module.Float32, "0.1", "0x3dcccccd"}, {module.Float32, "-0", "0x80000000"}, {module.Float32, "-0.0", "0x80000000"},
		{module.Float32, "16777217", "0x4b800000"},                        // halfway: to even
		{module.Float32, "16777219", "0x4b800002"},                        // halfway: to even, upward
		{module.Float32, "1.00000005960464477539062500001", "0x3f800001"}, // just above halfway: not rounded twice
		{module.Float32, "1.0e300", "0x7f800000"}, {module.Float32, "-1.0e300", "0xff800000"}, {module.Float32, "1.0e-300", "0x0"}, {module.Float32, "1.4e-45", "0x1"},
		{module.Float32, "nan", "0x7fc00000"}, {module.Float32, "+nan", "0x7fc00000"}, {module.Float32, "-nan", "0xffc00000"},
		{module.Float32, "inf", "0x7f800000"}, {module.Float32, "+inf", "0x7f800000"}, {module.Float32, "-inf", "0xff800000"},
		{module.Float64, "1.5e+3", "0x4097700000000000"}, {module.Float64, "100000000000000000000000", "0x44b52d02c7e14af6"}, {module.Float64, "1.0e999", "0x7ff0000000000000"},
		{module.Float64, "007.50", "0x401e000000000000"},
		{module.Float64, "nan", "0x7ff8000000000000"}, {module.Float64, "-nan", "0xfff8000000000000"}, {module.Float64, "-inf", "0xfff0000000000000"},
		{module.Float64, "0x10", "wanted a decimal literal, found 0x10"}, {module.Float32, "-0x1", "wanted a decimal literal, found -0x1"},
	}
	for _, tt := range tests {
		if got := bitsOf(tt.src, tt.k); got != tt.want {
			t.Errorf("%s as kind %d: got %s, want %s", tt.src, tt.k, got, tt.want)
		}
	}
}

// A quoted name is the text in the quotes.
func TestNames(t *testing.T) {
	for src, want := range map[string]string{
		`'a b'`: "a b", `'type'`: "type", `'it\'s'`: "it's", `'\''`: "'", `'a\b'`: `a\b`, `'\\'x'`: `\'x`, "'a\nb'": "a\nb", "'é'": "é", "x.y": "x.y",
	} {
		f, errs := parse("type " + src + " { }")
		if errs.HasErrors() || f.Types[0].Name.Text != want {
			t.Errorf("%s: got %q, want %q %v", src, f.Types[0].Name.Text, want, errs.Err())
		}
	}
}

func TestSuggestType(t *testing.T) {
	for name, want := range map[string]string{"i32": "int32", "double": "float64", "in32": "int32", "unt64": "int64", "bool": "uint", "Point": ""} {
		if got := SuggestType(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// After a fault that no semicolon ends, the next declaration is found.
func TestNextDeclaration(t *testing.T) {
	for _, next := range []string{"field global int8 x;", "entry f;", "thread entry f;", "data d (1);", "module exit f;", "[a:b] data d (1);", "type T { }", "function void f() { }"} {
		f, errs := parse("fault\n" + next)
		n := len(f.Fields) + len(f.Entries) + len(f.Data) + len(f.Types) + len(f.Funcs)
		if errs.Errors() != 1 || n != 1 {
			t.Errorf("%s: %d declarations, %v", next, n, errs.Err())
		}
	}
}
