package scripttest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// HotLoop is what a program reports under UVMDEBUG=live=1 when the loop that Hot makes leaves the engine.
const HotLoop = "uvm: live: a loop of @main goes on in compiled code\n"

// Hot changes a bundle for testdata/loader.uir: its function @main is called after a loop that is hot, and @before, if it
// has such a function, before the loop. If there is a plugin for the bundle, the loop leaves the engine, and takes a second.
func Hot(bundle string) string {
	before := ""
	if strings.Contains(bundle, ".funcdef @before ") {
		before = "CALL <@h.none> @before () "
	}
	return strings.Replace(bundle, ".funcdef @main ", ".funcdef @hot.main ", 1) + `
.const @hot.turns <@h.i64> = 1000000000
.funcdef @main VERSION %v <@h.none> {
  %e(): ` + before + `BRANCH %loop(@hot.turns)
  %loop(<@h.i64> %n):
    %m = SUB <@h.i64> %n @h.1
    %c = EQ <@h.i64> %m @h.0
    BRANCH2 %c %done() %loop(%m)
  %done(): CALL <@h.none> @hot.main () RET ()
}
`
}

// Plugins returns the number of plugins in a cache, a folder for UVM2GO_CACHE.
func Plugins(t *testing.T, cache string) int {
	l, err := filepath.Glob(filepath.Join(cache, "units", "*.so"))
	if err != nil {
		t.Fatal(err)
	}
	return len(l)
}

// AwaitPlugin waits for a plugin if there are only n: the command that makes it continues after the program that asked
// for it has ended.
func AwaitPlugin(t *testing.T, cache string, n int) {
	for range 300 {
		if Plugins(t, cache) > n {
			return
		}
		time.Sleep(time.Second)
	}
	t.Fatal("no plugin was made")
}
