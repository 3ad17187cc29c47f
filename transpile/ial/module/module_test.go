package module

import "testing"

func TestTypes(t *testing.T) {
	var ts Types
	m := &Module{Name: "m"}
	s := &Struct{Module: m, Name: "function"}
	i32 := ts.Basic(Int32)
	f := ts.Func(ts.Counted(Static, ts.Basic(Float32), 3), []*Type{ts.Basic(Int), ts.Basic(Float64)}, Standard)
	tests := []struct {
		a, b *Type
		want string // in module m
	}{
		{ts.Counted(Vector, ts.Counted(Vector, i32, 8), 3), ts.Counted(Vector, ts.Counted(Vector, i32, 8), 3), "int32[8][3]"},
		{f, ts.Func(ts.Counted(Static, ts.Basic(Float32), 3), []*Type{ts.Basic(Int), ts.Basic(Float64)}, Standard), "float32{3}(int, float64)"},
		{ts.To(Pointer, ts.Func(i32, nil, Cdecl)), ts.To(Pointer, ts.Func(i32, nil, Cdecl)), "int32() cdecl*"},
		{ts.To(Reference, ts.Of(s)), ts.To(Reference, ts.Of(s)), "'function'&"},
	}
	for _, tt := range tests {
		if tt.a != tt.b {
			t.Errorf("%s was made twice", tt.want)
		}
		if got := tt.a.Spell(m); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	if got := ts.Of(s).String(); got != "m/'function'" {
		t.Errorf("from outside: %s", got)
	}
	different := []*Type{i32, ts.Basic(Uint32), ts.To(Array, i32), ts.To(Pointer, i32), ts.Counted(Vector, i32, 1), ts.Counted(Vector, i32, 2),
		ts.Counted(Static, i32, 1), ts.Func(i32, nil, Standard), ts.Func(i32, nil, Cdecl), ts.Func(i32, nil, Stdcall), ts.Func(i32, []*Type{i32}, Standard)}
	for i, a := range different {
		for _, b := range different[:i] {
			if a == b {
				t.Errorf("%s and %s are one type", a, b)
			}
		}
	}
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"libc.so.6": "libc.so.6", "": "''", "a b": "'a b'", "it's": `'it\'s'`, "jump": "'jump'", "nan": "'nan'",
		"data": "'data'", "é": "'é'", "9": "'9'", ".5": "'.5'", "..5": "..5", ".x5": ".x5", "_9": "_9", "type": "'type'", "forward": "'forward'",
	} {
		if got := Quote(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestQuoteBlock(t *testing.T) {
	for name, want := range map[string]string{"entry": "entry", "exit": "'exit'", "b": "b"} {
		if got := QuoteBlock(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestOps(t *testing.T) {
	if got := Mnemonics["array.cmp.gteq"]; got != ArrayCmpGteq || got.String() != "array.cmp.gteq" {
		t.Errorf("array.cmp.gteq is %s", got)
	}
	if !Reserved("jump") || Reserved("forward") || !Soft("forward") || !Reserved("float64") || Reserved("nop2") {
		t.Error("wrong reserved words")
	}
	for op, r := range Ops {
		if r.Mnemonic == "" || r.Meaning == "" || r.Form == 0 || (r.Literal != Void) != (r.Operand == OperandLiteral || r.Operand == OperandLiterals) {
			t.Errorf("incomplete row %d: %+v", op, r)
		}
	}
}
