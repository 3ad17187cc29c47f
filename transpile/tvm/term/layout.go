package term

import (
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
)

// A LayoutKind says what is known about the layout of a type.
type LayoutKind uint8

// The kinds of layouts.
const (
	Static  LayoutKind = iota // size and alignment are numbers, one for each width of words
	Dynamic                   // they are known at run time
	NoData                    // there are no values in memory: functions, upward references
	Cyclic                    // the type contains itself
)

// A Layout is size and alignment of a type.
type Layout struct {
	Kind        LayoutKind
	Size, Align layout.Num
}

var (
	dynamic = &Layout{Kind: Dynamic}
	noData  = &Layout{Kind: NoData}
	cyclic  = &Layout{Kind: Cyclic}
)

func bytes(size, align uint64) *Layout {
	return &Layout{Static, layout.Const(size), layout.Const(align)}
}

// Layout is the layout of a type. It is found once, when all schemas in it have bodies.
func (g *Graph) Layout(t ID) *Layout {
	n := &g.nodes[t]
	switch {
	case t == 0 || n.loose > 0:
		return dynamic
	case n.layout != nil:
		return n.layout
	}
	before := g.partial
	g.partial = false
	n.layout = cyclic // found in itself
	l := g.layout(*n, t)
	g.nodes[t].layout = l
	if g.partial {
		g.nodes[t].layout = nil
	}
	g.partial = g.partial || before
	return l
}

func (g *Graph) layout(n Node, id ID) *Layout {
	switch n.Op {
	case op.Bool, op.Byte, op.I8, op.UI8:
		return bytes(1, 1)
	case op.I16, op.UI16:
		return bytes(2, 2)
	case op.I32, op.UI32, op.FP32:
		return bytes(4, 4)
	case op.I64, op.UI64, op.FP64:
		return bytes(8, 8)
	case op.I128, op.UI128, op.FP128, op.FPX8680, op.FPPPC128:
		return bytes(16, 16)
	case op.Empty:
		return bytes(0, 1)
	case op.IPtr, op.UIPtr, op.Pointer, op.Member, op.MemberPtr, op.BasePtr:
		return &Layout{Static, layout.Word, layout.Word}
	case op.TypeType:
		return &Layout{Static, layout.Word.Mul(2), layout.Word}
	case op.UprefType, op.Function:
		return noData
	case op.Struct, op.Union:
		return g.members(n)
	case op.Array:
		e := g.Layout(n.Args[0])
		count, ok := g.LitOf(n.Args[1])
		switch {
		case e.Kind != Static:
			return e
		case !ok:
			return dynamic
		}
		return &Layout{Static, e.Size.Mul(count.Lo), e.Align}
	case op.Given:
		return g.Layout(n.Args[0])
	case op.Constant:
		return g.Layout(g.TypeOf(n.Args[0]))
	case op.Exists:
		_, result := g.Open(id)
		return g.Layout(result)
	case op.Apply:
		if body := g.Body(id); body != 0 {
			l := g.Layout(body)
			if l.Kind == Cyclic && g.Cyclic == nil {
				g.Cyclic = g.Schema(id)
			}
			return l
		}
		if s := g.Schema(id); s == nil || !s.Value {
			g.partial = true
		}
	case op.TypeV:
		size, ok1 := g.LitOf(n.Args[0])
		align, ok2 := g.LitOf(n.Args[1])
		if ok1 && ok2 {
			return bytes(size.Lo, max(align.Lo, 1))
		}
	case op.Zero:
		if n.Args[0] == g.typeType {
			return bytes(0, 1)
		}
	}
	return dynamic
}

// ZeroBytes reports whether the bytes of the zero of a type are all zero: it has no part whose type is
// constant with another value. Types that exists types hide are not examined.
func (g *Graph) ZeroBytes(t ID) bool {
	n := &g.nodes[t]
	if n.zero == 0 {
		n.zero = zeroBytes
		r := g.zeroBytes(*n, t)
		if n = &g.nodes[t]; !r {
			n.zero = otherBytes
		}
	}
	return n.zero == zeroBytes
}

// The values of Node.zero, which is 0 until ZeroBytes has computed it.
const (
	zeroBytes = 1 + iota
	otherBytes
)

func (g *Graph) zeroBytes(n Node, id ID) bool {
	switch n.Op {
	case op.Constant:
		return g.Zero(g.TypeOf(n.Args[0])) == n.Args[0]
	case op.Struct:
		for _, m := range n.Args {
			if !g.ZeroBytes(m) {
				return false
			}
		}
	case op.Array:
		return g.ZeroBytes(n.Args[0])
	case op.Apply:
		return g.ZeroBytes(g.Body(id))
	}
	return true
}

// members lays out a struct or union. The Kind of the result is the greatest of its members: an error in a
// member is more important than an unknown layout.
func (g *Graph) members(n Node) *Layout {
	l := bytes(0, 1)
	for _, a := range n.Args {
		m := g.Layout(a)
		if m.Kind > l.Kind {
			l = m
		}
		if l.Kind != Static {
			continue
		}
		l.Align = l.Align.Max(m.Align)
		if n.Op == op.Union {
			l.Size = l.Size.Max(m.Size)
		} else {
			l.Size = l.Size.AlignUp(m.Align).Add(m.Size)
		}
	}
	if l.Kind == Static {
		l.Size = l.Size.AlignUp(l.Align)
	}
	return l
}

// Offset is the offset of member k of a struct; ok is false if a member up to it has no static
// layout.
func (g *Graph) Offset(t ID, k int) (layout.Num, bool) {
	off := layout.Const(0)
	for i, a := range g.nodes[t].Args {
		m := g.Layout(a)
		if m.Kind != Static {
			return off, false
		}
		off = off.AlignUp(m.Align)
		if i == k {
			return off, true
		}
		off = off.Add(m.Size)
	}
	return off, false
}
