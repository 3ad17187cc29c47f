//go:build unix

package transpile

import (
	"io/fs"
	"os"
	"syscall"
)

// single reports whether a new file can take the place of an old one: it has the owner of new files, and
// one name.
func single(st fs.FileInfo) bool {
	s, ok := st.Sys().(*syscall.Stat_t)
	return ok && s.Nlink == 1 && int(s.Uid) == os.Geteuid() && int(s.Gid) == os.Getegid()
}
