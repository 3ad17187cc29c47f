//go:build cgo

package libmu

// #include "libmu.h"
import "C"

import (
	"strings"
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// numberedTypes are types that slots refer to by number.
type numberedTypes struct {
	mu   sync.RWMutex
	list []mu.Type
	no   map[mu.Type]uint32

	plains map[mu.Type]plainType
}

// A plainType is what plain returns.
type plainType struct{ kind, size C.uint32_t }

func (n *numberedTypes) at(no uint32) mu.Type {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.list[no]
}

func (n *numberedTypes) number(ty mu.Type) uint32 {
	n.mu.RLock()
	no, ok := n.no[ty]
	n.mu.RUnlock()
	if ok {
		return no
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if no, ok := n.no[ty]; ok {
		return no
	}
	if n.no == nil {
		n.no = map[mu.Type]uint32{}
	}
	no = uint32(len(n.list))
	n.list = append(n.list, ty)
	n.no[ty] = no
	return no
}

// plain returns the kind of slots with a value of a type, and the size of its values, if they are numbers or pointers that
// are stored without padding bits; else 0.
func (n *numberedTypes) plain(ty mu.Type) (kind, size C.uint32_t) {
	n.mu.RLock()
	p, ok := n.plains[ty]
	n.mu.RUnlock()
	if !ok {
		p.kind, p.size = n.findPlain(ty)
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.plains == nil {
			n.plains = map[mu.Type]plainType{}
		}
		n.plains[ty] = p
	}
	return p.kind, p.size
}

// findPlain is plain of a type that was not asked for yet.
func (n *numberedTypes) findPlain(ty mu.Type) (kind, size C.uint32_t) {
	switch bits := C.uint32_t(ty.Bits()); bits {
	case 0:
	case 8, 16, 32, 64:
		return C.UVM_INT<<24 | bits, bits / 8
	default:
		return 0, 0
	}
	switch s := ty.Structure(); {
	case s == "float":
		return C.UVM_FLOAT << 24, 4
	case s == "double":
		return C.UVM_DOUBLE << 24, 8
	case strings.HasPrefix(s, "uptr<"):
		return C.UVM_UPTR<<24 | C.uint32_t(n.number(ty)), 8
	case strings.HasPrefix(s, "ufuncptr<"):
		return C.UVM_UFP<<24 | C.uint32_t(n.number(ty)), 8
	}
	return 0, 0
}
