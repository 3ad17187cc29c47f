package transpile

import (
	"regexp"
	"slices"
	"strings"
)

// modulePrefix begins module paths of programs. Go reserves paths whose first element has no dot
// for the standard library, which may use any of them in a later version.
const modulePrefix = "uvm2go.local/"

// taken are the first elements of the import paths that the Go toolchain keeps for itself: those of
// the standard library of Go 1.26, and words with a special meaning.
var taken = strings.Fields(`C all archive bufio builtin bytes cmd cmp compress container context crypto
	database debug embed encoding errors expvar flag fmt go hash html image index internal io iter log
	main maps math mime net os path plugin reflect regexp runtime slices sort std strconv strings structs
	sync syscall testing text time tool toolchain unicode unique unsafe vendor weak work`)

// unusable matches elements that module paths cannot have because Windows reserves the names, and
// version suffixes, after which go build does not name its output.
var unusable = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9]|v[0-9]+)$`)

// ModulePath is the path of the module that WriteModule makes of a program or of a package. For any
// name it is a path that go build accepts. The path of a package is its name where possible, so that
// it can be imported under its name.
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
