package self

import (
	"os"
	"slices"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// Both put the emulator's command before the executable.
func TestArguments(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		exec string
		want []string
	}{{"", nil}, {"qemu-s390x", []string{"qemu-s390x"}}, {"qemu-arm  -cpu max", []string{"qemu-arm", "-cpu", "max"}}} {
		t.Setenv(longtest.ExecVariable, c.exec)
		if got, want := Command(t.Context(), t, "x").Args, append(slices.Clone(c.want), exe, "x"); !slices.Equal(got, want) {
			t.Errorf("Command: %q, want %q", got, want)
		}
		if got, want := Other(t.Context(), t, "other", "x", "y").Args, append(slices.Clone(c.want), "other", "x", "y"); !slices.Equal(got, want) {
			t.Errorf("Other: %q, want %q", got, want)
		}
	}
}
