package interp

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

func TestFormatAndParse(t *testing.T) {
	p := ir.NewProgram()
	ty := p.Types
	i8 := ty.Int(8)
	f, d := ty.Float(), ty.Double()
	s := ty.Struct(i8, ty.Array(ty.Int(16), 2))
	tag := ty.Opaque(ir.KTagRef64)
	for _, c := range []struct {
		ty       ir.TypeID
		in, want string
	}{
		{i8, "-5", "-5"}, {i8, "255", "-1"}, {i8, "0x80", "-128"}, {i8, "-128", "-128"},
		{ty.Int(1), "1", "1"}, {ty.Int(1), "-1", "1"},
		{ty.Int(128), "-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"},
		{f, "1.5", "1.5"}, {f, "1e6", "1e+06"}, {d, "-0", "-0"}, {d, "1e100", "1e+100"},
		{d, "NaN", "NaN"}, {d, "+Inf", "+Inf"}, {d, "-inf", "-Inf"},
		{ty.Of(ir.KUPtr, i8), "0xff", "0xff"}, {ty.Of(ir.KUPtr, i8), "0", "0x0"},
		{ty.Ref(i8), "NULL", "NULL"},
		{s, "{-1 [1 2]}", "{-1 [1 2]}"}, {s, "{ -1, [ 1,2 ] }", "{-1 [1 2]}"},
		{tag, "fp(2.5)", "fp(2.5)"}, {tag, "int(-3)", "int(-3)"}, {tag, "ref(NULL,63)", "ref(NULL,63)"},
		{ty.Vector(f, 2), "[1.5 -2]", "[1.5 -2]"},
	} {
		lit, err := dialect.ParseValue(ty, c.ty, c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		v := Literals(p, []*ir.Const{lit})[0]
		if got := Format(ty, c.ty, v); got != c.want {
			t.Errorf("%s prints as %s, want %s", c.in, got, c.want)
		}
	}
	for _, c := range []struct {
		ty ir.TypeID
		in string
	}{
		{i8, "256"}, {i8, "-129"}, {i8, "x"}, {i8, "1 2"}, {s, "{1}"}, {s, "{1 [1 2]"}, {ty.Ref(i8), "0"},
		{tag, "int(1"}, {tag, "ref(x,1)"}, {d, ""},
	} {
		if _, err := dialect.ParseValue(ty, c.ty, c.in); err == nil {
			t.Errorf("%q is accepted", c.in)
		}
	}
}
