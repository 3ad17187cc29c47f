package live_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
)

// BenchmarkFirstCall loads a bundle of ten thousand instructions into a running VM, and calls each of its functions
// once.
func BenchmarkFirstCall(b *testing.B) {
	vm, err := machine()
	if err != nil {
		b.Fatal(err)
	}
	c := vm.NewContext()
	defer c.Close()
	text := string(live.TenThousand())
	text = regexp.MustCompile(`(?m)^\.(typedef @i64|const @[017]).*\n`).ReplaceAllString(text, "")
	text = strings.Replace(text, "[@main.done] TRAP <> KEEPALIVE(%s103)\n", "", 1)
	names := regexp.MustCompile(`@(f\d+|node|list|nil|fn|none|main)\b`)
	for b.Loop() {
		b.StopTimer()
		n := reloads.Add(1)
		own := names.ReplaceAllString(text, fmt.Sprintf("@first%d.$1", n))
		b.StartTimer()
		if err := c.LoadBundleText(own); err != nil {
			b.Fatal(err)
		}
		f, err := c.FuncNamed(fmt.Sprintf("@first%d.main", n))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Call(f); err != nil {
			b.Fatal(err)
		}
	}
}
