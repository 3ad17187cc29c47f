package remake_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/mu/nodes/remake"
)

// TestRefused: what no call makes is an error of its own; another is that of the grammar, with its position. What calls mean is
// tested with the builder (package nodes).
func TestRefused(t *testing.T) {
	body := func(inst string) string {
		return ".funcsig @s = () -> () .funcdef @f VERSION %v <@s> { %e(): " + inst + " RET () }"
	}
	for _, c := range []struct {
		text, want string
		unspeaking bool
	}{
		{body("COMMINST @uvm.thread_exit"), "", false},
		{body("COMMINST @uvm.irbuilder.new_bundle"), "no call makes @uvm.irbuilder.new_bundle", true},
		{".typedef @t = irnoderef", "no call makes new_type_irnoderef", true},
		{".typedef @t = int<", "a.uir:1:19: bad .typedef @t: wanted the number of bits", false},
	} {
		id := uint32(1000)
		_, err := remake.Calls([]byte(c.text), true, func(string) uint32 { id++; return id })
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) || errors.Is(err, remake.ErrUnspeakable) != c.unspeaking {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
