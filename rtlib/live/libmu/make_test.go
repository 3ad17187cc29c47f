package libmu

import (
	"strings"
	"testing"
)

// TestStartsFiles: the system must find the command in the first line of an image.
func TestStartsFiles(t *testing.T) {
	for path, want := range map[string]bool{
		"/opt/libmu/bin/uvm2go":                 true,
		"/opt/my libmu/bin/uvm2go":              false,
		"/opt/a\n//flags [\"-lib\"]/bin/uvm2go": false,
		"/" + strings.Repeat("a", 200):          false,
	} {
		if got := startsFiles(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}
