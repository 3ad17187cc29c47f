package live_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/live"
)

// BenchmarkFirstCall loads a bundle of ten thousand instructions into a running VM, and calls each of its functions
// once. It reports the least time of one as well: what is loaded stays, and other programs of the machine add to the
// others.
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
	least := time.Hour
	for b.Loop() {
		b.StopTimer()
		n := reloads.Add(1)
		own := names.ReplaceAllString(text, fmt.Sprintf("@first%d.$1", n))
		b.StartTimer()
		begin := time.Now()
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
		least = min(least, time.Since(begin))
	}
	b.ReportMetric(float64(least.Microseconds())/1e3, "least-ms")
}
