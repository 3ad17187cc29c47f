package core

import (
	"errors"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Units: plugins with compiled bodies for functions of the running program that the engine for live code has run so
// far. The first variables of such a plugin are initialised with functions, cells and exposed functions of the
// program, by their places in the representation; its init function passes its tables to Start. The whole unit
// becomes visible at once: the functions get their bodies with the world stopped.

// A Unit is a plugin that is being opened, and the functions and cells that it may ask for.
type Unit struct {
	VM       *VM // whose code was compiled
	Func     func(i int) *Func
	Cell     func(i int) uintptr
	Exposure func(i int) *Exposure
	Symbol   func(name string) uintptr // the address of a native symbol
	Object   func(i int) *Type         // the running program's descriptor for one of the types of objects

	// Accept reports whether a function, which is about to get its compiled body, still has the body that was
	// compiled. It is called for each function, with the world stopped.
	Accept func(f *Func) bool

	// Loop is called with the bodies that begin at the heads of loops, by number, with the world stopped.
	Loop func(i int, f *Func)

	asked []*Func
}

// opening is the plugin that is being opened.
var opening struct {
	mu      sync.Mutex // held while a plugin is being opened
	now     *Unit
	arrived *Program
}

// Install opens a plugin by calling open, and gives its bodies to the functions.
func (u *Unit) Install(open func() error) error {
	opening.mu.Lock()
	defer opening.mu.Unlock()
	opening.now, opening.arrived = u, nil
	defer func() { opening.now, opening.arrived = nil, nil }()
	if err := open(); err != nil {
		return err
	}
	if opening.arrived == nil {
		return errors.New("the plugin has no unit")
	}
	return u.join(opening.arrived)
}

// join is joinLate for a unit.
func (u *Unit) join(p *Program) error {
	for i := range p.CSigs {
		s := &p.CSigs[i]
		if err := s.agree(); err != nil {
			return err
		}
		s.arrives()
	}
	if p.MaxTransfer > transferRoom() {
		return disagree("a unit passes lists of %d values, more than the program it is for", p.MaxTransfer)
	}
	linked.mu.Lock() // before the world is stopped, like joinLate
	defer linked.mu.Unlock()
	err := errors.New("the program ends")
	gc.Stopped(func() {
		if err = p.join(); err == nil {
			err = p.load()
		}
		if err != nil {
			return
		}
		for i, t := range p.Objects { // code compares them
			if t != nil {
				t.ID = u.Object(i).ID
			}
		}
		theTypes.take()
		for i := range p.Watchpoints {
			u.VM.watches.add(&p.Watchpoints[i])
		}
		for _, f := range u.asked {
			f.callable()
		}
		for _, x := range p.Impls {
			if u.Accept(x.Of) {
				x.Of.become(x.Func)
			}
		}
		for i, f := range p.Loops {
			u.Loop(i, f)
		}
	})
	return err
}

// callable makes a function that the engine runs callable for compiled code of its class: there may have been no
// such code when the function was loaded.
func (f *Func) callable() {
	if f.Live == nil || *f.body() != nil {
		return
	}
	if th, class := thunkOf(f.Params, f.Results); th != nil {
		code := th.New(Self{class, f.ID})
		f.Class, f.Code = class, *(*uintptr)(code)
		*f.body() = code
	}
}

// UnitFunc is the address of a function that the unit being opened refers to. Only initialisers of the unit's
// variables call it and the functions below.
func UnitFunc(i int) unsafe.Pointer {
	f := opening.now.Func(i)
	opening.now.asked = append(opening.now.asked, f)
	return unsafe.Pointer(f)
}

// UnitCell is the address of a cell.
func UnitCell(i int) uintptr { return opening.now.Cell(i) }

// UnitSymbol is the address of a native symbol.
func UnitSymbol(name string) uintptr { return opening.now.Symbol(name) }

// UnitExposure is the address of an exposed function.
func UnitExposure(i int) unsafe.Pointer { return unsafe.Pointer(opening.now.Exposure(i)) }
