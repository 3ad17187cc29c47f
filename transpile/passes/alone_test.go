package passes_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/passes"
)

// Alone leaves the later stages out: nothing is inlined or moved out of loops.
func TestAlone(t *testing.T) {
	const text = `.funcdef @leaf VERSION %v <@i_i> { %e(<@i64> %x): %y = ADD <@i64> %x @1 %u = MUL <@i64> %x @7 RET %y }
		.funcdef @f VERSION %v <@i_i> { %e(<@i64> %x): %y = CALL <@i_i> @leaf(%x) RET %y }`
	ran := func(alone bool) map[string]bool {
		names := map[string]bool{}
		var stats passes.Stats
		optimized(t, text, passes.Options{Alone: alone, Stats: &stats})
		for _, p := range stats.Passes {
			if p.Changes > 0 {
				names[p.Name] = true
			}
		}
		return names
	}
	if all := ran(false); !all["inline"] || !all["dce"] {
		t.Errorf("all stages: %v", all)
	}
	if first := ran(true); first["inline"] || !first["dce"] {
		t.Errorf("the first stage: %v", first)
	}
}
