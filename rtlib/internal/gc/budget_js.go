package gc

import (
	"strconv"
	"strings"
	"syscall/js"
)

// hostBudget is the default for StackBudget that the host's own stack allows. A frame of generated
// code lies on it, too, and it cannot be asked how large it is: browsers and node have a little less
// than a megabyte, node has more if a flag says so.
func hostBudget() uint64 {
	const usual = 512 << 10
	process := js.Global().Get("process")
	if process.Type() != js.TypeObject || process.Get("execArgv").Type() != js.TypeObject {
		return usual
	}
	flags := process.Get("execArgv")
	for i := range flags.Length() {
		flag := strings.ReplaceAll(flags.Index(i).String(), "_", "-")
		if text, ok := strings.CutPrefix(flag, "--stack-size="); ok {
			if kilobytes, err := strconv.ParseUint(text, 10, 32); err == nil {
				return kilobytes << 10 / 2
			}
		}
	}
	return usual
}
