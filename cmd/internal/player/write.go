package player

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/muapi"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes/remake"
)

// A writer writes the parts of a file.
type writer struct {
	strings.Builder
	slots map[string]int // of the functions
}

func newWriter(b Builder) (*writer, error) {
	api, err := muapi.Read()
	if err != nil {
		return nil, err
	}
	w := &writer{slots: map[string]int{}}
	for _, f := range b.functions(api) {
		w.slots[f.Name] = f.Slot[b.Generation()]
	}
	return w, nil
}

func (w *writer) word(n uint64) {
	w.WriteString(strconv.FormatUint(n, 10))
	w.WriteByte(' ')
}

func (w *writer) number(n int) { w.word(uint64(n)) }

func (w *writer) text(s string) {
	w.number(len(s))
	w.WriteString(s)
	w.WriteByte(' ')
}

func (w *writer) words(list []uint64) {
	w.number(len(list))
	for _, n := range list {
		w.word(n)
	}
}

func (w *writer) ids(list []uint32) {
	w.number(len(list))
	for _, id := range list {
		w.word(uint64(id))
	}
}

func (w *writer) trap(t trap) {
	w.WriteByte('\n')
	w.word(uint64(t.id))
	w.text(t.name)
	w.number(t.results)
	w.number(len(t.vars))
	for _, v := range t.vars {
		w.text(v.name)
		w.text(v.typ)
	}
}

// later writes the names and calls for the later builder. Calls may be in any order: if their number is odd, they are shuffled.
func (w *writer) later(names []string, calls []remake.Call) {
	if n := len(calls); n%2 == 1 {
		rand.New(rand.NewPCG(uint64(n), 0)).Shuffle(n, func(i, k int) { calls[i], calls[k] = calls[k], calls[i] })
	}
	for _, n := range names {
		w.text(n)
	}
	w.number(len(calls))
	for _, c := range calls {
		w.WriteByte('\n')
		w.number(w.slots[c.Row.Name])
		for i := range c.Row.Params {
			w.arg(&c.Row.Params[i], &c.Args[i])
		}
	}
}

// arg writes an argument of the later builder.
func (w *writer) arg(p *nodes.IDParam, a *nodes.Arg) {
	switch {
	case p.Role == 'W':
		w.words(a.Words)
	case p.List:
		w.ids(a.IDs)
	case p.Role == 'Z':
		w.text(a.Text)
	case strings.IndexByte("w48", p.Role) >= 0:
		w.word(a.Word)
	default:
		w.word(uint64(a.ID))
	}
}

// earlier writes the calls for the builder of 2016, and the IDs of traps.
func (w *writer) earlier(calls []remake.EarlierCall, traps []trap) {
	w.number(len(calls))
	for _, c := range calls {
		w.WriteByte('\n')
		w.number(w.slots[c.Row.Name])
		if c.Row.Result != "" {
			w.word(uint64(c.Result))
		}
		for i, l := range c.Row.Lists() {
			if i == 0 && c.Row.Nodes[0] == 'b' {
				continue // the bundle
			}
			w.operand(l[0], &c.Args[i])
		}
	}
	w.WriteByte('\n')
	w.number(len(traps))
	for _, t := range traps {
		w.word(uint64(t.id))
	}
}

// operand writes an argument of the builder of 2016 with a letter (nodes.Row).
func (w *writer) operand(letter byte, a *nodes.Arg) {
	switch letter {
	case 'n':
		w.word(uint64(a.ID))
	case 'A', 'I':
		w.ids(a.IDs)
	case 'W':
		w.words(a.Words)
	case 'Z':
		w.text(a.Text)
	default:
		w.word(a.Word)
	}
}
