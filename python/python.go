// Package python is the client API of Mu in Python, which calls the C library (README.md): the files of the package mu, which uvm2go
// libmu puts beside the library. It has no code in Go.
package python

import "embed"

// Files are the files of the package mu, in the folder mu.
//
//go:embed mu/*.py
var Files embed.FS
