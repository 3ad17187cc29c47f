package uvm2014

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// deviations are the forms that are accepted although the dialect does not have them, by kind:
// there is one warning for each kind and function, at the first place.
type deviations map[string]*deviation

type deviation struct {
	off   syntax.Off
	text  string
	count int
}

// deviate notes a deviation. Under -strict it is an error.
func (l *loader) deviate(d deviations, kind string, off syntax.Off, format string, args ...any) {
	l.deviated++
	if l.opt.Strict {
		l.errorf(off, format, args...)
		return
	}
	if known := d[kind]; known != nil {
		known.count++
		if off < known.off {
			known.off, known.text = off, fmt.Sprintf(format, args...)
		}
		return
	}
	d[kind] = &deviation{off, fmt.Sprintf(format, args...), 1}
}

// flush reports the warnings and empties d. where is the function, or "".
func (l *loader) flush(d deviations, where string) {
	if len(d) == 0 {
		return
	}
	for _, kind := range slices.Sorted(maps.Keys(d)) {
		dev := d[kind]
		text := dev.text
		if dev.count > 1 {
			in := ""
			if where != "" {
				in = " in " + where
			}
			text = fmt.Sprintf("%s (and %d more%s)", text, dev.count-1, in)
		}
		l.diags.Warnf(l.b.Pos(dev.off), "%s", text)
	}
	clear(d)
}

// oldForms notes the forms of older bundles that the parser has found.
func (l *loader) oldForms() {
	// A kind is reported once for each function that has it: the deviations of a function
	// are between its braces.
	var funcs []*syntax.FuncDef
	for _, d := range l.b.Defs {
		if f, ok := d.(*syntax.FuncDef); ok {
			funcs = append(funcs, f)
		}
	}
	// Those of the binary form are noted when definitions are read, and when bodies are.
	slices.SortStableFunc(l.b.Deviations, func(a, b syntax.Deviation) int { return cmp.Compare(a.Off, b.Off) })
	next := 0
	for _, d := range l.b.Deviations {
		for next < len(funcs) && funcs[next].Close < d.Off {
			next++
		}
		where := ""
		if next < len(funcs) && funcs[next].Off <= d.Off {
			where = l.name(funcs[next].Name)
		}
		l.deviate(l.devs, strings.Join([]string{"syntax", d.Kind, where}, "\x00"), d.Off, "%s", d.Text)
	}
}
