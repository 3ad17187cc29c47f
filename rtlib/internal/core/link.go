package core

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Several translated packages may be in a process. They share the heap, the threads and the
// rest of the runtime; each has its own functions, cells and names. Things that their code
// refers to by number get new numbers when a package is linked, so that equal numbers mean the
// same in all packages: value lists by their machine classes, signature classes by their lists,
// IDs, places of frames, types of objects. The code of a package takes these numbers from its
// tables. A program with an entry function has them as constants; it is alone, so its numbers
// do not change.

// packages are the linked programs, in the order of their packages' init functions.
var packages []*Program

// current has the data that are common to all of them: value lists, places of frames,
// limits.
var current = &Program{}

// Class is a signature class: equal classes are equal Go function types.
type Class struct {
	Params, Results uint32 // value lists
	No              uint32 // the same in all packages
}

// linking has the numbers that were assigned.
var linking struct {
	nextID  uint32               // offset for the IDs of the next program's entities
	lists   map[string]uint32    // by their classes
	classes map[[2]uint32]uint32 // by their lists, in the numbers of all packages
	// types merges equal types of packages, before any type is used; nil in a program with an
	// entry function, which does not contain the code for it.
	types func()
}

// firstID is the ID of the first entity that a bundle defines.
const firstID = 65536

// join assigns the numbers of a program and adds it to the linked ones.
func (p *Program) join() error {
	if err := p.agree(); err != nil {
		return err
	}
	if len(packages) > 0 {
		first := packages[0]
		if !p.Unit && (first.Entry != nil || p.Entry != nil) {
			return fmt.Errorf("packages %s and %s: a program with a main function shares a process with no other; make packages of both (-pkg)", first.Name, p.Name)
		}
		if first.Sanitize != p.Sanitize {
			return fmt.Errorf("packages %s and %s: one is made with -sanitize and one is not; make both in the same way", first.Name, p.Name)
		}
	} else {
		linking.lists, linking.classes = map[string]uint32{}, map[[2]uint32]uint32{}
	}
	if err := p.placesFree(); err != nil {
		return err
	}
	p.number()
	current.MaxTransfer = max(current.MaxTransfer, p.MaxTransfer)
	current.Sanitize = p.Sanitize
	if p.Unit && p.Frames != nil && current.Frames != nil {
		unitPlaces = append(unitPlaces, p)
	} else if len(packages) == 0 && p.Frames != nil || current.Frames != nil && p.Frames != nil {
		current.Frames = append(append(make([]FrameSite, 0), current.Frames...), p.Frames...) // not nil
	} else {
		current.Frames = nil // frames without places cannot be inspected
	}
	packages = append(packages, p)
	if p.Entities != nil {
		current.Constant = p.Constant
	}
	if !p.Unit {
		current.Name = strings.TrimPrefix(current.Name+", "+p.Name, ", ")
	}
	return nil
}

// number assigns the numbers of a program.
func (p *Program) number() {
	for i := range p.Lists {
		l := &p.Lists[i]
		n, ok := linking.lists[l.Desc]
		if !ok {
			n = uint32(len(current.Lists))
			linking.lists[l.Desc] = n
			current.Lists = append(current.Lists, *l)
		}
		l.No = n
	}
	list := func(n *uint32) {
		if *n != 0 {
			*n = p.Lists[*n].No
		}
	}
	for i := range p.Classes {
		c := &p.Classes[i]
		list(&c.Params)
		list(&c.Results)
		key := [2]uint32{c.Params, c.Results}
		n, ok := linking.classes[key]
		if !ok {
			if n = uint32(len(linking.classes)); p.Unit {
				n = classFor(c.Params, c.Results) // the class that code of the engine uses
			}
			linking.classes[key] = n
		}
		c.No = n
	}
	base, last := linking.nextID, uint32(firstID-1)
	if p.Unit {
		base = 0 // its IDs are those of the running program
	}
	id := func(n *uint32) {
		if *n >= firstID {
			last = max(last, *n)
			*n += base
		}
	}
	first := uint32(len(current.Frames) + 1)
	if p.Unit {
		first = p.FirstPlace
	}
	for i := range p.Frames {
		f := &p.Frames[i]
		f.No = first + uint32(i)
		list(&f.Results)
		id(&f.Version)
		id(&f.Inst)
		if f.Below != 0 {
			f.Below += first - 1
		}
	}
	for _, f := range p.Funcs {
		list(&f.Params)
		list(&f.Results)
		id(&f.ID)
		id(&f.VersionID)
		if p.Classes != nil {
			f.Class = p.Classes[f.Class].No
		}
		f.Intact = f.Defined
		if f.Site != 0 {
			f.Site = p.Frames[f.Site-1].No
		}
	}
	for i := range p.Sites {
		list(&p.Sites[i].Results)
		id(&p.Sites[i].ID)
	}
	for i := range p.Steps {
		list(&p.Steps[i].Pass)
		list(&p.Steps[i].Ret)
	}
	for i := range p.Thunks {
		list(&p.Thunks[i].Params)
		list(&p.Thunks[i].Results)
	}
	for i := range p.Entities {
		e := &p.Entities[i]
		e.of, e.local = p, e.ID
		id(&e.ID)
	}
	for i := range p.Names {
		id(&p.Names[i].ID)
	}
	for i := range p.Hidden {
		id(&p.Hidden[i].ID)
	}
	for i := range p.Later {
		p.Later[i].of = p
	}
	if !p.Unit {
		linking.nextID = base + last + 1 - firstID
	}
}

