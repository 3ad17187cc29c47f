package atomicsmodel

import (
	"fmt"
	"slices"
)

// Local variables of litmus tests in C. A register is assigned once; a variable has a version for each assignment.

// A cversion is the value of a variable after an assignment, which happens if all conditions hold.
type cversion struct {
	conds []Cond
	value Operand
	own   bool // the value is a register that this assignment defines, and that has no value where it does not happen
}

// set makes the value of a variable of the present thread.
func (p *cparser) set(name string, v Operand) {
	key := p.current() + ":" + name
	p.versions[key] = append(p.versions[key], cversion{slices.Clone(p.conds), v, false})
	p.local[name] = true
}

// assign makes a register for a variable that gets a value.
func (p *cparser) assign(n ctoken) string {
	reg := p.newRegister(n.text)
	p.set(n.text, Operand{Reg: reg})
	list := p.versions[p.current()+":"+n.text]
	list[len(list)-1].own = true
	return reg
}

// newRegister makes a register of the present thread.
func (p *cparser) newRegister(name string) string {
	base := p.current() + "_" + name
	reg := base
	for n := 2; slices.Contains(p.test.registers, reg); n++ {
		reg = fmt.Sprintf("%s_%d", base, n)
	}
	p.test.registers = append(p.test.registers, reg)
	return reg
}

// get is the value of a variable at the present place.
func (p *cparser) get(n ctoken) Operand {
	list := p.versions[p.current()+":"+n.text]
	for i := len(list) - 1; i >= 0; i-- {
		v := list[i]
		if len(v.conds) <= len(p.conds) && slices.Equal(v.conds, p.conds[:len(v.conds)]) {
			return v.value
		}
		if !slices.ContainsFunc(v.conds, func(c Cond) bool { return slices.Contains(p.conds, Cond{c.Name, !c.Not, c.Value}) }) {
			p.fail(n, "%s has another value here if the branch before was taken: use another variable in the branch", n.text)
		}
	}
	if p.local[n.text] {
		p.fail(n, "%s has no value yet", n.text)
	}
	if _, location := p.atomic[n.text]; location {
		p.fail(n, "%s is a location, with the value *%[1]s: pointers as values are not supported", n.text)
	}
	p.fail(n, "unknown variable %s", n.text)
	return Operand{}
}

// ways returns the ways in which the final value of a variable can meet a condition.
func ways(list []cversion, c Cond) (cases [][]Cond) {
	rest := [][]Cond{nil} // the ways in which none of the later versions is the final one
	for _, v := range slices.Backward(list) {
		term := []Cond{{v.value.Reg, c.Not, c.Value}}
		met := true
		if v.value.Reg == "" {
			term, met = nil, c.holds(v.value.N)
		}
		var next [][]Cond
		for _, r := range rest {
			conds := v.conds
			if v.own {
				conds = nil
			}
			if met {
				cases = append(cases, slices.Concat(r, conds, term))
			}
			for i, k := range v.conds { // the first i hold, the next one does not
				next = append(next, slices.Concat(r, v.conds[:i], []Cond{{k.Name, !k.Not, k.Value}}))
			}
		}
		rest = next
	}
	return cases
}

// possible leaves out what is said twice in a question, and ways that contradict themselves.
func possible(question [][]Cond) (list [][]Cond) {
	for _, way := range question {
		var conds []Cond
		contradicts := false
		for _, c := range way {
			if !slices.Contains(conds, c) {
				conds = append(conds, c)
			}
			for _, d := range way {
				contradicts = contradicts || c.Name == d.Name && !c.Not && !d.holds(c.Value)
			}
		}
		if !contradicts && !slices.ContainsFunc(list, func(old []Cond) bool { return slices.Equal(old, conds) }) {
			list = append(list, conds)
		}
	}
	return list
}
