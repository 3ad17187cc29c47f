package transpile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/interp"
)

// nullField loads through an address that was derived from NULL.
const nullField = `
.typedef @i64 = int<64> .typedef @S = struct<@i64 @i64> .typedef @IS = iref<@S>
.typedef @RS = ref<@S>
.const @nil <@IS> = NULL .const @none <@RS> = NULL
.funcsig @v_v = () -> ()
.funcdef @main VERSION %v <@v_v> { %e(): BRANCH %n(@nil @none)
  %n(<@IS> %i <@RS> %r):
    %f = GETFIELDIREF <@S 1> %i
    %x = LOAD <@i64> %f
    RET () }
.funcdef @getiref VERSION %v <@v_v> { %e(): BRANCH %n(@none)
  %n(<@RS> %r):
    %i = GETIREF <@S> %r
    %x = LOAD <@S> %i
    RET () }
`

// TestInterpreterZeroConfig: an interpreter with the zero configuration reports the kinds of
// errors that a built program reports, and those of -sanitize on request.
func TestInterpreterZeroConfig(t *testing.T) {
	for _, c := range []struct {
		entry    string
		sanitize bool
		want     string
	}{
		{"@main", false, "NULL_REF at @main.v.n+1"},
		{"@getiref", false, "NULL_REF at @getiref.v.n+1"},
		{"@main", true, "NULL_ADDRESS at @main.v.n+0"},
		{"@getiref", true, "NULL_ADDRESS at @getiref.v.n+0"},
	} {
		p, diags := Load([]Source{{Name: "a.uir", Text: []byte(nullField)}}, Options{Sanitize: c.sanitize, Entry: c.entry})
		if p == nil {
			t.Fatal(diags.Err())
		}
		configs := map[string]interp.Config{"Interpreter": p.Interpreter()}
		if !c.sanitize {
			configs["zero Config"] = interp.Config{Entry: c.entry}
		}
		for name, cfg := range configs {
			var errs bytes.Buffer
			cfg.Stderr = &errs
			status, err := interp.Run(p.IR, cfg)
			if err != nil || status != interp.StatusError || !strings.Contains(errs.String(), "run-time error: "+c.want) {
				t.Errorf("%s, %s: status %d, %v, want %s, got\n%s", name, c.entry, status, err, c.want, errs.String())
			}
		}
	}
}
