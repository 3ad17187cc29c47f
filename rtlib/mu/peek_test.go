package mu_test

import (
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// count reads an int<64> by its address, as native code does.
func count(p mu.UPtr) int64 { return atomic.LoadInt64((*int64)(unsafe.Pointer(p.Addr()))) }
