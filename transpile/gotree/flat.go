package gotree

// flatten drops the braces of blocks in lists, and labels that no statement names.
//
// Go allows no jump over the declaration of a variable in the same braces. Where
// there would be one, the variable is declared at the top instead.
func flatten(b *Block) {
	f := &flattener{}
	f.count(b.List)
	b.List = f.list(b.List)
	if len(f.order) == 0 {
		return
	}
	var top []Stmt
	for _, t := range f.order {
		for names := f.names[t]; len(names) > 0; {
			n := min(len(names), maxNames)
			top = append(top, &Var{at: at{b.At}, Names: names[:n], T: t})
			names = names[n:]
		}
	}
	b.List = append(top, b.List...)
}

// maxNames is the most variables of one declaration.
const maxNames = 12

type flattener struct {
	place int // in the text
	names map[*Type][]string
	order []*Type
}

// count counts the uses of labels and finds the first jump to each.
func (f *flattener) count(list []Stmt) {
	for _, s := range list {
		f.place++
		var l *Label
		switch s := s.(type) {
		case *Goto:
			l = s.L
			if l.top == 0 {
				l.top = f.place
			}
		case *Break:
			l = s.L
		case *Continue:
			l = s.L
		case *Assign:
			s.place = f.place
		case *Var:
			s.place = f.place
		}
		if l != nil {
			l.uses++
		}
		bodies(s, func(b *Block) { f.count(b.List) })
	}
}

// list splices the blocks of a list into it.
func (f *flattener) list(list []Stmt) []Stmt {
	n := 0
	for _, s := range list {
		bodies(s, func(b *Block) { b.List = f.list(b.List) })
		if b, ok := s.(*Block); ok {
			n += len(b.List)
		} else {
			n++
		}
	}
	// over is, from the end, the first jump to a label further on.
	over := make([]int, len(list)+1)
	over[len(list)] = f.place + 1
	for i := len(list) - 1; i >= 0; i-- {
		over[i] = over[i+1]
		if l := labelOf(list[i]); l != nil && l.top > 0 {
			over[i] = min(over[i], l.top)
		}
	}
	out := make([]Stmt, 0, n)
	for i, s := range list {
		switch s := s.(type) {
		case *Block:
			for _, x := range s.List {
				out = f.splice(out, x, over[i+1])
			}
		case *Mark:
			if s.L.uses > 0 {
				out = append(out, s)
			}
		default:
			out = append(out, s)
		}
	}
	return out
}

// splice appends a statement of a block. Variables whose declaration is jumped
// over are declared elsewhere.
func (f *flattener) splice(out []Stmt, s Stmt, over int) []Stmt {
	switch s := s.(type) {
	case *Assign:
		if s.Define && s.place > over {
			for i, x := range s.L {
				if id := x.(*Ident); id != Blank {
					f.declare(id.Name, s.Types[i])
				}
			}
			s.Define = false
		}
	case *Var:
		if s.place > over {
			for _, n := range s.Names {
				f.declare(n, s.T)
			}
			if s.X == nil {
				return out // it is assigned before it is read
			}
			return append(out, &Assign{at: s.at, L: []Expr{&Ident{Name: s.Names[0]}}, R: []Expr{s.X}})
		}
	}
	return append(out, s)
}

func (f *flattener) declare(name string, t *Type) {
	if f.names == nil {
		f.names = map[*Type][]string{}
	}
	if f.names[t] == nil {
		f.order = append(f.order, t)
	}
	f.names[t] = append(f.names[t], name)
}
