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
	return ending(list, l, innermost, func(s Stmt) (to *Label, ok, inner bool) {
		switch s := s.(type) {
		case *Break:
			return s.L, true, false
		case *For, *Range, *Switch:
			inner = true
		}
		return nil, false, inner
	})
}

// continues reports whether statements have a continue of a loop, see breaks.
func continues(list []Stmt, l *Label, innermost bool) bool {
	return ending(list, l, innermost, func(s Stmt) (to *Label, ok, inner bool) {
		switch s := s.(type) {
		case *Continue:
			return s.L, true, false
		case *For, *Range:
			inner = true
		}
		return nil, false, inner
	})
}

// ending reports whether statements contain one that ends a loop or its turn. kind returns the
// label that such a statement names; for other statements it says whether an unlabelled one
// inside them refers to them.
func ending(list []Stmt, l *Label, innermost bool, kind func(Stmt) (to *Label, ok, inner bool)) bool {
	if !innermost && l == nil {
		return false // no statement names that: nested statements are not looked at again and again
	}
	found := false
	for _, s := range list {
		to, ok, inner := kind(s)
		if ok {
			found = found || to == nil && innermost || to != nil && to == l
		}
		bodies(s, func(b *Block) { found = found || ending(b.List, l, innermost && !inner, kind) })
		if found {
			break
		}
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
