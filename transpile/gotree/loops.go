package gotree

import "slices"

// Shape gives control the form of loops and branches as far as jumps have that
// form, and makes lists of statements flat.
//
//  1. loops: a label in front of a block that jumps back to it is a for.
//  2. joins: a branch that jumps over what follows is an if with else; a jump to
//     what follows anyway is dropped.
//  3. exits: the condition of a for, break and continue.
//  4. flatten: lone braces are dropped.
//  5. apart: a rare branch does not come back.
//
// All other control flow stays labels and jumps, whatever the graph.
func Shape(b *Block) {
	loops(b)
	b.List = joins(b.List, nil)
	b.List = exits(b.List, nil)
	flatten(b)
	b.List = apart(b.List, nil)
}

// maxTurns is the most jumps to the head of a loop. Go's compiler lets every turn of a
// for end at one place, where all variables must be in the same registers. That makes
// an interpreter, whose operations are the cases of a switch in a loop, a fifth slower
// than with jumps.
const maxTurns = 4

// loops makes loops of the labels whose block jumps back to them. The next turn still
// begins with a jump, see exits.
func loops(b *Block) {
	var out []Stmt
	for i := 0; i < len(b.List); i++ {
		s := b.List[i]
		switch s := s.(type) {
		case *Goto:
			s.L.jumps++
		case *Mark:
			if i+1 == len(b.List) {
				break
			}
			body, ok := b.List[i+1].(*Block)
			if !ok {
				break
			}
			i++
			before := s.L.jumps
			loops(body)
			if turns := s.L.jumps - before; turns == 0 || turns > maxTurns {
				out = append(out, s, body)
				continue
			}
			s.L.turns = s.L.jumps - before
			rest := exitBlocks(body, s.L)
			if len(body.List) == 1 {
				if b, ok := body.List[0].(*Block); ok {
					body.List = b.List
				}
			}
			if !Leaves(body.List) {
				body.List = append(body.List, &Break{at: at{body.At}})
			}
			out = append(append(out, &For{at: at{headPos(body)}, Label: s.L, Body: body}), rest...)
			continue
		}
		bodies(s, loops)
		out = append(out, s)
	}
	b.List = out
}

// exitBlocks takes the last labelled blocks that do not go back into a loop out of its
// body: they are executed when the loop ends. Nothing that is declared in the other
// blocks is visible in them; but what statements outside of blocks declare is visible.
func exitBlocks(body *Block, l *Label) []Stmt {
	for _, s := range body.List {
		switch s.(type) {
		case *Block, *Mark, *For:
		default:
			return nil
		}
	}
	stay := []*Label{l} // labels of what stays
	for n, s := range body.List {
		m, ok := s.(*Mark)
		if ok && n > 0 && !jumps(body.List[n:], stay) {
			rest := append([]Stmt(nil), body.List[n:]...)
			body.List = body.List[:n]
			return rest
		}
		if ok {
			stay = append(stay, m.L)
		} else if l := labelOf(s); l != nil {
			stay = append(stay, l)
		}
	}
	return nil
}

// jumps reports whether statements jump to one of some labels.
func jumps(list []Stmt, to []*Label) bool {
	found := false
	for _, s := range list {
		if g, ok := s.(*Goto); ok {
			found = found || slices.Contains(to, g.L)
		}
		bodies(s, func(b *Block) { found = found || jumps(b.List, to) })
	}
	return found
}

// headPos is the position of the first statement of a block.
func headPos(b *Block) Pos {
	for _, s := range b.List {
		if p := s.pos(); p.File != "" {
			return p
		}
	}
	return b.At
}
