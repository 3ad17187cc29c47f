package passes_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// TestAbout demands a line about each pass.
func TestAbout(t *testing.T) {
	for _, n := range passes.Names() {
		if about := passes.About(n); about == "" || strings.Contains(about, "\n") {
			t.Errorf("pass %s: %q", n, about)
		}
	}
}

// TestNeeds takes what passes need from the order of the table.
func TestNeeds(t *testing.T) {
	for _, n := range passes.Needs("fork") {
		if n.Pass != "share" || n.Why != "it drops the tests of copies" {
			t.Errorf("fork needs %+v", n)
		}
	}
	if len(passes.Needs("fork")) != 1 || len(passes.Needs("names")) != 0 {
		t.Errorf("fork needs %v, names %v", passes.Needs("fork"), passes.Needs("names"))
	}
}

// TestSelectedFaults verifies the body after each selected pass, even if the pass says that it has changed nothing, and
// names the pass.
func TestSelectedFaults(t *testing.T) {
	p := loadText(t, prelude+`.funcdef @f VERSION %v <@i_i> { %e(<@i64> %x): %y = ADD <@i64> %x @1 RET %y }`)
	err := passes.Run(p, passes.Options{Level: 1, Check: true, Select: []string{"dce", "licm", "dce"}, After: func(pass string, v *ir.Version) {
		if pass == "dce" { // a fault that licm is blamed for
			in := &v.Insts[v.Blocks[0].Insts[0]]
			in.Args = in.Args[:1]
		}
	}})
	if err == nil || !strings.HasPrefix(err.Error(), "internal error: pass licm, @f.v: ") {
		t.Errorf("got %v", err)
	}
	if verify.Err(verify.Program(p)) == nil {
		t.Error("the program has no fault")
	}
}
