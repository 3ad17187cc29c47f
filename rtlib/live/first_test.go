//go:build unix

package live_test

import (
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/live"
)

// BenchmarkFirstCall loads a bundle of ten thousand instructions into a running VM and calls one of its functions for the
// first time, or calls each once. It reports the least time of one as well, on the clock and of the processors: other
// programs of the machine add to the time, and the bundles before to the collector's work.
func BenchmarkFirstCall(b *testing.B) {
	b.Run("one", func(b *testing.B) { firstCall(b, "f0") })
	b.Run("each", func(b *testing.B) { firstCall(b, "main") })
}

func firstCall(b *testing.B, function string) {
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
	least, clock := time.Hour, time.Hour
	for b.Loop() {
		b.StopTimer()
		n := reloads.Add(1)
		own := names.ReplaceAllString(text, fmt.Sprintf("@first%d.$1", n))
		b.StartTimer()
		before, at := processorTime(b), time.Now()
		if err := c.LoadBundleText(own); err != nil {
			b.Fatal(err)
		}
		f, err := c.FuncNamed(fmt.Sprintf("@first%d.%s", n, function))
		if err != nil {
			b.Fatal(err)
		}
		var args []any
		if function != "main" { // a number and a list
			list, err := c.ConstNamed(fmt.Sprintf("@first%d.nil", n))
			if err != nil {
				b.Fatal(err)
			}
			args = []any{c.Int(5, 64), list}
		}
		if _, err := c.Call(f, args...); err != nil {
			b.Fatal(err)
		}
		least, clock = min(least, processorTime(b)-before), min(clock, time.Since(at))
	}
	b.ReportMetric(float64(clock.Microseconds())/1e3, "least-ms")
	b.ReportMetric(float64(least.Microseconds())/1e3, "least-cpu-ms")
}

// processorTime is what the process has used, all threads together.
func processorTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
