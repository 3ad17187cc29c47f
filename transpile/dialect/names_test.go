package dialect_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestFind: users may name an entity as in the program, as the dialect allows, or as in reports.
func TestFind(t *testing.T) {
	b := ir.NewBuilder(nil)
	sig := b.Types.Sig(nil, nil)
	body := func(name, title string) {
		f := b.Func(name, sig)
		f.Title = title
		b.Body(f, "v").Ret()
	}
	body("@f", "")
	body("@m/g", "m g")
	body("@h", "g")
	p, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	marked := &dialect.Dialect{Aliases: dialect.Marked}
	plain := &dialect.Dialect{}
	for _, tt := range []struct {
		d                 *dialect.Dialect
		name, find, name2 string
	}{
		{marked, "@f", "@f", "@f"}, {marked, "f", "@f", "@f"}, {marked, "%f", "", "%f"}, {marked, "m g", "@m/g", "@m/g"}, {marked, "g", "@h", "@h"},
		{marked, "f.v", "", "@f.v"}, {marked, "@f.v", "", "@f.v"}, {marked, "", "", ""}, {marked, "x", "", "x"},
		{plain, "@f", "@f", "@f"}, {plain, "f", "", "f"}, {plain, "m/g", "", "m/g"}, {plain, "m g", "@m/g", "@m/g"}, {plain, "@f.v", "", "@f.v"},
	} {
		got := ""
		if f, ok := tt.d.Find(p, tt.name).(*ir.Function); ok {
			got = f.Name
		}
		if name := tt.d.NameOf(p, tt.name); got != tt.find || name != tt.name2 {
			t.Errorf("%q finds %q, and is the name %q; want %q, %q", tt.name, got, name, tt.find, tt.name2)
		}
	}
}
