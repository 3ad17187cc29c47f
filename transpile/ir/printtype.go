package ir

import (
	"fmt"
	"sort"
	"strings"
)

// How types are spelled.

// maxSpelled is the number of constructors beyond which a type without name is
// defined in a line of its own.
const maxSpelled = 40

func (pr *printer) namedTypes() {
	var names []string
	for n, e := range pr.p.Entities {
		if _, ok := e.(TypeID); ok {
			names = append(names, n)
		}
	}
	sort.Slice(names, func(i, j int) bool {
		if a, b := pr.p.TypeIDs[names[i]], pr.p.TypeIDs[names[j]]; a != b {
			return a < b
		}
		return names[i] < names[j]
	})
	for _, n := range names {
		id := pr.p.Entities[n].(TypeID)
		def := pr.typ(id)
		if pr.t.Valid(id) && (pr.t.tab.List[id].Name == n || !pr.named(id)) {
			def = pr.structure(id)
		}
		pr.printf("type %s = %s%s\n", global(n), def, entityID(pr.p.TypeIDs[n]))
	}
}

// named reports whether a type can be spelled by its name.
func (pr *printer) named(id TypeID) bool {
	n := pr.t.tab.List[id].Name
	if n == "" {
		return false
	}
	e, ok := pr.p.Entities[n].(TypeID)
	return ok && e == id
}

// typ spells a type: its name, its label, or its structure.
func (pr *printer) typ(id TypeID) string {
	switch {
	case !pr.t.Valid(id):
		return fmt.Sprintf("?type%d", id)
	case pr.named(id):
		return global(pr.t.tab.List[id].Name)
	case pr.needsLabel(id):
		n, ok := pr.label[id]
		if !ok {
			n = len(pr.order)
			pr.label[id] = n
			pr.order = append(pr.order, id)
		}
		return fmt.Sprintf("#%d", n)
	}
	return pr.structure(id)
}

func (pr *printer) typs(ids []TypeID) string {
	s := make([]string, len(ids))
	for i, id := range ids {
		s[i] = pr.typ(id)
	}
	return strings.Join(s, " ")
}

func (pr *printer) structure(id TypeID) string {
	n := &pr.t.tab.List[id]
	switch n.Kind {
	case KInt:
		return fmt.Sprintf("int<%d>", n.Bits)
	case KRef, KIRef, KWeakRef, KUPtr, KFuncRef, KUFuncPtr:
		return n.Kind.String() + "<" + pr.typ(n.Elem) + ">"
	case KStruct:
		return structName(n) + "<" + pr.typs(n.Fields) + ">"
	case KHybrid:
		return "hybrid<" + pr.typs(append(n.Fields[:len(n.Fields):len(n.Fields)], n.Elem)) + ">"
	case KArray, KVector:
		return fmt.Sprintf("%s<%s %d>", n.Kind, pr.typ(n.Elem), n.Len)
	case KSig:
		return "(" + pr.typs(n.Fields) + ") -> (" + pr.typs(n.Results) + ")"
	case KInvalid:
		return "?invalid"
	}
	return n.Kind.String()
}

// needsLabel reports whether a type without name is on a cycle of such types,
// or too large to be spelled where it is used.
func (pr *printer) needsLabel(id TypeID) bool {
	if pr.size == nil || len(pr.size) < len(pr.t.tab.List) {
		pr.size = append(pr.size, make([]int32, len(pr.t.tab.List)-len(pr.size))...)
		pr.low = append(pr.low, make([]int32, len(pr.t.tab.List)-len(pr.low))...)
	}
	if pr.size[id] == 0 {
		pr.measure(id)
	}
	return pr.size[id] < 0
}

// measure sets sizes by Tarjan's algorithm: components come children first.
func (pr *printer) measure(id TypeID) int32 {
	pr.next++
	index := pr.next
	pr.low[id] = index
	pr.stack = append(pr.stack, id)
	size, loop := int32(1), false
	pr.parts(id, func(k TypeID) {
		switch {
		case !pr.t.Valid(k) || pr.named(k):
			size++
		case pr.size[k] != 0:
			size += max(pr.size[k], 1)
		case pr.low[k] == 0:
			low := pr.measure(k)
			pr.low[id] = min(pr.low[id], low)
			size += max(pr.size[k], 1)
		default: // on the stack
			pr.low[id] = min(pr.low[id], pr.low[k])
			loop = loop || k == id
		}
		size = min(size, maxSpelled+1)
	})
	low := pr.low[id]
	if low != index {
		return low
	}
	n := len(pr.stack) - 1
	for pr.stack[n] != id {
		pr.size[pr.stack[n]] = -1
		n--
	}
	pr.size[id] = size
	if n != len(pr.stack)-1 || loop || size > maxSpelled {
		pr.size[id] = -1
	}
	pr.stack = pr.stack[:n]
	return low
}

func (pr *printer) parts(id TypeID, f func(TypeID)) {
	n := &pr.t.tab.List[id]
	if n.Elem != NoType {
		f(n.Elem)
	}
	for _, k := range n.Fields {
		f(k)
	}
	for _, k := range n.Results {
		f(k)
	}
}
