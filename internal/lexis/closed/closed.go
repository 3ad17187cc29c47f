// Package closed tells that a standard stream was closed when the process started, so that what is written there is lost.
package closed

import (
	"errors"
	"io"
	"os"
)

// Err is the error of a stream that was closed.
var Err = errors.New("it is closed")

// Check returns Err if w is a standard stream that was closed when the process started.
func Check(w io.Writer) error {
	if f, ok := w.(*os.File); ok && was(f) {
		return Err
	}
	return nil
}
