package gotree

// Leaves reports whether control never falls off the end of statements.
func Leaves(list []Stmt) bool {
	for i := len(list) - 1; i >= 0; i-- {
		switch s := list[i].(type) {
		case *Reads:
			if s.Name == "" {
				continue
			}
			return false
		case *Return, *Goto, *Break, *Continue:
			return true
		case *Block:
			return Leaves(s.List)
		case *If:
			return s.Else != nil && Leaves(s.Then.List) && Leaves(s.Else.List)
		case *For:
			return s.Cond == nil && !breaks(s.Body.List, s.Label, true)
		case *Switch:
			other := false
			for i := range s.Cases {
				if !Leaves(s.Cases[i].Body.List) || breaks(s.Cases[i].Body.List, nil, true) {
					return false
				}
				other = other || s.Cases[i].Keys == nil
			}
			return other
		default:
			return false
		}
	}
	return false
}

// breaks reports whether statements have a break out of a loop: one that names the
// label or, where the loop is the innermost one, has no label.
func breaks(list []Stmt, l *Label, innermost bool) bool {
	found := false
	for _, s := range list {
		if b, ok := s.(*Break); ok {
			found = found || b.L == nil && innermost || b.L != nil && b.L == l
		}
		_, loop := s.(*For)
		_, choice := s.(*Switch)
		bodies(s, func(b *Block) { found = found || breaks(b.List, l, innermost && !loop && !choice) })
	}
	return found
}

// bodies calls fn for the blocks of a statement.
func bodies(s Stmt, fn func(*Block)) {
	switch s := s.(type) {
	case *Block:
		fn(s)
	case *If:
		fn(s.Then)
		if s.Else != nil {
			fn(s.Else)
		}
	case *For:
		fn(s.Body)
	case *Range:
		fn(s.Body)
	case *Switch:
		for i := range s.Cases {
			fn(s.Cases[i].Body)
		}
	}
}
