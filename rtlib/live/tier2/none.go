//go:build !cgo || !(linux || darwin || freebsd)

package tier2

import (
	"runtime"

	"github.com/uvm2go/uvm2go/rtlib/live"
)

func init() {
	why := "the program is made without cgo"
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd":
	default:
		why = "there are no plugins on " + runtime.GOOS
	}
	live.CannotCompile(why)
}
