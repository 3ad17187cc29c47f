//go:build !unix

package transpile

import "io/fs"

// single reports whether a new file can take the place of an old one.
func single(st fs.FileInfo) bool { return true }
