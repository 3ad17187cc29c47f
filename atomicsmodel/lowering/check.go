package lowering

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/atomicsmodel/internal/choose"
)

// A Violation is an execution that a machine allows and Mu does not.
type Violation struct {
	Test  *atomicsmodel.Test
	Port  string
	State string   // registers and locations
	Steps []string // the accesses of each thread, with what they read and the barriers between them
}

func (v *Violation) String() string {
	return fmt.Sprintf("%s on %s: %s\n  %s", v.Test.Name, v.Port, v.State, strings.Join(v.Steps, "\n  "))
}

// States are final states: the values of all registers and then of all locations, encoded.
type States map[string]bool

// undefined stands for the value of a register that has none.
const undefined = 1 << 40

// key encodes a value.
func key(b []byte, n int64) []byte { return binary.AppendVarint(b, n) }

// Allowed are the final states that the model allows; nil if the behaviour is undefined.
func Allowed(t *atomicsmodel.Test) (States, error) {
	v, err := atomicsmodel.CheckContext(context.Background(), t, atomicsmodel.Options{})
	if err != nil || v.Result == atomicsmodel.UB || v.Result == atomicsmodel.Mixed {
		return nil, err
	}
	allowed := States{}
	for _, s := range v.States.All() {
		var b []byte
		for _, v := range s {
			if !v.Defined {
				v.N = undefined
			}
			b = key(b, v.N)
		}
		allowed[string(b)] = true
	}
	return allowed, nil
}

// show is a state as text.
func show(t *atomicsmodel.Test, state string) string {
	var out []string
	b := []byte(state)
	for _, name := range slices.Concat(t.Registers(), t.Locations()) {
		n, size := binary.Varint(b)
		b = b[size:]
		if n == undefined {
			out = append(out, name+"=?")
		} else {
			out = append(out, fmt.Sprintf("%s=%d", name, n))
		}
	}
	return strings.Join(out, " ")
}

// Within looks for a final state that is not allowed.
func Within(t *atomicsmodel.Test, allowed States, ports assignment) (*Violation, error) {
	for ch := (&choose.Chooser{}); ; {
		p, err := newPath(t, ports, ch)
		if err != nil {
			return nil, err
		}
		s := newSearch(p, allowed, ports(0, 0).allows)
		if s.reads(0); s.bad != "" {
			return &Violation{t, ports(0, 0).Name, s.bad, s.steps}, nil
		}
		if !ch.Next() {
			return nil, nil
		}
	}
}

// Reached are the final states that a machine allows.
func Reached(t *atomicsmodel.Test, port *Port) (States, error) {
	found := States{}
	for ch := (&choose.Chooser{}); ; {
		p, err := newPath(t, func(int, int) *Port { return port }, ch)
		if err != nil {
			return nil, err
		}
		s := newSearch(p, found, port.allows)
		s.collect = true
		if s.reads(0); !ch.Next() {
			return found, nil
		}
	}
}

// A search goes through the candidates of a path.
type search struct {
	*path
	allowed States
	allows  model
	collect bool    // add what is found to the states that are allowed, and go on
	got     []int64 // by event: the value that was read, or stored
	known   []bool
	final   []byte // the final state
	bad     string
	steps   []string
}

func newSearch(p *path, allowed States, allows model) *search {
	p.from = make([]int, p.n)
	return &search{path: p, allowed: allowed, allows: allows, got: make([]int64, p.n), known: make([]bool, p.n)}
}

// reads chooses a write for each read from event e on.
func (s *search) reads(e int) {
	for ; e < s.n && !s.r.has(e); e++ {
	}
	if e == s.n {
		if s.values() {
			s.writes(0)
		}
		return
	}
	(s.same[e] & s.w &^ s.po[e]).each(func(w int) {
		if s.bad == "" {
			s.from[e] = w
			s.reads(e + 1)
		}
	})
}

// values computes what is read and stored, and checks the conditions. There is no candidate whose values depend on themselves.
func (s *search) values() bool {
	clear(s.known)
	for changed := true; changed; {
		changed = false
		for e := range s.events {
			ev := &s.events[e]
			if s.known[e] || ev.kind == barrier {
				continue
			}
			v := ev.value
			if ev.kind == read {
				v = value{from: s.from[e]}
			}
			n := v.n
			if v.from >= 0 {
				if !s.known[v.from] {
					continue
				}
				if n = s.got[v.from]; v.apply != nil {
					n = v.apply(n, v.n)
				}
			}
			s.got[e], s.known[e], changed = n, true, true
		}
	}
	for e := range s.events {
		if s.m.has(e) && !s.known[e] {
			return false
		}
	}
	for _, c := range s.checks {
		if (s.got[c.event] == c.n) != c.want {
			return false
		}
	}
	return true
}

// writes orders the writes to the l-th location and all later ones.
func (s *search) writes(l int) {
	if l == len(s.orders) {
		s.judge()
		return
	}
	var list []int
	s.w.each(func(w int) {
		if s.events[w].loc == l {
			list = append(list, w)
		}
	})
	var place func(k int)
	place = func(k int) {
		if k == len(list) {
			s.orders[l] = list
			s.writes(l + 1)
			return
		}
		for i := k; i < len(list) && s.bad == ""; i++ {
			list[k], list[i] = list[i], list[k]
			ok := true
			for _, later := range list[k+1:] {
				ok = ok && !s.po[later].has(list[k])
			}
			if ok {
				place(k + 1)
			}
			list[k], list[i] = list[i], list[k]
		}
	}
	place(1) // the initial store is the first
}

// judge looks at a candidate.
func (s *search) judge() {
	s.state()
	if s.allowed[string(s.final)] {
		return
	}
	switch s.communicate(); {
	case !s.coherent() || !s.allows(&s.execution):
	case s.collect:
		s.allowed[string(s.final)] = true
	default:
		s.bad = show(s.test, string(s.final))
		s.describe()
	}
}

// state encodes the final state.
func (s *search) state() {
	s.final = s.final[:0]
	for _, r := range s.test.Registers() {
		n := int64(undefined)
		if e, ok := s.result[r]; ok {
			n = s.got[e]
		}
		s.final = key(s.final, n)
	}
	for l := range s.test.Locations() {
		order := s.orders[l]
		s.final = key(s.final, s.got[order[len(order)-1]])
	}
}

// describe notes the steps of each thread.
func (s *search) describe() {
	for th := range s.test.Threads {
		var b strings.Builder
		b.WriteString(s.test.Threads[th].Name + ":")
		for e := range s.events {
			ev := &s.events[e]
			if ev.thread != th {
				continue
			}
			switch name := s.location(ev.loc); ev.kind {
			case barrier:
				b.WriteString(" " + ev.name + ";")
			case read:
				fmt.Fprintf(&b, " R%s %s=%d;", ev.marks, name, s.got[e])
			case write:
				fmt.Fprintf(&b, " W%s %s=%d;", ev.marks, name, s.got[e])
			}
		}
		s.steps = append(s.steps, b.String())
	}
}

func (s *search) location(l int) string {
	if names := s.test.Locations(); 0 <= l && l < len(names) {
		return names[l]
	}
	return "local"
}

// String returns the marks as tables have them.
func (m marks) String() string {
	s := ""
	for _, p := range []struct {
		m marks
		s string
	}{{atomic, "*"}, {acquire, ".aq"}, {release, ".rl"}} {
		if m&p.m != 0 {
			s += p.s
		}
	}
	return s
}
