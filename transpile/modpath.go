package transpile

import (
	"regexp"
	"slices"
	"strings"
)

// modulePrefix begins module paths of programs. Paths whose first element has no dot are the
// standard library's, whatever it has in a later version of Go.
const modulePrefix = "uvm2go.local/"

// taken are the first elements of the import paths that the Go toolchain has for itself: the
// standard library of Go 1.26, and words with a meaning of their own.
var taken = strings.Fields(`C all archive bufio builtin bytes cmd cmp compress container context crypto
	database debug embed encoding errors expvar flag fmt go hash html image index internal io iter log
	main maps math mime net os path plugin reflect regexp runtime slices sort std strconv strings structs
	sync syscall testing text time tool toolchain unicode unique unsafe vendor weak work`)

// unusable matches elements that module paths cannot have, for Windows, or that are not the name of
// what go build makes.
var unusable = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9]|v[0-9]+)$`)

// ModulePath is the path of the module that WriteModule makes of a program or of a package: for any
// name one that go build takes. That of a package is its name if nothing speaks against it, so that
// it can be imported by that.
func ModulePath(name string, program bool) string {
	elem := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if elem == "" || elem[0] == '-' {
		elem = "_" + elem
	}
	if unusable.MatchString(elem) {
		elem += "_"
	}
	if program || slices.Contains(taken, elem) {
		return modulePrefix + elem
	}
	return elem
}
