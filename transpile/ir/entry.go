package ir

import (
	"errors"
	"fmt"
)

// An Entry is a function that a program can begin with.
type Entry struct {
	Func *Function
	// Args is the kind of the parameter that is the list of arguments: KUPtr or KIRef, of C strings. The
	// parameter before it is their number. KInvalid if the function has no parameters.
	Args Kind
	// Status is the type of the result, an int, whose low 8 bits are the exit status; NoType for none.
	Status TypeID
}

// Defined finds a function with a body by its name, "" for Main.
func (p *Program) Defined(name string) (*Function, error) {
	f, ok := p.Find(name).(*Function)
	if name == "" {
		f, ok = p.Main, p.Main != nil
	}
	switch {
	case !ok && name == "":
		return nil, errors.New("no entry point")
	case !ok:
		return nil, fmt.Errorf("no function %s", name)
	}
	return f, f.Defined()
}

// Defined returns nil for a function with a body, and an error for one without.
func (f *Function) Defined() error {
	if f.Current() == nil {
		return fmt.Errorf("function %s is declared but not defined", f.Called())
	}
	return nil
}

// EntryOf says how a program begins with a function, or returns an error that says why it cannot.
func (p *Program) EntryOf(f *Function) (*Entry, error) {
	t := p.Types
	sig := t.At(f.Sig)
	e := &Entry{Func: f}
	switch params := sig.Fields; {
	case len(params) == 0:
	case len(params) == 2 && t.isInt(params[0], 32) && t.isArgs(params[1]):
		e.Args = t.Kind(params[1])
	default:
		return nil, fmt.Errorf("%s has parameters %s; an entry function has none, (int<32> uptr<T>) or (int<32> iref<iref<int<8>>>)",
			f.Called(), t.Structure(f.Sig, 4))
	}
	switch results := sig.Results; {
	case len(results) == 0:
	case len(results) == 1 && t.Kind(results[0]) == KInt:
		e.Status = results[0]
	default:
		return nil, fmt.Errorf("%s has results %s; an entry function has none, or one int", f.Called(), t.Structure(f.Sig, 4))
	}
	return e, nil
}

func (t *Types) isInt(id TypeID, bits uint32) bool {
	return t.Kind(id) == KInt && t.At(id).Bits == bits
}

// isArgs reports whether a type is that of a list of C strings: any uptr, or iref<iref<int<8>>>.
func (t *Types) isArgs(id TypeID) bool {
	if t.Kind(id) == KUPtr {
		return true
	}
	return t.Kind(id) == KIRef && t.Kind(t.At(id).Elem) == KIRef && t.isInt(t.At(t.At(id).Elem).Elem, 8)
}
