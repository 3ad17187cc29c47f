package oracle

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
)

// sizeLine is the constant that says how much a kernel does, and how much in a
// quick test.
var sizeLine = regexp.MustCompile(`(?m)^(\.const @SIZE <@i64> = )(\d+)( +// small: )(\d+)$`)

// CorpusSteps is how many instructions the longest of the examples may take.
const CorpusSteps = 2_000_000_000

// A Bundle is a named bundle.
type Bundle struct{ Name, Text string }

// Bundles are the examples and, at their small size, the kernels of the module
// in a folder.
func Bundles(root string) ([]Bundle, error) {
	var list []Bundle
	for _, pattern := range []string{"examples/*/*.uir", "cmd/uvmbench/kernels/*/*.uir"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			b, err := os.ReadFile(p)
			if err != nil {
				return nil, err
			}
			text := sizeLine.ReplaceAllString(string(b), "${1}${4}")
			list = append(list, Bundle{filepath.Base(filepath.Dir(p)), text})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no examples below %s", root)
	}
	return list, nil
}

// Corpus compares the examples and kernels and says whether all agree.
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
