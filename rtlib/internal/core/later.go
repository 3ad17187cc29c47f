package core

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Redefinition of functions (docs/language.md, "Later bundles") by bundles that were translated
// with the program and are loaded at run time.
//
// Generated code enters a function that may change through its record, which it reads without
// synchronisation. Records are written with the world stopped, so that each thread sees either
// none or all of a bundle, and never an old version after a new one. An existing frame is Go
// code of its version and does not read the record. A stack or frame that has been made but not
// started keeps a copy of the record; see frozen.

// LaterBundle is a bundle that is loaded at run time.
type LaterBundle struct {
	Name  string // of its file
	Hash  string // SHA-256 of its text, in hexadecimal digits
	Impls []Impl
	Needs []Need

	of     *Program
	loaded atomic.Bool
}

// Impl is the definition of a function by a bundle.
type Impl struct {
	Of   *Func // the function that is defined
	Func *Func // of the same class, with the version
}

// Need is an entity of other later bundles that a bundle refers to: one of them must be
// loaded.
type Need struct {
	Name string
	In   []uint32
}

// HiddenEntity is an entity that can be found when one of some later bundles is loaded.
type HiddenEntity struct {
	ID uint32
	In []uint32
}

// anyLoaded reports whether one of some later bundles is loaded.
func (p *Program) anyLoaded(in []uint32) bool {
	return slices.ContainsFunc(in, func(i uint32) bool { return p.Later[i].loaded.Load() })
}

// visible reports whether an entity can be found by name and ID: those of later bundles
// can when the bundle is loaded.
func (d *directory) visible(id uint32) bool {
	h, ok := d.hidden[id]
	return !ok || h.of.anyLoaded(h.in)
}

// LoadBundle loads the later bundle with a name or a text. Either all of it becomes visible
// or nothing.
func LoadBundle(t *Ctx, key string) { must(t, loadBundle(t, key)) }

// findBundle finds a later bundle by name or text, nil if there is none.
func (vm *VM) findBundle(key string) *LaterBundle {
	if vm != first {
		return nil
	}
	if b := laterBundle(func(b *LaterBundle) bool { return b.Name == key }); b != nil {
		return b
	}
	if laterBundle(func(*LaterBundle) bool { return true }) == nil {
		return nil // and the text need not be hashed
	}
	sum := sha256.Sum256([]byte(key))
	hash := hex.EncodeToString(sum[:])
	return laterBundle(func(b *LaterBundle) bool { return b.Hash == hash })
}

// laterBundle finds a later bundle: one of the package whose code calls, or else the first.
func laterBundle(wanted func(b *LaterBundle) bool) *LaterBundle {
	var found *LaterBundle
	asks := asking()
	for _, p := range packages {
		for i := range p.Later {
			if b := &p.Later[i]; wanted(b) && (found == nil || p == asks) {
				found = b
			}
		}
	}
	return found
}

func loadBundle(t *Ctx, key string) *misuse {
	b := vmOf(t).findBundle(key)
	if b == nil {
		return &misuse{DynCode, "", "load_bundle: no bundle of this text, or name, was translated with the program (-later)"}
	}
	var m *misuse
	gc.Exclusive(t, func() {
		if b.loaded.Load() {
			m = &misuse{Conflict, "E_CONFLICT", "load_bundle: " + b.Name + " is loaded already"}
			return
		}
		for _, n := range b.Needs {
			if !b.of.anyLoaded(n.In) {
				m = &misuse{Check, "E_CHECK", "load_bundle: " + b.Name + " uses " + n.Name + ", of " + b.of.Later[n.In[0]].Name + ", which is not loaded"}
				return
			}
		}
		if m = b.conflicts(); m != nil {
			return
		}
		b.loaded.Store(true)
		for _, d := range b.Impls {
			d.Of.become(d.Func)
		}
	})
	return m
}

// MetaLoadBundle is @uvm.meta.load_bundle, with a bundle's name or text. A single word that does
// not begin with a dot and is not a binary form cannot be a bundle, so it is taken for a name. The empty text is an
// empty bundle.
func MetaLoadBundle(t *Ctx, text uintptr) {
	key, m := readBytes(text)
	must(t, m)
	if vmOf(t).findBundle(key) != nil || key != "" && !strings.HasPrefix(key, ".") && !strings.ContainsAny(key, " \t\r\n") && !strings.ContainsFunc(key, unicode.IsControl) {
		LoadBundle(t, key)
		return
	}
	must(t, loadText(t, "", key))
}

// Define makes impl the function that calls of f enter from now on. In the bundles f has no
// version, or several: calls of such functions go through the record. Existing frames do not
// change.
func Define(t *Ctx, f, impl *Func) {
	switch {
	case !f.Open:
		must(t, &misuse{Conflict, "E_CONFLICT", f.called() + " was defined when the program was translated"})
	case impl.VersionID == 0:
		must(t, &misuse{Conflict, "E_CONFLICT", impl.Name + " has no version"})
	case f.Class != impl.Class:
		must(t, &misuse{BadSignature, "E_TYPE", impl.called() + " has another signature than " + f.called()})
	}
	impl = impl.frozen(t)
	gc.Exclusive(t, func() { f.become(impl) })
}

// become replaces the version of f by that of impl. The world is stopped.
func (f *Func) become(impl *Func) {
	f.Intact = f.Intact && f.VersionID == impl.VersionID
	f.Version, f.VersionID, f.Defined, f.Cookie = impl.Version, impl.VersionID, true, impl.Cookie
	f.Enter, f.Tail, f.Code, f.Live = impl.Enter, impl.Tail, impl.Code, impl.Live
	*f.body() = *impl.body()
	f.snapshot = nil
}

// body is the field F after the record, a func value of some type, which is one pointer.
//
//go:norace
//go:nocheckptr
func (f *Func) body() *unsafe.Pointer {
	return (*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(f), unsafe.Sizeof(*f)))
}

// frozen is the current state of the function, for a frame that will start later: a copy that
// keeps its version, if the function can get another. Copies live as long as the VM that t belongs to, because frames on
// shadow stacks refer to them.
func (f *Func) frozen(t *Ctx) *Func {
	if !f.Open {
		return f
	}
	if c := (*Func)(atomic.LoadPointer(&f.snapshot)); c != nil {
		return c
	}
	all := &vmOf(t).frozen
	all.mu.Lock()
	defer all.mu.Unlock()
	if f.snapshot != nil {
		return (*Func)(f.snapshot)
	}
	c := &frozenFunc{Func: *f, body: *f.body()}
	c.Open = false
	all.list = append(all.list, c)
	atomic.StorePointer(&f.snapshot, unsafe.Pointer(&c.Func))
	return &c.Func
}

// frozenFunc is a copy of a generated record.
type frozenFunc struct {
	Func
	body unsafe.Pointer
}

// snapshots are the copies of records that frozen has made for a VM.
type snapshots struct {
	mu   sync.Mutex
	list []*frozenFunc // guarded by mu
}

// drop forgets them: the stacks of the VM are dead.
func (s *snapshots) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = nil
}