// load registers a program with the heap, which must exist.
func (p *Program) load() error {
	if err := gc.RegisterTypes(p.Types); err != nil {
		return err
	}
	gc.RegisterGlobals(p.Globals)
	if p.Sanitize {
		SanGlobals(p.Globals)
	}
	return nil
}

// linked has the state of linking.
var linked struct {
	mu   sync.Mutex
	done bool // guarded by mu: the runtime has started, options are fixed
}

// Start declares that a program is used as a Go package; NewThreadCtx and Do run its
// functions. It is called from the package's init function. The runtime is prepared when
// it is first used, so that a client can Configure it and register natives before.
func Start(p *Program) {
	p.at = placeOf()
	if p.Unit {
		opening.arrived = p
		return
	}
	linked.mu.Lock()
	defer linked.mu.Unlock()
	linking.types = func() { typesOf() }
	var err error
	if linked.done {
		err = p.joinLate()
	} else {
		err = p.join()
	}
	if err != nil {
		refuse(err)
	}
}

// joinLate is join while Mu code of other packages may already run, because a Go package used them
// in its init function.
func (p *Program) joinLate() error {
	if p.MaxTransfer > transferRoom() {
		return fmt.Errorf("package %s passes lists of %d values, and Mu code has run before it was initialised: "+
			"import it before the package whose init function calls that", p.Name, p.MaxTransfer)
	}
	t := first.newThreadCtx()
	defer CloseThreadCtx(t)
	var err error
	fail := Do(t, func() {
		gc.Exclusive(t, func() {
			if err = p.join(); err == nil {
				err = errors.Join(p.load(), exposeAll(p))
			}
		})
	})
	theTypes.take()
	first.dir.join()
	prepared.later()
	return errors.Join(err, fail)
}

// started prepares the runtime for the linked packages, once.
var started = sync.OnceFunc(func() {
	linked.mu.Lock()
	defer linked.mu.Unlock()
	if len(packages) == 0 {
		return
	}
	linked.done = true
	if err := setup(); err != nil {
		refuse(err)
	}
	if !slices.ContainsFunc(packages, func(p *Program) bool { return p.Entry != nil }) {
		ignoreProfiles()
	}
})

// eachEntity calls f for the entities that the packages describe.
func eachEntity(f func(e *Entity)) {
	for _, p := range packages {
		for i := range p.Entities {
			f(&p.Entities[i])
		}
	}
}

// describes reports whether there is a package that describes its entities.
func describes() bool {
	return slices.ContainsFunc(packages, func(p *Program) bool { return p.Entities != nil })
}

// programOf returns the program that a Go function is part of, nil for none, and the name of
// the function in its package.
func programOf(function string) (*Program, string) {
	for _, p := range packages {
		if rest, ok := strings.CutPrefix(function, p.at.pkg); ok {
			return p, rest
		}
	}
	return nil, ""
}

// asking returns the package whose Mu code calls the runtime, nil if a client calls it or if
// there is only one package.
func asking() *Program {
	if len(packages) < 2 {
		return nil
	}
	for it := runtime.CallersFrames(callers(0)); ; {
		f, more := it.Next()
		if p, fn := funcOf(f.Function); fn != nil {
			return p
		}
		if !more {
			return nil
		}
	}
}
