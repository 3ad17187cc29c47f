package core

import "testing"

// TestNotation prints values in several notations.
func TestNotation(t *testing.T) {
	i8, i64, i100, i1 := &VType{Kind: VInt, Bits: 8}, &VType{Kind: VInt, Bits: 64}, &VType{Kind: VInt, Bits: 100}, &VType{Kind: VInt, Bits: 1}
	pair := &VType{Kind: VStruct, Fields: []*VType{i8, i8}}
	list := &VType{Kind: VArray, Elem: i8, Len: 2}
	unsigned := Notation{Unsigned: true}
	for _, tt := range []struct {
		ty    *VType
		n     Notation
		words []uint64
		want  string
	}{
		{i8, Notation{}, []uint64{0xff}, "-1"},
		{i8, unsigned, []uint64{0xff}, "255"},
		{i1, unsigned, []uint64{1}, "1"},
		{i64, unsigned, []uint64{1 << 63}, "9223372036854775808"},
		{i100, Notation{}, []uint64{0, 1 << 35}, "-633825300114114700748351602688"},
		{i100, unsigned, []uint64{0, 1 << 35}, "633825300114114700748351602688"},
		{pair, Notation{Parts: []Notation{{}, unsigned}}, []uint64{0xff, 0xff}, "{-1 255}"},
		{pair, Notation{Parts: []Notation{unsigned}}, []uint64{0xff, 0xff}, "{255 -1}"},
		{list, Notation{Parts: []Notation{unsigned}}, []uint64{0xff, 0xfe}, "[255 254]"},
	} {
		p := printer{x: new(Transfer)}
		p.x.W = tt.words
		if p.value(tt.ty, &tt.n); p.b.String() != tt.want {
			t.Errorf("%+v: got %s, want %s", tt, p.b.String(), tt.want)
		}
	}
}
