//go:build cgo

package libmu

import (
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// numberedTypes are types that slots refer to by number.
type numberedTypes struct {
	mu   sync.RWMutex
	list []mu.Type
	no   map[mu.Type]uint32
}

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
