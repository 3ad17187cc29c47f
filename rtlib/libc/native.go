package libc

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// A Native is a function that CCALL can reach.
type Native struct {
	Name string
	Sig  string // as in Row
	Addr uintptr
	// Calls means that it calls function pointers: its caller must not count as stopped.
	Calls bool

	registered bool // by Register or Make, not a row of Table
	owner      any  // who made it, nil for everybody's

	missing string // why it cannot be called, see Missing

	errno bool                                // takes an Errno first
	words func(e Errno, args []uint64) uint64 // nil: by reflection
	value reflect.Value
	plan  signature
}

// Addresses of natives are slots of a reserved region that is never committed: an
// address in it is that of a native or unused, and reading or jumping there faults.
const (
	slotSize = 16
	maxSlots = 1 << 14
)

var registry struct {
	sync.Mutex
	byName map[string]*Native
	region mem.Region
	byAddr atomic.Pointer[[]*Native] // by slot; what is below its length is replaced, not changed
	free   []int                     // slots of natives that were removed, the oldest first
}

// keepFree is the number of free slots that are kept before the oldest is reused, so that a call of a native that was
// removed is noticed.
const keepFree = 1024

// Register makes a Go function callable as the native name. Its parameters
// and its result, if any, are integers (8 to 64 bits, uintptr for pointers),
// float32 or float64; a first parameter of type Errno gets the caller's. A
// function of type func(Errno, []uint64) uint64 takes any arguments as words.
//
// A name that Table has, or that was registered before, is an error: programs
// may have bound to it already. So is a name that is no symbol (docs/native.md, "Symbols").
func Register(name string, f any) error {
	if why := symbol.Fault(name); why != "" {
		return errors.New(why)
	}
	n, err := newNative(name, f)
	if err != nil {
		return fmt.Errorf("native %s: %w", name, err)
	}
	registry.Lock()
	defer registry.Unlock()
	if _, ok := rows()[name]; ok || registry.byName[name] != nil || name == "environ" {
		return fmt.Errorf("native %s: there is one already", name)
	}
	n.registered = true
	return add(n)
}

// Make is Register for a function that only its owner calls, and may have a name that exists: the name does not lead to
// it. Remove takes it back.
func Make(name string, f, owner any) (*Native, error) {
	if why := symbol.Fault(name); why != "" {
		return nil, errors.New(why)
	}
	n, err := newNative(name, f)
	if err != nil {
		return nil, fmt.Errorf("native %s: %w", name, err)
	}
	n.registered, n.owner = true, owner
	registry.Lock()
	defer registry.Unlock()
	return n, place(n)
}

// Owner is who made the native, nil if that is nobody.
func (n *Native) Owner() any { return n.owner }

// Remove takes a native of Make back. Nothing calls it any more.
func (n *Native) Remove() {
	registry.Lock()
	defer registry.Unlock()
	slot := int(n.Addr-uintptr(registry.region.Base)) / slotSize
	replace(slot, nil)
	registry.free = append(registry.free, slot)
}

// replace puts a native into a slot that was used. The registry is locked.
func replace(slot int, n *Native) {
	all := slices.Clone(*registry.byAddr.Load())
	all[slot] = n
	registry.byAddr.Store(&all)
}

// add gives n a slot, and makes its name lead to it. The registry is locked.
func add(n *Native) error {
	if err := place(n); err != nil {
		return err
	}
	registry.byName[n.Name] = n
	return nil
}

// place gives n a slot. The registry is locked.
func place(n *Native) error {
	r := &registry
	if r.region.Size == 0 {
		var err error
		if r.region, err = mem.Reserve(maxSlots*slotSize, mem.PageSize); err != nil {
			return err
		}
		r.byName = map[string]*Native{}
		r.byAddr.Store(new([]*Native))
	}
	all := *r.byAddr.Load()
	if len(r.free) > keepFree || len(r.free) > 0 && len(all) == maxSlots {
		slot := r.free[0]
		r.free = r.free[1:]
		n.Addr = uintptr(r.region.Base) + slotSize*uintptr(slot)
		replace(slot, n)
		return nil
	}
	if len(all) == maxSlots {
		return fmt.Errorf("native %s: more than %d natives", n.Name, maxSlots)
	}
	n.Addr = uintptr(r.region.Base) + slotSize*uintptr(len(all))
	all = append(all[:len(all):len(all)], n)
	r.byAddr.Store(&all)
	return nil
}

// Lookup is the native of that name, nil if there is none.
func Lookup(name string) *Native {
	registry.Lock()
	defer registry.Unlock()
	if n := registry.byName[name]; n != nil {
		return n
	}
	row, ok := rows()[name]
	if !ok {
		return nil
	}
	n, err := newNative(name, row.fn)
	if err != nil || add(n) != nil {
		return nil
	}
	n.Sig = row.Sig
	n.plan = parse(row.Sig)
	n.Calls = row.Flags&Calls != 0
	return n
}

// Symbol is the address of a native function or of the variable environ: the value of
// an EXTERN constant.
func Symbol(name string) (addr uintptr, ok bool) {
	if name == "environ" {
		return environ(), true
	}
	if n := Lookup(name); n != nil {
		return n.Addr, true
	}
	return 0, false
}

