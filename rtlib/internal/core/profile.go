package core

import (
	"fmt"
	"os"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Profiles that UVMDEBUG asks for (docs/profiling.md). Package rtlib/profiling writes them; it links Go's profilers, so it
// is not part of every program. What it needs of this package is here.

// profiler starts the profiles of UVMDEBUG; nil without package profiling.
var profiler func() error

// SetProfiler sets profiler, before the program starts.
func SetProfiler(start func() error) { profiler = start }

// startProfiles starts them.
func startProfiles() error {
	if profiler != nil {
		return profiler()
	}
	if len(gc.Profiles) > 0 {
		p := gc.Profiles[0]
		return fmt.Errorf("UVMDEBUG: %s: this program is made without profiling: use uvm2go run -%[1]s %s, or build with uvm2go build -profile, "+
			"or import github.com/uvm2go/uvm2go/rtlib/profiling for its effect in package main", p.Key, p.File)
	}
	return nil
}

// ignoreProfiles warns that nothing is written of what UVMDEBUG asks for: the process belongs to a client, which may end it
// without telling the runtime.
func ignoreProfiles() {
	for _, p := range gc.Profiles {
		fmt.Fprintf(os.Stderr, "uvm: warning: UVMDEBUG: %s: %s is not written: only programs write profiles, not packages and libraries; "+
			"a Go program can profile itself with runtime/pprof\n", p.Key, p.File)
	}
}

// AtEnd makes f run before the process ends, unless a signal or C code ends it.
func AtEnd(f func()) { atEnd(f) }

// An Allocation is a sample of objects by type and place of their allocation.
type Allocation struct {
	Type   string
	Stack  []Frame    // the innermost first
	Values [4]float64 // objects and bytes alive, objects and bytes allocated
}

// Allocations returns the samples of allocations.
func Allocations() (list []Allocation) {
	for _, s := range gc.Sites() {
		frames, _ := trace(s.Stack, nil)
		list = append(list, Allocation{first.nameOf(s.Type), frames, [...]float64{s.Live, s.LiveBytes, s.Objects, s.Bytes}})
	}
	return list
}

// SourceFrames are the frames of the source in the place of a Go frame, as in a trace; nil if it is none of a Mu function.
func SourceFrames(function, file string, line int) []Frame {
	p, fn := funcOf(function)
	if fn == nil {
		return nil
	}
	return p.framesAt(fn, file, line)
}
