package gotree

// maxApart is the most statements that a rare branch gets a copy of.
const maxApart = 24

// apart gives rare branches a copy of what follows them up to the return, or up to the next turn of the loop,
// where it is short and has no loops and labels. Go's compiler puts the blocks of both branches in front of the block
// that they would lead to. So the likely branch would end with a jump over the rare one; behind an indirect call,
// such a jump costs more than the copy, because it uses up history that calls are predicted by.
//
// end makes the statement that control goes on with at the end of the list, nil if that takes more than one.
func apart(list []Stmt, end func() Stmt) []Stmt {
	out := make([]Stmt, 0, len(list))
	for i, s := range list {
		after := end // of the statement
		if i+1 < len(list) {
			after = nil
		}
		switch s := s.(type) {
		case *For:
			s.Body.List = apart(s.Body.List, func() Stmt { return &Continue{at: s.at} })
		case *If:
			s.Then.List = apart(s.Then.List, after)
			if s.Else != nil {
				s.Else.List = apart(s.Else.List, after)
			}
			if !s.Rare || Leaves(s.Then.List) || Leaves(s.Else.List) {
				break
			}
			if rest, ok := copyRest(list[i+1:], end); ok {
				rare := &Block{List: append(s.Else.List, rest...), At: s.Else.At}
				out = append(append(out, &If{at: s.at, Cond: Not(s.Cond), Then: rare}), s.Then.List...)
				continue
			}
		default:
			bodies(s, func(b *Block) { b.List = apart(b.List, nil) })
		}
		out = append(out, s)
	}
	return out
}

// copyRest copies the statements at the end of a list, with what follows the list.
func copyRest(list []Stmt, end func() Stmt) ([]Stmt, bool) {
	c := copier{room: maxApart}
	out := c.list(list)
	switch {
	case c.room < 0:
		return nil, false
	case Leaves(list):
	case end == nil:
		return nil, false
	default:
		out = append(out, end())
	}
	return out, true
}

// copier copies statements that have no labels and no loops.
type copier struct {
	room int // for how many more statements; less than 0 if there was one too many
}

func (c *copier) list(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		if c.room--; c.room < 0 {
			return nil
		}
		switch s := s.(type) {
		case *If:
			twin := *s
			twin.Then = c.block(s.Then)
			if s.Else != nil {
				twin.Else = c.block(s.Else)
			}
			out = append(out, &twin)
		case *Assign, *Var, *Do, *Goto, *Break, *Continue, *Return, *Reads: // which nothing changes any more
			out = append(out, s)
		default:
			c.room = -1
		}
	}
	return out
}

func (c *copier) block(b *Block) *Block { return &Block{List: c.list(b.List), At: b.At} }