// GoFirst reports whether programs with cgo call the function in Go if C has one of that name as well: because Go code
// has registered it, C libraries need not have it, or, if same is set, it does the same.
func GoFirst(name string, same bool) bool {
	registry.Lock()
	defer registry.Unlock()
	if n := registry.byName[name]; n != nil && n.registered {
		return true
	}
	row := rows()[name]
	return row != nil && (row.Flags&Own != 0 || same && row.Flags&(Pure|Exact) == Pure|Exact)
}

// Registered is uvmRegistered: the address of the function that Go code has registered under a name, NULL if
// there is none.
func Registered(name uintptr) uintptr {
	registry.Lock()
	defer registry.Unlock()
	n := registry.byName[string(cstring("uvmRegistered", name))]
	if n == nil || !n.registered {
		return 0
	}
	return n.Addr
}

// At is the native whose address is addr, nil if there is none.
func At(addr uintptr) *Native {
	all := registry.byAddr.Load()
	if all == nil {
		return nil
	}
	i := (addr - uintptr(registry.region.Base)) / slotSize
	if i >= uintptr(len(*all)) || addr%slotSize != 0 {
		return nil
	}
	return (*all)[i]
}

// Invoke calls the native at an address; see Native.Call.
func Invoke(e Errno, addr uintptr, args ...uint64) (uint64, error) {
	n := At(addr)
	if n == nil {
		return 0, fmt.Errorf("no native function at address %#x", addr)
	}
	return n.Call(e, args...)
}

// Call calls the native with arguments in words: integers with any extension, because
// bits that do not fit the parameter are cut off; pointers; the bits of floats. The
// result is a zero-extended word, 0 for a void function. Arguments beyond the
// parameters are dropped, as in effect in C; missing optional ones are 0; other
// missing ones are an error.
func (n *Native) Call(e Errno, args ...uint64) (uint64, error) {
	if len(args) < n.plan.least {
		if n.missing != "" {
			return 0, errors.New(n.missing)
		}
		return 0, fmt.Errorf("native %s%s called with %d arguments", n.Name, n.Sig, len(args))
	}
	if n.registered {
		return n.callClient(e, args), nil
	}
	return n.call(e, args), nil
}

// ClientFrame is the name of the Go function whose frame lies directly below those of a native that Go code has registered.
const ClientFrame = "github.com/uvm2go/uvm2go/rtlib/libc.(*Native).callClient"

// callClient is call for natives that are not the runtime's own.
func (n *Native) callClient(e Errno, args []uint64) uint64 { return n.call(e, args) }

// IsClient reports whether Go code has registered the native.
func (n *Native) IsClient() bool { return n.registered }

func (n *Native) call(e Errno, args []uint64) uint64 {
	if n.words == nil {
		return n.reflect(e, args)
	}
	if missing := len(n.plan.params) - len(args); missing > 0 {
		args = append(args[:len(args):len(args)], make([]uint64, missing)...)
	}
	return n.words(e, args)
}

// Scalars are the letters of the parameters and of the result, "" for none. A native that takes any words has the
// letter *.
func (n *Native) Scalars() (params, result string) {
	params, result = n.plan.params, strings.TrimPrefix(string(n.plan.result), "v")
	if n.plan.variadic {
		params += "*"
	}
	return params, result
}

// reflect calls functions of shapes for which words has no case.
func (n *Native) reflect(e Errno, args []uint64) uint64 {
	t := n.value.Type()
	in := make([]reflect.Value, 0, t.NumIn())
	if n.errno {
		in = append(in, reflect.ValueOf(e))
	}
	for i := 0; len(in) < t.NumIn(); i++ {
		if t.In(len(in)) == reflect.TypeFor[[]uint64]() {
			in = append(in, reflect.ValueOf(args[min(i, len(args)):]))
			break
		}
		var w uint64
		if i < len(args) {
			w = args[i]
		}
		in = append(in, wordTo(t.In(len(in)), w))
	}
	out := n.value.Call(in)
	if len(out) == 0 {
		return 0
	}
	return toWord(out[0])
}

// wordTo converts a word to a value of type t.
func wordTo(t reflect.Type, w uint64) reflect.Value {
	v := reflect.New(t)
	p := v.UnsafePointer()
	switch t.Size() {
	case 1:
		*(*uint8)(p) = uint8(w)
	case 2:
		*(*uint16)(p) = uint16(w)
	case 4:
		*(*uint32)(p) = uint32(w)
	case 8:
		*(*uint64)(p) = w
	}
	return v.Elem()
}

// toWord is the word of a result.
func toWord(v reflect.Value) uint64 {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	switch at := p.UnsafePointer(); v.Type().Size() {
	case 1:
		return uint64(*(*uint8)(at))
	case 2:
		return uint64(*(*uint16)(at))
	case 4:
		return uint64(*(*uint32)(at))
	default:
		return *(*uint64)(at)
	}
}

// newNative examines f's type once, so that calls need not.
func newNative(name string, f any) (*Native, error) {
	if name == "" {
		return nil, fmt.Errorf("no name")
	}
	n := &Native{Name: name, value: reflect.ValueOf(f)}
	if f == nil || n.value.Kind() != reflect.Func || n.value.IsNil() {
		return nil, fmt.Errorf("want a function, got %T", f)
	}
	var err error
	if n.Sig, err = sigOf(n.value.Type()); err != nil {
		return nil, err
	}
	n.plan = parse(n.Sig)
	n.errno = n.plan.errno
	n.words = shape(f)
	return n, nil
}
