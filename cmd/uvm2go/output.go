package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// output is standard output. After an error it swallows what is written and remembers the
// error, which Main reports: so no command has to look after every line that it prints.
type output struct {
	file    io.Writer // for programs that are started, and for terminals
	err     error
	checked bool
}

var errClosed = errors.New("it is closed")

func (o *output) Write(b []byte) (int, error) {
	if !o.checked {
		o.checked = true
		if f, ok := o.file.(*os.File); ok && wasClosed(f) {
			o.err = errClosed
		}
	}
	if o.err == nil {
		_, o.err = o.file.Write(b)
	}
	return len(b), nil
}

// ended returns the status of a command that has ended with a status, and reports that its
// output could not be written.
func (e *env) ended(status int) int {
	if e.stdout.err == nil {
		return status
	}
	return max(status, e.outputError(e.stdout.err))
}

// outputError reports that standard output could not be written.
func (e *env) outputError(err error) int {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // the name is /dev/stdout
	}
	return e.errorf("standard output cannot be written: %v", err)
}
