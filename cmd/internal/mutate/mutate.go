// Package mutate makes unusual bundles that check accepts: it changes bundles of the
// repository in one place after another and keeps a change if the result is still valid.
// The translator must translate every accepted bundle, and the Go compiler must accept
// the result.
//
//	tokens.go   changes to the text of any dialect: tokens, lines, names
//	tree.go     changes to the tree of Mu text: operands, destinations, clauses, blocks
//	batch.go    reading, translating and compiling many mutants
//
// It does not run programs; package oracle does. A mutant can be made again from its seed and number.
package mutate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/corpus"
	"github.com/uvm2go/uvm2go/transpile"
)

// MaxText is the length of the largest bundle that is mutated, in bytes. It is small so that the Go
// compiler gets many mutants rather than large ones.
const MaxText = 12 << 10

// A Mutant is a changed bundle with the list of its changes.
type Mutant struct {
	Number  int
	From    string // the bundle it was made from
	Steps   []string
	Bundle  corpus.Bundle
	Options transpile.Options
}

// String tells how a mutant was made.
func (m *Mutant) String() string {
	return fmt.Sprintf("mutant %d of %s: %s", m.Number, m.From, strings.Join(m.Steps, ", "))
}

// A Source makes mutants.
type Source struct {
	seeds  []corpus.Bundle
	donors map[string][][]byte // lines of the seeds by ending
	words  map[string][][]byte // words in capitals, or IAL's mnemonics, by ending
}

// NewSource makes a source from the small valid ones among bundles.
func NewSource(bundles []corpus.Bundle) *Source {
	s := &Source{donors: map[string][][]byte{}, words: map[string][][]byte{}}
	for _, b := range bundles {
		n := 0
		for _, src := range append(b.Sources, b.Images...) {
			n += len(src.Text)
		}
		if n > MaxText || len(b.Sources) == 0 {
			continue
		}
		if _, f := read(b, transpile.Options{}); f != nil {
			continue
		}
		s.seeds = append(s.seeds, b)
		for _, src := range append(b.Sources, b.Images...) {
			e := ending(src.Name)
			s.donors[e] = append(s.donors[e], bytes.SplitAfter(src.Text, []byte("\n"))...)
			for _, t := range split(src.Text) {
				if kindOf(t) == word {
					s.words[e] = append(s.words[e], t)
				}
			}
		}
	}
	return s
}

// Seeds is the number of bundles that mutants are made from.
func (s *Source) Seeds() int { return len(s.seeds) }

// ending returns the ending of a file name, which determines the dialect, or that the file is a script.
func ending(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// tries is the number of changes that are tried for one mutant.
const tries = 120

// Make makes mutant number n of a seed: an accepted bundle with up to a dozen changes, or nil where
// hardly any change was accepted. A fault is what went wrong while a change was checked.
func (s *Source) Make(seed uint64, n int) (*Mutant, *Fault) {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	from := s.seeds[r.IntN(len(s.seeds))]
	m := &Mutant{Number: n, From: from.Name, Bundle: from}
	want := 1 + r.IntN(12)
	for range tries {
		next, what := s.change(r, m.Bundle)
		if what == "" {
			continue
		}
		switch _, f := read(next, transpile.Options{}); {
		case f == nil:
			m.Bundle = next
			m.Steps = append(m.Steps, what)
		case f.Kind != Refused:
			f.Mutant = &Mutant{Number: n, From: from.Name, Bundle: next, Steps: append(m.Steps, what)}
			return nil, f
		}
		if len(m.Steps) == want {
			break
		}
	}
	if len(m.Steps) == 0 {
		return nil, nil
	}
	m.Options = options(r)
	return m, nil
}

// options returns the options for the translation of a mutant.
func options(r *rand.Rand) transpile.Options {
	o := transpile.Options{Optimize: 1, Lines: true, Package: "p"}
	switch r.IntN(8) {
	case 0, 1:
		o.Optimize = 0
	case 2:
		o.Sanitize = true
	case 3:
		o.Introspect = true
	case 4:
		o.Lines = false
		o.SingleFile = true
	}
	return o
}

// change makes one change in one of the files of a bundle. what is "" if no change was made.
func (s *Source) change(r *rand.Rand, b corpus.Bundle) (next corpus.Bundle, what string) {
	next = b
	next.Sources = append([]transpile.Source(nil), b.Sources...)
	next.Images = append([]transpile.Source(nil), b.Images...)
	i := r.IntN(len(next.Sources) + len(next.Images))
	f := &next.Images
	if i < len(next.Sources) {
		f = &next.Sources
	} else {
		i -= len(next.Sources)
	}
	src := &(*f)[i]
	text, what := s.file(r, *src)
	if what == "" || bytes.Equal(text, src.Text) || len(text) > 2*MaxText {
		return b, ""
	}
	src.Text = text
	return next, what
}

func (s *Source) file(r *rand.Rand, src transpile.Source) ([]byte, string) {
	switch ending(src.Name) {
	case "uirb":
		return flip(r, src.Text), "bytes"
	case "uir":
		if r.IntN(3) > 0 {
			if text, what := tree(r, src.Text); what != "" {
				return text, what
			}
		}
	}
	return s.text(r, ending(src.Name), src.Text)
}

// A Kind tells why a bundle was refused or what fault it caused.
type Kind int

// The kinds.
const (
	Refused    Kind = iota // it has errors, which is correct
	Panicked               // the translator panics
	TooLong                // it takes more than Limit
	Internal               // an internal error
	NoGo                   // no code can be generated from a valid bundle
	Uncompiled             // the Go compiler refuses the code
	BadReport              // a diagnostic in the wrong form
)

var kindNames = [...]string{"refused", "panic", "takes too long", "internal error", "not translated", "not compiled", "bad diagnostic"}

// String returns the name of a kind.
func (k Kind) String() string { return kindNames[k] }

// A Fault is a reason why a mutant did not become Go.
type Fault struct {
	Kind   Kind
	Text   string
	Mutant *Mutant
}

// Limit is the longest time that the translator may take for a mutant. It is generous because machines may be busy.
const Limit = 20 * time.Second
