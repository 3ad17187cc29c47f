package live

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// op numbers the instructions, see loop_gen.go.
type op uint16

// ins is an instruction. a, b and c are numbers of words of the frame, from 0 at its start: a is
// where the result goes, or the value of a store. What imm is depends on op: a constant, the
// distance of a jump in bytes from the instruction after, the address of a site.
type ins struct {
	op      op
	a, b, c uint16
	imm     uint64
}

const insSize = int(unsafe.Sizeof(ins{}))

// code is a body as instructions. Its frames are
//
//	[shape and place][roots: keep-alive values, parameters, variables]
//	[words: keep-alive values, parameters, variables, link]
//
// in words of eight bytes. link has three words: the frame below (0 if it does not belong to
// the same activation of the loop), the instruction to return to, and the code.
type code struct {
	frame             uintptr // size in bytes
	shape             uint32
	zeroFrom, zeroTo  uintptr // the roots that are no parameters, keep-alive values last
	rootArgs          uintptr // where parameters are
	plainArgs         uintptr
	rootCount, plains int // how many
	link              uintptr
	cells             uint16 // word with the mark of the alloca stack, 0 if there are no cells
	start             *ins

	ins    []ins
	sites  []*site
	places []place // by instruction
	fn     *function
	v      *ir.Version

	// exits are where a loop continues in compiled code, by the first instruction of its head; set with the world
	// stopped.
	exits map[unsafe.Pointer]*exit
	made  *compiler // that made the code, if it may be compiled: see program.exits

	lives     []life
	firstRoot uint16 // after those for keep-alive values
	deadMu    sync.Mutex
	deadAt    map[int32][]uint16 // guarded by deadMu
}

// place says which instruction of the representation an instruction comes from, and the position for what
// is alive, see package regs.
type place struct {
	inst ir.InstID
	at   int32
}

// cell is where calls of a function find its code.
type cell struct {
	code unsafe.Pointer // *code, nil while there is none; atomic
	fn   *function
}

// function is a function of the program.
type function struct {
	cell cell
	rec  record
	to   *core.Func // its record: that in rec, or of a bundle that was loaded, that of the entity
	ir   *ir.Function
	in   *program
	once sync.Once
	bad  string // why there is no code; set before code would be

	// native says that calls go to a compiled body, by the record; set with the world stopped. kept is the code
	// for callers that still enter the body that was here.
	native bool
	kept   unsafe.Pointer
}

// record is a core.Func and, as for generated ones, a func value after it.
type record struct {
	core.Func
	body unsafe.Pointer
}

// compiled returns the code of a function that has a body, and makes it on the first call.
func (c *cell) compiled(t *core.Ctx) *code {
	k := c.fn.codeOf()
	if k == nil {
		core.Fail(t, core.NoResource, c.fn.ir.Called(), c.fn.bad)
	}
	return k
}

// codeOf is like compiled, but returns nil for a function whose code cannot be made.
func (f *function) codeOf() *code {
	c := &f.cell
	f.once.Do(func() {
		k, bad := f.in.compile(f)
		f.bad = bad
		if f.native {
			f.kept = unsafe.Pointer(k)
		} else {
			atomic.StorePointer(&c.code, unsafe.Pointer(k))
		}
	})
	if f.bad != "" {
		return nil
	}
	if k := atomic.LoadPointer(&c.code); k != nil {
		return (*code)(k)
	}
	return (*code)(f.kept)
}

// leave makes calls go to a compiled body. The world is stopped.
func (f *function) leave() {
	f.native, f.kept = true, f.cell.code
	f.cell.code = nil
}

// foreign reports whether calls of the function leave the engine.
func (f *function) foreign() bool { return f.native || f.ir.Current() == nil }

// verdict is how an instruction of kind opRun ended.
type verdict int

const (
	goOn   verdict = iota
	local          // it failed, and continues at its exceptional destination
	thrown         // t.Thrown is set
)

// site has what an instruction needs beyond the fields of ins.
type site struct {
	cell      *cell    // callee, if it is known
	class     uint32   // of a computed one
	rootArgs  []uint16 // words of the arguments
	plainArgs []uint16
	roots     []uint16 // words of the results
	plains    []uint16
	no        uint32 // of the place, for a frame that rests here, see core.FrameSite
	exc       int    // distance in bytes to the exceptional destination
	caught    uint16 // root word of the exception there, if it has one
	catches   bool   // it has an exceptional destination

	desc *core.Type // of an allocation
	size uintptr

	do  func(fp unsafe.Pointer)
	run func(t *core.Ctx, fp unsafe.Pointer) verdict

	targets map[uint64]int // of a switch: distances in bytes
	table   []int          // the same, if the keys are close together, from low on
	low     uint64
	other   int
}

// choose is the distance to the destination of a switch for x.
func (s *site) choose(x uint64) int {
	if s.table != nil {
		if i := x - s.low; i < uint64(len(s.table)) {
			return s.table[i]
		}
		return s.other
	}
	if d, ok := s.targets[x]; ok {
		return d
	}
	return s.other
}

// word reads a word of a frame.
//
//go:norace
//go:nocheckptr
func word(fp unsafe.Pointer, i uint16) uint64 { return *(*uint64)(unsafe.Add(fp, uintptr(i)*8)) }

//go:norace
//go:nocheckptr
func setWord(fp unsafe.Pointer, i uint16, x uint64) { *(*uint64)(unsafe.Add(fp, uintptr(i)*8)) = x }

// root reads a root word.
//
//go:norace
//go:nocheckptr
func root(fp unsafe.Pointer, i uint16) uintptr { return *(*uintptr)(unsafe.Add(fp, uintptr(i)*8)) }

//go:norace
//go:nocheckptr
func setRoot(fp unsafe.Pointer, i uint16, x uintptr) { *(*uintptr)(unsafe.Add(fp, uintptr(i)*8)) = x }
