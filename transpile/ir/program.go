package ir

import (
	"cmp"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// Program is all that was loaded, bundle by bundle.
type Program struct {
	Types   *Types
	Files   *diag.Set // for positions; may be nil in programs made by hand
	Consts  []*Const  // named constants, in definition order
	Globals []*Global
	Funcs   []*Function
	Exposes []*Expose
	Hooks   Hooks
	// Main is what a program begins with unless told otherwise, nil if it has no such function.
	Main *Function
	// Entities finds every named top-level thing: *Const, *Global, *Function,
	// *Expose, or TypeID for types and signatures. Keys have the '@'.
	Entities map[string]any
	// TypeIDs has the entity ids of the types and signatures in Entities, by
	// name: several names may share one TypeID, but no two share an entity id.
	TypeIDs map[string]uint32
	// TypePos has where the text of a parsed program first writes a type. It is nil
	// in programs that readers have made: they report errors of types themselves.
	TypePos map[TypeID]diag.Pos
	// Bundles is the number of bundles loaded; positions tell which is which.
	Bundles int
	// Later are the bundles that are translated but loaded at run time only.
	Later []*Later
	// Image is the heap image to build before the program starts, or nil.
	Image *Image
	// NextID is the id the next entity gets (docs/language.md, "Names").
	NextID uint32
}

// NewProgram returns an empty program.
func NewProgram() *Program {
	return &Program{Types: NewTypes(), Entities: map[string]any{}, TypeIDs: map[string]uint32{}, NextID: 65536}
}

// TakeID reserves the next entity id.
func (p *Program) TakeID() uint32 {
	id := p.NextID
	p.NextID++
	return id
}

// ConstKind says what a Const is.
type ConstKind uint8

// The kinds of constants.
const (
	ConstInt       ConstKind = iota // int and pointer types: Lo, Hi hold the bits, zero-extended
	ConstFP                         // float and double: Lo holds the bits
	ConstNull                       // any NULL-able type
	ConstAggregate                  // struct, array, vector: Elems
	ConstExtern                     // address of the native symbol Sym
	ConstGlobal                     // address of a cell, type iref
	ConstFunc                       // a function, type funcref
	ConstExpose                     // an exposed function, type ufuncptr
	ConstBytes                      // array of int<8>: Bytes
)

// Const is a constant value. Equal constants need not be the same Const.
type Const struct {
	Kind   ConstKind
	Type   TypeID
	Lo, Hi uint64
	Elems  []*Const
	Sym    string
	Bytes  string
	Global *Global
	Func   *Function
	Expose *Expose
	Name   string // global name with '@', or "" for one made by a reader or pass
	ID     uint32
	Pos    diag.Pos
}

// A ConstKey is equal for constants of equal value; their types are not compared, nor elements.
type ConstKey struct {
	kind   ConstKind
	lo, hi uint64
	text   string
	entity any
}

// Key is what the constant has in common with all of equal value.
func (c *Const) Key() ConstKey {
	k := ConstKey{kind: c.Kind, lo: c.Lo, hi: c.Hi, text: c.Sym + c.Bytes}
	switch c.Kind {
	case ConstGlobal:
		k.entity = c.Global
	case ConstFunc:
		k.entity = c.Func
	case ConstExpose:
		k.entity = c.Expose
	}
	return k
}

// Global is a cell of static memory. As an operand it is an iref to it.
type Global struct {
	Name string
	Type TypeID // of the memory
	Init *Const // what it holds before the program starts, nil for zeros
	// ReadOnly says that nothing writes to the cell.
	ReadOnly bool
	// Settled says that nothing writes to the cell but hooks that run when the program starts, each
	// part once, before anything reads it.
	Settled bool
	// ThreadLocal says that each thread has one of its own, see THREADCELL.
	ThreadLocal bool
	ID          uint32
	Pos         diag.Pos
}

// Attrs are promises and wishes about a function.
type Attrs uint8

// The attributes. A function that breaks a promise fails with TRAP.
const (
	NoReturn    Attrs = 1 << iota // promise: it does not return
	NoThrow                       // promise: no exception leaves it
	NoInline                      // wish: its body is not copied into callers
	Inline                        // wish: it is, whatever its size
	Internal                      // it is the translator's: packages do not export it
	Hidden                        // traces do not show its frames
	Replaceable                   // code that is not known may give it a body, or another one, at run time
)

// attrNames are the attributes as the text has them.
var attrNames = [...]struct {
	attr Attrs
	name string
}{{NoReturn, "noreturn"}, {NoThrow, "nothrow"}, {NoInline, "noinline"}, {Inline, "inline"}, {Internal, "internal"}, {Hidden, "hidden"},
	{Replaceable, "replaceable"}}

// String gives the names of the attributes, each after a space.
func (a Attrs) String() string {
	s := ""
	for _, n := range attrNames {
		if a&n.attr != 0 {
			s += " " + n.name
		}
	}
	return s
}

// Function is a function, whose current version is the last.
//
// A version that a later bundle defines is not among them. It is the version of
// a function of its own, an implementation, which nothing refers to by name and
// which the function becomes when that bundle is loaded: its Name is that of the
// version, its ID 0, and Of the function. Both are in Program.Funcs.
type Function struct {
	Name     string
	Title    string // what reports call it, "" for Name
	Sig      TypeID
	Attrs    Attrs
	Notation []Notation // of the results, if not Mu's own
	Versions []*Version
	ID       uint32
	Pos      diag.Pos    // of the name where it was first declared or defined
	Impls    []*Function // of later bundles
	Of       *Function   // of an implementation: what it implements
	// CopyOf is what a reader has made this copy of, for arguments that are known: messages call the
	// copy by its name. Nothing but calls in the program refers to a copy.
	CopyOf *Function
}

// Open reports whether the version that calls enter may change at run time, so
// that nothing can be concluded from the current one.
func (f *Function) Open() bool { return f.Attrs&Replaceable != 0 || len(f.Impls) > 0 }

// Root is the function that the bundles know, of an implementation, a copy or itself.
func (f *Function) Root() *Function {
	switch {
	case f.Of != nil:
		return f.Of
	case f.CopyOf != nil:
		return f.CopyOf
	}
	return f
}

// Called is what reports call the function.
func (f *Function) Called() string { return cmp.Or(f.Root().Title, f.Root().Name) }

// PlaceName is the name of an instruction as reports have it: without the version of a function that has a title.
func (p *Program) PlaceName(name string) string {
	best := &Function{}
	for _, f := range p.Funcs {
		if f.Title != "" && len(f.Name) > len(best.Name) && strings.HasPrefix(name, f.Name+".v.") {
			best = f
		}
	}
	if best.Title == "" {
		return name
	}
	return best.Title + "." + name[len(best.Name)+len(".v."):]
}

// Later is a bundle that is translated with the program and loaded when the program, or a
// client, asks for it (docs/client.md, "Loading text"). What it defines is in the lists of the
// Program, where names find it.
type Later struct {
	Name string // of the file, without folder
	Hash string // SHA-256 of its text, in hexadecimal digits
	// Impls are what it defines functions anew with.
	Impls []*Function
	// Names are those of the entities, but versions and what is in them, that
	// exist because of the bundle: from then on they are visible. A function may
	// be in several bundles.
	Names []string
	// Needs are names of other later bundles that it uses.
	Needs []string
}

// AddLater adds a later bundle. It gives another one that has the same name or text, if
// there is one.
func (p *Program) AddLater(l *Later) *Later {
	var same *Later
	for _, o := range p.Later {
		if o.Name == l.Name || o.Hash == l.Hash {
			same = o
			break
		}
	}
	p.Later = append(p.Later, l)
	return same
}

// Hidden gives the numbers of the later bundles, from 0, one of which must be
// loaded for a name to be visible, by name.
func (p *Program) Hidden() map[string][]int {
	m := map[string][]int{}
	for i, l := range p.Later {
		for _, n := range l.Names {
			m[n] = append(m[n], i)
		}
	}
	return m
}

// Current is the version that calls enter, or nil while undefined.
func (f *Function) Current() *Version {
	if len(f.Versions) == 0 {
		return nil
	}
	return f.Versions[len(f.Versions)-1]
}

// Expose is a function pointer for native code, made at load time.
type Expose struct {
	Name   string
	Func   *Function
	Cookie *Const
	Type   TypeID // ufuncptr<sig>
	ID     uint32
	Pos    diag.Pos
}

// Image is a heap image: objects to allocate and stores to make, in order,
// before the program starts (HAIL, docs/hail.md).
type Image struct {
	Objects []ImageObject
	Inits   []ImageInit
}

// ImageObject is an object of the image; Len is the length of the variable
// part when Type is a hybrid.
type ImageObject struct {
	Name string
	Type TypeID
	Len  uint64
	Pos  diag.Pos
}

// ImageLoc is a location: a cell or an object, and a path of indices inside.
// On a hybrid the index len(Fields) selects the variable part, which the next
// index then selects from.
type ImageLoc struct {
	Global *Global // if not nil
	Object int     // else a number in Image.Objects
	Path   []uint64
	Type   TypeID // of the location
}

// ImageInit stores one scalar, already checked and converted to the type of To.
type ImageInit struct {
	To    ImageLoc
	Kind  ImageKind
	Const *Const   // ImageConst
	From  ImageLoc // ImageAddr, ImageObjRef, ImageCopy
	Tag   uint8    // ImageTagRef: tag, with From as the object
	Bits  uint64   // ImageTagFP, ImageTagInt: bits of the double, the int<52>
	Pos   diag.Pos
}

// ImageKind says where the value of an ImageInit comes from.
type ImageKind uint8

// The kinds of image initialisers.
const (
	ImageConst  ImageKind = iota // a scalar or aggregate constant
	ImageObjRef                  // reference to the object From.Object, empty path
	ImageAddr                    // iref to the location From
	ImageCopy                    // current value of the location From
	ImageTagFP
	ImageTagInt
	ImageTagRef // From.Object, or NULL if it is negative, with Tag
)

// Find gives the entity of a name, nil if there is none. Dialect.Find takes names as users write them.
func (p *Program) Find(name string) any { return p.Entities[name] }
