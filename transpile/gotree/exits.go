package gotree

// exits finishes loops: jumps back to the head are continue, jumps to what follows
// are break, and a first statement that leaves the loop is its condition.
//
// next is the label that the end of the list leads to, or nil.
func exits(list []Stmt, next *Label) []Stmt {
	out := make([]Stmt, 0, len(list))
	for i, s := range list {
		to := after(list, i, next)
		f, ok := s.(*For)
		if !ok {
			bodies(s, func(b *Block) { b.List = exits(b.List, to) })
			out = append(out, s)
			continue
		}
		replace(f.Body.List, f.Label, f.Label, func(p at, l *Label) Stmt { return &Continue{p, l} }, false)
		guards(f)
		last := condition(f)
		if to != nil && tailJump(last) == to {
			last = last[:len(last)-1]
		}
		if len(last) == 0 && to != nil {
			replace(f.Body.List, to, f.Label, func(p at, l *Label) Stmt { return &Break{p, l} }, false)
		}
		f.Body.List = turnEnds(exits(f.Body.List, f.Label), f.Label)
		out = append(out, f)
		if len(last) > 0 {
			out = append(out, &Block{List: exits(last, to), At: f.At})
		}
	}
	return out
}

// turnEnds drops the continue at the end of the body of a loop.
func turnEnds(list []Stmt, l *Label) []Stmt {
	if n := len(list); n > 0 {
		switch s := list[n-1].(type) {
		case *Continue:
			if s.L == nil || s.L == l {
				return list[:n-1]
			}
		case *Block:
			s.List = turnEnds(s.List, l)
		}
	}
	return list
}

// replace replaces the jumps to a label in a loop by other statements. These name the
// loop if they are in another loop inside it; a break also does so in a switch.
func replace(list []Stmt, to, loop *Label, made func(at, *Label) Stmt, named bool) {
	for i, s := range list {
		if g, ok := s.(*Goto); ok && g.L == to {
			var l *Label
			if named {
				l = loop
			}
			list[i] = made(g.at, l)
			continue
		}
		inner := named
		switch s.(type) {
		case *For, *Range:
			inner = true
		case *Switch:
			_, leaves := made(at{}, nil).(*Break)
			inner = inner || leaves
		}
		bodies(s, func(b *Block) { replace(b.List, to, loop, made, inner) })
	}
}

// condition takes the condition of a loop out of its body. It returns what is done
// when the loop ends, which is nothing if a break did it.
func condition(f *For) []Stmt {
	if len(f.Body.List) == 0 {
		return nil
	}
	first, ok := f.Body.List[0].(*If)
	if !ok || first.Init != nil || first.Else != nil || marked(first.Then.List) || marked(f.Body.List[1:]) {
		return nil
	}
	then, rest := withoutBreak(first.Then.List), withoutBreak(f.Body.List[1:])
	leaves := func(list, was []Stmt) bool { return len(list) < len(was) || Leaves(list) }
	switch {
	case leaves(then, first.Then.List) && ends(then, f.Label) && (len(then) == 0 || !breaks(f.Body.List[1:], f.Label, true)):
		f.Cond, f.At, f.Body.List = Not(first.Cond), first.At, f.Body.List[1:]
		return then
	case Leaves(first.Then.List) && leaves(rest, f.Body.List[1:]) && ends(rest, f.Label) && (len(rest) == 0 || !breaks(first.Then.List, f.Label, true)):
		f.Cond, f.At, f.Body.List = first.Cond, first.At, first.Then.List
		return rest
	}
	return nil
}

// marked reports whether a list has labels, which the rest of a loop may jump to.
func marked(list []Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *Mark:
			return true
		case *For:
			if s.Label.entered() {
				return true
			}
		}
	}
	return false
}

// withoutBreak returns the statements of a loop without a final break.
func withoutBreak(list []Stmt) []Stmt {
	if n := len(list); n > 0 {
		if b, ok := list[n-1].(*Break); ok && b.L == nil {
			return list[:n-1]
		}
	}
	return list
}

// guards turns the paths around the last branches of a loop that ends with a break
// into breaks, so that what is done in each turn is not indented.
func guards(f *For) {
	list := withoutBreak(f.Body.List)
	if len(list) == 0 || len(list) == len(f.Body.List) {
		return
	}
	out := list[:len(list)-1]
	for {
		s, ok := list[len(list)-1].(*If)
		if !ok || s.Else != nil || s.Init != nil {
			out = append(out, list[len(list)-1])
			break
		}
		out = append(out, &If{at: s.at, Cond: Not(s.Cond), Then: &Block{List: []Stmt{&Break{at: s.at}}, At: s.At}})
		if list = s.Then.List; len(list) == 0 {
			break
		}
		out = append(out, list[:len(list)-1]...)
	}
	if !Leaves(out) {
		out = append(out, &Break{at: at{f.Body.At}})
	}
	f.Body.List = out
}

// ends reports whether statements mean the same after a loop as in it.
func ends(list []Stmt, l *Label) bool { return !breaks(list, l, true) && !continues(list, l, true) }
