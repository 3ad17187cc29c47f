package oracle

import (
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"

	"github.com/uvm2go/uvm2go/cmd/internal/corpus"
)

// sizeLine matches the constant that determines the size of a kernel, with its value
// for a quick test.
var sizeLine = regexp.MustCompile(`(?m)^(\.const @SIZE <@i64> = )(\d+)( +// small: )(\d+)$`)

// CorpusSteps is the largest number of instructions that an example may execute.
const CorpusSteps = 2_000_000_000

// A Bundle is a named bundle.
type Bundle struct{ Name, Text string }

// Bundles returns the examples and, at their small size, the kernels of the module
// in a folder.
func Bundles(root string) ([]Bundle, error) {
	found, err := corpus.Glob(root, "examples/*/*.uir", "cmd/uvmbench/kernels/*/*.uir")
	var list []Bundle
	for _, b := range found {
		text := sizeLine.ReplaceAllString(string(b.Sources[0].Text), "${1}${4}")
		list = append(list, Bundle{path.Base(path.Dir(b.Name)), text})
	}
	return list, err
}

// Corpus compares the examples and kernels and reports whether all agree.
func (l *Lab) Corpus(root string, ways []Way, log io.Writer) (bool, error) {
	list, err := Bundles(root)
	if err != nil {
		return false, err
	}
	ok := true
	l.MaxSteps = max(l.MaxSteps, CorpusSteps)
	for _, b := range list {
		what, err := l.Compare(b.Text, ways)
		if errors.Is(err, ErrNative) {
			fmt.Fprintf(log, "%s: skipped: %v\n", b.Name, err)
			continue
		}
		if err != nil {
			what = err.Error()
		}
		if what == "" {
			fmt.Fprintf(log, "%s: no difference\n", b.Name)
		} else {
			ok = false
			fmt.Fprintf(log, "DIFFERENCE: %s: %s\n", b.Name, what)
		}
	}
	return ok, nil
}
