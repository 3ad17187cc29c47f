//go:build !cgo

package process

import "errors"

// Use returns an error that says what is needed to call C.
func Use(bool) error {
	return errors.New("needs cgo, without which this program was built: build it with CGO_ENABLED=1 and a C compiler")
}

// Open returns the error of Use.
func Open(string) error { return Use(false) }
