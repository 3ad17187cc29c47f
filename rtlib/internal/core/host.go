package core

import (
	"maps"
	"math/bits"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// Functions that Go code has registered (package native) can also be called by computed calls through
// their addresses. The caller gets a record for the function: its Go function is made by a Thunk, puts the
// arguments into X(t) and calls Enter.

// host has the records for natives.
var host struct {
	mu sync.Mutex
	at map[hostKey]*frozenFunc // nil where the native has other types; guarded by mu

	byID atomic.Pointer[[]*frozenFunc] // less firstHost; append-only, written with mu locked
}

// firstHost is the ID of the first of these records, which are not entities.
const firstHost = 1 << 31

// A hostKey is an address and a class. The address is one more than the native's for the function that takes addresses.
type hostKey struct {
	addr  uintptr
	class uint32
}

// hostAt is the record of a class for the native at an address, nil if the class has other types. At the address of
// a native plus one is a function that takes the addresses of the native's arguments and result.
func hostAt(n *libc.Native, addr uintptr, class uint32) *Func {
	host.mu.Lock()
	defer host.mu.Unlock()
	key := hostKey{addr, class}
	if f, ok := host.at[key]; ok {
		return f.record()
	}
	if host.at == nil {
		host.at = map[hostKey]*frozenFunc{}
	}
	f := newHost(n, addr&1 != 0, class)
	host.at[key] = f
	return f.record()
}

// dropHosts forgets the records for the native at an address.
func dropHosts(addr uintptr) {
	host.mu.Lock()
	defer host.mu.Unlock()
	maps.DeleteFunc(host.at, func(k hostKey, _ *frozenFunc) bool { return k.addr&^1 == addr })
}

// record is the address of the record, nil for nil.
func (f *frozenFunc) record() *Func {
	if f == nil {
		return nil
	}
	return &f.Func
}

// newHost makes the record of a class for a native, nil if the class has other types. The lock of host is held.
//
//go:norace
//go:nocheckptr
func newHost(n *libc.Native, byAddress bool, class uint32) *frozenFunc {
	th := thunkOfClass(class)
	if th == nil {
		return nil
	}
	have, gives := scalarsOf(list(th.Params).Desc), scalarsOf(list(th.Results).Desc)
	want, result := n.Scalars()
	r := &frozenFunc{Func: Func{Name: n.Name, Class: class, Params: th.Params, Results: th.Results}}
	switch {
	case byAddress && have == strings.Repeat("p", len(want)+1) && gives == "":
		r.Enter = func(t *Ctx) { serveAddresses(t, n, want, result) }
	case !byAddress && fitWords(have, want) && fitWords(gives, result):
		r.Enter = func(t *Ctx) { serve(t, n, want, "") }
	default:
		return nil
	}
	var all []*frozenFunc
	if l := host.byID.Load(); l != nil {
		all = *l
	}
	r.ID = firstHost + uint32(len(all))
	self := Self{class, r.ID}
	r.body = th.New(self)
	r.Code = *(*uintptr)(r.body)
	if *(*Self)(unsafe.Add(r.body, unsafe.Sizeof(r.Code))) != self {
		return nil // the layout of closures in this version of Go differs
	}
	all = append(all[:len(all):len(all)], r)
	host.byID.Store(&all)
	return r
}

// serveAddresses is serve with the addresses of the arguments and, at the end, of the result.
func serveAddresses(t *Ctx, n *libc.Native, params, result string) {
	x := X(t)
	for i := range len(params) {
		x.W[i] = LoadScalar(uintptr(x.W[i]), params[i])
	}
	to := uintptr(x.W[len(params)])
	serve(t, n, params, "")
	if result != "" {
		StoreScalar(to, result[0], X(t).W[0])
	}
}

// LoadScalar reads a scalar of a letter of CSig.Desc, StoreScalar writes one.
//
//go:norace
//go:nocheckptr
func LoadScalar(at uintptr, letter byte) uint64 {
	p := unsafe.Add(nil, at)
	switch letter {
	case 'b':
		return uint64(*(*uint8)(p))
	case 'h':
		return uint64(*(*uint16)(p))
	case 'i', 'f':
		return uint64(*(*uint32)(p))
	case 'p':
		return uint64(*(*uintptr)(p))
	}
	return *(*uint64)(p)
}

//go:norace
//go:nocheckptr
func StoreScalar(at uintptr, letter byte, w uint64) {
	p := unsafe.Add(nil, at)
	switch letter {
	case 'b':
		*(*uint8)(p) = uint8(w)
	case 'h':
		*(*uint16)(p) = uint16(w)
	case 'i', 'f':
		*(*uint32)(p) = uint32(w)
	case 'p':
		*(*uintptr)(p) = uintptr(w)
	default:
		*(*uint64)(p) = w
	}
}

// fitWords reports whether values with letters a of CSig.Desc are passed in words like values with letters b: pointers
// are passed like integers of 64 bits.
func fitWords(a, b string) bool {
	return strings.ReplaceAll(a, "l", "p") == strings.ReplaceAll(b, "l", "p")
}

// scalarsOf are the letters of CSig.Desc for the machine classes of a value list, ? for classes that are not C scalars.
func scalarsOf(desc string) string {
	var b strings.Builder
	for _, c := range strings.Fields(desc) {
		letter := byte('?')
		switch {
		case c == "f" || c == "d" || c == "p":
			letter = c[0]
		case c[0] == 'i':
			if width, _, _ := leadingNumber(c[1:]); width <= 64 {
				letter = "bhil"[bits.Len(uint(width-1)/8)]
			}
		}
		b.WriteByte(letter)
	}
	return b.String()
}
