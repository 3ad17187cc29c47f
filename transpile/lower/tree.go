package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// Short names for the nodes that are made here most.

type (
	expr = gotree.Expr
	goT  = *gotree.Type
	code = gotree.Block
)

var (
	add          = node.Add
	addr         = node.Addr
	addressOf    = node.AddressOf
	bin          = node.Bin
	bits32       = node.Bits32
	bits64       = node.Bits64
	bitsLit      = node.BitsLit
	call         = node.Call
	composite    = node.Composite
	container    = node.Container
	conv         = node.Conv
	ctxParam     = node.CtxParam
	deref        = node.Deref
	dot          = node.Dot
	elems        = node.Elems
	eq           = node.Eq
	fpVar        = node.Frame
	frameWord    = node.FrameWord
	fromBits32   = node.FromBits32
	fromBits64   = node.FromBits64
	lane         = node.Lane
	masked       = node.Masked
	masked128    = node.Masked128
	mathFloat    = node.MathFloat
	method       = node.Method
	name         = node.Name
	namesOf      = node.NamesOf
	ne           = node.Ne
	neg          = node.Neg
	numCall      = node.NumCall
	odd          = node.Odd
	pointerTo    = node.PointerTo
	popping      = node.Popping
	qual         = node.Qual
	rt           = node.Runtime
	rtBool       = node.RuntimeBool
	rtInt        = node.RuntimeInt
	rtType       = node.RuntimeType
	opaque       = node.Opaque
	signExtended = node.SignExtended
	signedLit    = node.SignedLit
	signedOf     = node.SignedOf
	sizeExpr     = node.Size
	str          = node.Str
	sub          = node.Sub
	tVar         = node.Ctx
	thrown       = node.Thrown
	u128         = node.U128
	unsigned     = node.Unsigned
	word         = node.Word
	zero         = node.Zero
)

func lit[T node.Integer](n T) expr { return node.Lit(n) }

func index[T node.Integer](x expr, i T) expr { return node.Index(x, i) }
