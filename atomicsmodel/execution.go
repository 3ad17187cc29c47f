package atomicsmodel

import (
	"fmt"
	"math/bits"
	"strings"
)

func (m mask) first() int { return bits.TrailingZeros64(uint64(m)) }

// An Execution is an example: its events as text, and the relations between them.
type Execution struct {
	Events []string    // by number
	Thread []int       // by event: the number of its thread, or -1 for an initial store
	Names  []string    // of the threads
	Dep    [][2]int    // from a load to an event that depends on its value, also through a condition
	RF     [][2]int    // a load and the store it reads from
	MO     [][]int     // by location with more than the initial store: its stores in order
	SW     [][2]int    // synchronises with
	S      []int       // the SEQ_CST events in order
	Final  []NameValue // registers and locations
}

// A NameValue is a register or location with its value.
type NameValue struct {
	Name  string
	Value Value
}

// String returns the execution in readable form.
func (x *Execution) String() string {
	var b strings.Builder
	for i, e := range x.Events {
		fmt.Fprintf(&b, "%3d  %s\n", i, e)
	}
	pairs := func(name, arrow string, list [][2]int) {
		if len(list) == 0 {
			return
		}
		fmt.Fprintf(&b, "%-6s", name)
		for i, p := range list {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, " %d%s%d", p[0], arrow, p[1])
		}
		b.WriteByte('\n')
	}
	pairs("reads", "<-", x.RF)
	for _, order := range x.MO {
		b.WriteString("mo    ")
		writeInts(&b, order)
	}
	pairs("sw", "->", x.SW)
	if len(x.S) > 0 {
		b.WriteString("S     ")
		writeInts(&b, x.S)
	}
	b.WriteString("final ")
	for _, f := range x.Final {
		if f.Value.Defined {
			fmt.Fprintf(&b, " %s=%d", f.Name, f.Value.N)
		}
	}
	b.WriteByte('\n')
	return b.String()
}

func writeInts(b *strings.Builder, list []int) {
	for _, n := range list {
		fmt.Fprintf(b, " %d", n)
	}
	b.WriteByte('\n')
}

// describe returns the thread and statement of an event.
func (p *path) describe(e int) string {
	ev := &p.events[e]
	if ev.initial() {
		return fmt.Sprintf("initial %s=%d", p.locs[ev.loc], ev.value.N)
	}
	s := p.test.Threads[ev.thread].Name + ":"
	if ev.stmt != nil {
		s += " " + ev.stmt.String()
	}
	if ev.note != "" {
		s += " (" + ev.note + ")"
	}
	return s
}

// placed is describe with the line of the statement.
func (p *path) placed(e int) string {
	s := p.describe(e)
	if st := p.events[e].stmt; st != nil {
		s += fmt.Sprintf(" (line %d)", st.Line)
	}
	return s
}

// execution returns the candidate as an Execution.
func (x *candidate) execution(t *Test, state State, order []int) *Execution {
	r := &Execution{S: append([]int(nil), order...)}
	for i := range t.Threads {
		r.Names = append(r.Names, t.Threads[i].Name)
	}
	for i := range x.events {
		s := x.describe(i)
		e := &x.events[i]
		r.Thread = append(r.Thread, e.thread)
		(x.dd[i] | x.ctrl[i]).each(func(b int) { r.Dep = append(r.Dep, [2]int{i, b}) })
		if e.memory() && e.read {
			s += fmt.Sprintf("  read %d", x.read[i])
			r.RF = append(r.RF, [2]int{i, x.rf[i]})
		}
		if e.memory() && e.write && !e.initial() {
			s += fmt.Sprintf("  stored %d", x.wrote[i])
		}
		r.Events = append(r.Events, s)
		x.swAll[i].each(func(b int) { r.SW = append(r.SW, [2]int{i, b}) })
	}
	for _, m := range x.mo {
		if len(m) > 1 {
			r.MO = append(r.MO, append([]int(nil), m...))
		}
	}
	for i, v := range state {
		if i < len(t.registers) {
			r.Final = append(r.Final, NameValue{t.registers[i], v})
		} else {
			r.Final = append(r.Final, NameValue{t.locations[i-len(t.registers)], v})
		}
	}
	return r
}
