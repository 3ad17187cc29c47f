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
	// Main is the function that a program begins with by default, nil if there is none.
	Main *Function
	// Entities finds every named top-level thing: *Const, *Global, *Function,
	// *Expose, or TypeID for types and signatures. Keys have the '@'.
	Entities map[string]any
	// TypeIDs has the entity ids of the types and signatures in Entities, by
	// name: several names may share one TypeID, but no two share an entity id.
	TypeIDs map[string]uint32
	// TypePos has the positions where types first occur in the text of a parsed program. It is
	// nil in programs that readers have made: readers report errors of types themselves.
	TypePos map[TypeID]diag.Pos
	// Bundles is the number of bundles loaded; positions tell which is which.
	Bundles int
	// Later are the bundles that are translated but loaded at run time only.
	Later []*Later
	// Image is the heap image to build before the program starts, or nil.
	Image *Image
	// NextID is the id the next entity gets (docs/language.md, "Names").
	NextID uint32
	// Given means that entities have the ids that their bundles give them, by which other bundles refer to them.
	Given bool
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

// A ConstKey is equal for constants of equal value, except that it has neither types nor elements.
type ConstKey struct {
	kind   ConstKind
	lo, hi uint64
	text   string
	entity any
}

// Key is the key of the constant's value.
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
	Init *Const // its content before the program starts, nil for zeros
	// ReadOnly means that nothing writes to the cell.
	ReadOnly bool
	// Settled means that only hooks that run when the program starts write to the cell, to each part
	// once, before anything reads it.
	Settled bool
	// ThreadLocal means that each thread has a copy of its own, see THREADCELL.
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
	Inline                        // wish: its body is copied into callers, whatever its size
	Internal                      // it is the translator's: packages do not export it
	Hidden                        // traces do not show its frames
	Replaceable                   // code that the translator does not know may give it a body, or another one, at run time
)

// attrNames are the attributes as the text has them.
var attrNames = [...]struct {
	attr Attrs
	name string
}{{NoReturn, "noreturn"}, {NoThrow, "nothrow"}, {NoInline, "noinline"}, {Inline, "inline"}, {Internal, "internal"}, {Hidden, "hidden"},
	{Replaceable, "replaceable"}}

// String returns the names of the attributes, each after a space.
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
// A version that a later bundle defines is not among its versions, but the only one of
// a separate Function, called an implementation. Its Name is the name of the version, its
// ID is 0, Of is the function, and no name refers to it. When the bundle is loaded, the
// implementation takes the place of the function. Both are in Program.Funcs.
type Function struct {
	Name     string
	Title    string // name in reports, "" for Name
	Sig      TypeID
	Attrs    Attrs
	Notation []Notation // of the results, if not Mu's own
	Versions []*Version
	ID       uint32
	Pos      diag.Pos    // of the name where it was first declared or defined
	Impls    []*Function // of later bundles
	Of       *Function   // of an implementation: the function that it implements
	// CopyOf is set in a copy that a reader has made of a function for known arguments: it is the original,
	// whose name messages use. Only calls in the program refer to a copy.
	CopyOf *Function
}

// Open reports whether calls may enter other versions at run time, so that nothing
// can be concluded from the current one.
func (f *Function) Open() bool { return f.Attrs&Replaceable != 0 || len(f.Impls) > 0 }

// Root is the function that bundles name: for an implementation or a copy the original, else f itself.
func (f *Function) Root() *Function {
	switch {
	case f.Of != nil:
		return f.Of
	case f.CopyOf != nil:
		return f.CopyOf
	}
	return f
}

// Called is the name of the function in reports.
func (f *Function) Called() string { return cmp.Or(f.Root().Title, f.Root().Name) }

// PlaceName is the name of an instruction as reports have it: without the version of a function that has a title.
func (p *Program) PlaceName(name string) string {
	best, rest := &Function{}, ""
	for _, f := range p.Funcs {
		if f.Title != "" && len(f.Name) > len(best.Name) && strings.HasPrefix(name, f.Name+".v") {
			if at := strings.TrimLeft(name[len(f.Name)+len(".v"):], "0123456789"); strings.HasPrefix(at, ".") {
				best, rest = f, at
			}
		}
	}
	if best.Title == "" {
		return name
	}
	return best.Title + rest
}

// Later is a bundle that is translated with the program and loaded when the program, or a
// client, asks for it (docs/client.md, "Loading text"). What it defines is in the lists of the
// Program, where names find it.
type Later struct {
	Name string // of the file, without folder
	Hash string // SHA-256 of its text, in hexadecimal digits
	// Impls are the implementations of functions that it defines.
	Impls []*Function
	// Names are the names of the entities that become visible when the bundle is
	// loaded, without versions and names inside of them. A function may be in several
	// bundles.
	Names []string
	// Needs are names of other later bundles that it uses.
	Needs []string
}

// AddLater adds a later bundle. It returns an earlier one that has the same name or text, nil
// if there is none.
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

// Hidden returns, for each name that is not visible from the start, the numbers (from 0)
// of the later bundles one of which must be loaded for the name to become visible.
func (p *Program) Hidden() map[string][]int {
	m := map[string][]int{}
	for i, l := range p.Later {
		for _, n := range l.Names {
			m[n] = append(m[n], i)
		}
	}
	return m
}

// Current is the version that calls enter, or nil if the function has no version.
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
// In a hybrid the index len(Fields) selects the variable part; the next index
// selects an element of it.
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
	ImageAddr                    // iref or pointer to the location From
	ImageCopy                    // current value of the location From
	ImageTagFP
	ImageTagInt
	ImageTagRef // From.Object, or NULL if it is negative, with Tag
)

// Find returns the entity of a name, nil if there is none. Dialect.Find takes names as users write them.
func (p *Program) Find(name string) any { return p.Entities[name] }
