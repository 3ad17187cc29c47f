package repr

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// bundles numbers the files that tables refer to.
type bundles struct {
	bundleIDs   map[string]int
	BundleNames []string
}

func (b *bundles) init() { b.bundleIDs = map[string]int{} }

// Bundle numbers a file. Its name is that of the positions of Go code, to which the runtime compares it.
func (b *bundles) Bundle(file string) int {
	n, ok := b.bundleIDs[file]
	if !ok {
		n = len(b.BundleNames)
		b.bundleIDs[file] = n
		b.BundleNames = append(b.BundleNames, lex.FileName(file))
	}
	return n
}
