package repl

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/dialects"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Definitions in other dialects than that of the prompt, which is the first in the registry. Calls look the same in all
// dialects, but for the names.

// speak sets the dialect of definitions.
func (s *Session) speak(d *dialect.Dialect) {
	if d == dialects.All[0] {
		d = nil
	}
	s.Dialect = d
	s.split.isCall = nil
	if d != nil {
		s.split.isCall = s.isCall
	}
}

// choose is the command for that.
func (s *Session) choose(line int, name string) {
	if name == "" {
		d := s.Dialect
		if d == nil {
			d = dialects.All[0]
		}
		fmt.Fprintf(s.Out, "%s: %s\n", d.Name, d.Title)
		return
	}
	d, err := dialects.All.Choose(name, nil)
	if err != nil {
		s.fault(line, "%v", err)
		return
	}
	s.speak(d)
}

// textName is the name under which definitions are loaded: that of the input or, in other dialects, one with the ending
// that tells the dialect. Where files are modules all definitions are parts of one.
func (s *Session) textName() string {
	if s.Dialect == nil {
		return s.Name
	}
	return "in" + s.Dialect.Forms[0].Ending
}

// callForm is a name, alone or with arguments.
var callForm = regexp.MustCompile(`^([^\s(]+)(\(.*\))?\s*;?$`)

// isCall reports whether a line is the name of something that exists, alone or with arguments.
func (s *Session) isCall(line string) bool {
	m := callForm.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	_, err := s.lookup(s.named(m[1]))
	return err == nil
}

// cutCall is the function cutCall, with the name that the representation has for the user's.
func (s *Session) cutCall(text string) (name, args string, given bool) {
	m := callForm.FindStringSubmatch(text)
	if s.Dialect == nil || m == nil {
		return cutCall(text)
	}
	return s.named(m[1]), strings.TrimSuffix(strings.TrimPrefix(m[2], "("), ")"), m[2] != ""
}

// named is the name in the representation of what users of the dialect call name, or name itself.
func (s *Session) named(name string) string {
	if s.Dialect == nil || s.Dialect.Aliases == nil {
		return name
	}
	p := &ir.Program{}
	for _, n := range s.vm.Names("") {
		p.Funcs = append(p.Funcs, &ir.Function{Name: n})
	}
	for _, n := range s.Dialect.Aliases(p, name) {
		if _, err := s.lookup(n); err == nil {
			return n
		}
	}
	return name
}
