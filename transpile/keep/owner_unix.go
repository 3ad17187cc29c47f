//go:build unix

package keep

import (
	"io/fs"
	"os"
	"syscall"
)

// trusted reports whether a folder belongs to the user, or to whoever owns the folder above
// it: in a folder that everybody may write to, such as /tmp, another user could have made
// it and put programs there.
func trusted(own, above fs.FileInfo) bool {
	a, ok := own.Sys().(*syscall.Stat_t)
	b, known := above.Sys().(*syscall.Stat_t)
	return ok && known && (int(a.Uid) == os.Geteuid() || a.Uid == b.Uid)
}
