package choose

import (
	"fmt"
	"testing"
)

// TestChooser: later choices may depend on earlier ones.
func TestChooser(t *testing.T) {
	got := ""
	for c := (&Chooser{}); ; {
		first := c.Choose(3)
		got += fmt.Sprint(first)
		if first > 0 {
			got += fmt.Sprint(c.Choose(first + 1))
		}
		got += " "
		if !c.Next() {
			break
		}
	}
	if want := "0 10 11 20 21 22 "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
