package gotree

// Expand replaces the jumps to a label by statements, at the positions of the jumps.
func Expand(b *Block, l *Label, made func(*Block)) {
	out := make([]Stmt, 0, len(b.List))
	for _, s := range b.List {
		if g, ok := s.(*Goto); ok && g.L == l {
			to := &Block{At: g.At}
			made(to)
			out = append(out, to.List...)
			continue
		}
		bodies(s, func(b *Block) { Expand(b, l, made) })
		out = append(out, s)
	}
	b.List = out
}
