package mu

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// longName matches names. TestHugeNames makes those that are not predefined longer.
var longName = regexp.MustCompile(`[@%$][A-Za-z0-9_.-]+`)

// TestHugeNames loads the bundles of the other tests with very long names. The length of
// messages must not grow with the names.
func TestHugeNames(t *testing.T) {
	const most = 5000 // bytes of a message with its related places
	pad := strings.Repeat("x", 8_000)
	files, _ := filepath.Glob("testdata/*.txt")
	total := 0
	for _, file := range files {
		heads, all := sections(t, file)
		for i, head := range heads {
			srcs := withPrelude(t, head, all[i])
			for k := range srcs {
				srcs[k].Text = longName.ReplaceAllFunc(srcs[k].Text, func(name []byte) []byte {
					if strings.HasPrefix(string(name), "@uvm.") {
						return name
					}
					return append(name[:len(name):len(name)], pad...)
				})
			}
			_, _, diags, _ := loadSources(srcs, strings.Contains(head, "(strict)"))
			for _, d := range diags.All() {
				total++
				if text := diags.Format(d); len(text) > most {
					t.Errorf("%s: a message of %d bytes: %.200s", head, len(text), text)
				}
			}
		}
	}
	if total < 300 {
		t.Errorf("only %d messages", total)
	}
}
