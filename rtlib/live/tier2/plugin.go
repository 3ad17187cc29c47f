//go:build cgo && (linux || darwin || freebsd)

package tier2

import (
	"plugin"

	"github.com/uvm2go/uvm2go/rtlib/live"
)

func init() {
	live.CompileWith(func(file string) error {
		_, err := plugin.Open(file)
		return err
	})
}
