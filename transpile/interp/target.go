package interp

import (
	"fmt"
	"runtime"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Operations of IAL about the collector and the machine.

func (d *decoder) collectNow(*ir.Inst) (step, error) {
	return func(t *thread, _ *frame) action {
		t.m.collect()
		return next
	}, nil
}

func (d *decoder) collections(in *ir.Inst) (step, error) {
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	to := d.result(in, 0)
	return func(t *thread, fr *frame) action {
		fr.regs[to] = Value{Lo: uint64(t.m.heap.epoch)}
		return next
	}, nil
}

// machines and systems are the numbers of machines and systems in IAL.
var (
	machines = map[string]uint64{"386": 0, "amd64": 0, "arm": 1, "arm64": 1, "ppc64": 2, "ppc64le": 2, "mips": 4, "mipsle": 4, "mips64": 4, "mips64le": 4}
	systems  = map[string]uint64{"windows": 0, "linux": 1, "android": 1, "darwin": 2, "ios": 2, "freebsd": 3, "netbsd": 3, "openbsd": 3, "dragonfly": 3,
		"solaris": 4, "illumos": 4, "aix": 5}
)

// target is TARGET. The byte order of the interpreter's memory is little-endian.
func (d *decoder) target(in *ir.Inst) (step, error) {
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	n, ok := uint64(0), true
	switch in.Imm {
	case 0:
		n, ok = machines[runtime.GOARCH]
	case 1:
		n, ok = systems[runtime.GOOS]
	case 2:
	default:
		return nil, fmt.Errorf("TARGET has no number %d", in.Imm)
	}
	if !ok {
		n = 255
	}
	to := d.result(in, 0)
	return func(_ *thread, fr *frame) action {
		fr.regs[to] = Value{Lo: n}
		return next
	}, nil
}

// hasType is HASTYPE.
func (d *decoder) hasType(in *ir.Inst) (step, error) {
	return d.apply(in, refKind, func(_ *thread, x Value) (Value, action) {
		u, ok := x.ref.(*unit)
		return boolValue(!ok || u.shape != nil && u.shape.id == in.Ty), next
	})
}
