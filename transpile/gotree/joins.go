package gotree

// maxElse bounds how deep branches nest in the else of others.
const maxElse = 8

// maxOver is the most statements that go into an else. It bounds the time that looking
// for the end of what is jumped over takes.
const maxOver = 128

// maxFlip is the most statements that change places with a branch.
const maxFlip = 12

// joins drops jumps to where control goes anyway. A branch of an if that jumps
// over the statements after it gets them as its else. If these leave, they become
// the branch instead, so that the longer part is not indented.
//
// next is the label that the end of the list leads to, or nil.
func joins(list []Stmt, next *Label) []Stmt {
	for i := len(list) - 1; i >= 0; i-- {
		switch s := list[i].(type) {
		case *Goto:
			if a := after(list, i, next); a != nil && a == s.L {
				list = append(list[:i:i], list[i+1:]...)
			}
		case *Block:
			s.List = joins(s.List, after(list, i, next))
		case *For:
			s.Body.List = joins(s.Body.List, s.Label)
		case *Switch:
			for k := range s.Cases {
				s.Cases[k].Body.List = joins(s.Cases[k].Body.List, after(list, i, next))
			}
		case *If:
			list = joinIf(list, i, s, next)
		}
	}
	return list
}

// after is the label that control reaches when it falls off statement i, or nil.
func after(list []Stmt, i int, next *Label) *Label {
	if i+1 == len(list) {
		return next
	}
	return labelOf(list[i+1])
}

func labelOf(s Stmt) *Label {
	switch s := s.(type) {
	case *Mark:
		return s.L
	case *For:
		return s.Label
	}
	return nil
}

func joinIf(list []Stmt, i int, s *If, next *Label) []Stmt {
	to := tailJump(s.Then.List)
	if s.Else != nil || to == nil {
		joinBranches(s, after(list, i, next))
		return list
	}
	end := i + 1 // of what is jumped over
	for ; end < len(list) && labelOf(list[end]) != to; end++ {
		if end-i > maxOver {
			joinBranches(s, after(list, i, next))
			return list
		}
		if f, loop := list[end].(*For); loop && f.Label.entered() || !loop && labelOf(list[end]) != nil {
			joinBranches(s, after(list, i, next)) // it has a label of its own
			return list
		}
	}
	if end == len(list) && next != to {
		joinBranches(s, after(list, i, next))
		return list
	}
	over := list[i+1 : end : end]
	then := s.Then.List
	switch {
	case len(over) == 0:
		joinBranches(s, to)
	case Leaves(over):
		if count(over, maxFlip) > maxFlip {
			break
		}
		s.Then.List = joins(then[:len(then)-1], to)
		flipped := &If{at: s.at, Init: s.Init, Cond: Not(s.Cond), Then: &Block{List: over, At: s.At}}
		return append(append(list[:i:i], flipped, s.Then), list[end:]...)
	default:
		depth := elseDepth(over)
		if depth > maxElse {
			break
		}
		s.Then.List = joins(then[:len(then)-1], to)
		s.Else, s.depth = &Block{List: over, At: s.At}, depth
		if len(s.Then.List) == 0 {
			s.Cond, s.Then, s.Else = Not(s.Cond), s.Else, nil
		}
		return append(list[:i+1:i+1], list[end:]...)
	}
	return list
}

// joinBranches is joins for the branches of an if that control comes out of at a label.
func joinBranches(s *If, next *Label) {
	s.Then.List = joins(s.Then.List, next)
	if s.Else != nil {
		s.Else.List = joins(s.Else.List, next)
	}
}

// tailJump is the label that the last statement jumps to, nil if it names none.
func tailJump(list []Stmt) *Label {
	if len(list) == 0 {
		return nil
	}
	switch s := list[len(list)-1].(type) {
	case *Goto:
		return s.L
	case *Continue:
		return s.L
	}
	return nil
}

// elseDepth is how deep an else of these statements would nest.
func elseDepth(list []Stmt) int {
	depth := 0
	for _, s := range list {
		if f, ok := s.(*If); ok {
			depth = max(depth, f.depth)
		}
	}
	if len(list) > 1 {
		depth++
	}
	return depth
}

// count counts statements, up to a few more than most.
func count(list []Stmt, most int) int {
	n := 0
	for _, s := range list {
		if n++; n > most {
			break
		}
		bodies(s, func(b *Block) { n += count(b.List, most-n) })
	}
	return n
}
