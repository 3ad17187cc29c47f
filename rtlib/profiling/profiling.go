// Package profiling lets a program write profiles and traces of itself, when UVMDEBUG asks for them (docs/profiling.md).
// A program that imports it for its effect,
//
//	import _ "github.com/uvm2go/uvm2go/rtlib/profiling"
//
// can; uvm2go build -profile adds that import. It links Go's profilers, half a megabyte of code, so this is a separate
// package.
package profiling

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/pprof"
	"runtime/trace"

	"github.com/uvm2go/uvm2go/internal/lexis/made"
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/profile"
)

func init() { core.SetProfiler(start) }

// writers start what UVMDEBUG asks for, by its keys. The function that they return is called when the program ends.
var writers = map[string]func(f *os.File) (end func() error, err error){
	"cpuprofile": func(f *os.File) (func() error, error) {
		var text bytes.Buffer
		return func() error {
			pprof.StopCPUProfile()
			return profile.Rewrite(f, text.Bytes(), sourceFrames)
		}, pprof.StartCPUProfile(&text)
	},
	"memprofile": func(f *os.File) (func() error, error) {
		return func() error { return writeAllocations(f) }, nil
	},
	"trace": func(f *os.File) (func() error, error) {
		return func() error {
			trace.Stop()
			return nil
		}, trace.Start(f)
	},
}

// start starts the profiles. The files are made now, so that a mistake is seen at once.
func start() error {
	opened := map[string]*os.File{}
	for _, p := range gc.Profiles {
		f, err := made.ByProgram[p.Key].Create(p.File)
		if err != nil {
			return fmt.Errorf("UVMDEBUG: %s: %w", p.Key, err)
		}
		for key, other := range opened {
			if sameFile(f, other) {
				return fmt.Errorf("UVMDEBUG: %s and %s both write to %s", key, p.Key, p.File)
			}
		}
		opened[p.Key] = f
	}
	for _, p := range gc.Profiles {
		f := opened[p.Key]
		end, err := writers[p.Key](f)
		if err != nil {
			return fmt.Errorf("UVMDEBUG: %s: %w", p.Key, err)
		}
		core.AtEnd(func() { closeFile(f, end()) })
	}
	return nil
}

// sameFile reports whether what is written to one of two files would overwrite what is in the other.
func sameFile(a, b *os.File) bool {
	x, err := a.Stat()
	y, err2 := b.Stat()
	return err == nil && err2 == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}

// closeFile ends the file of a profile, which err kept from being written.
func closeFile(f *os.File, err error) {
	if failed := f.Close(); err == nil {
		err = failed
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "uvm: warning: %s: %v\n", f.Name(), err)
	}
}

// writeAllocations writes the samples of allocations. The innermost frame of a stack is the type.
func writeAllocations(w io.Writer) error {
	var samples []profile.Sample
	for _, a := range core.Allocations() {
		s := profile.Sample{Stack: append([]profile.Frame{{Func: a.Type}}, framesOf(a.Stack)...)}
		for _, v := range a.Values {
			s.Values = append(s.Values, int64(math.Round(v)))
		}
		samples = append(samples, s)
	}
	return profile.Write(w, [][2]string{{"inuse_objects", "count"}, {"inuse_space", "bytes"}, {"alloc_objects", "count"}, {"alloc_space", "bytes"}}, samples)
}

// sourceFrames are the frames in the place of one of Go; ok is false if it is none of a Mu function.
func sourceFrames(f profile.Frame) (list []profile.Frame, ok bool) {
	list = framesOf(core.SourceFrames(f.Func, f.File, f.Line))
	return list, len(list) > 0
}

func framesOf(stack []core.Frame) (list []profile.Frame) {
	for _, f := range stack {
		list = append(list, profile.Frame{Func: f.Called(), File: f.File, Line: f.Line})
	}
	return list
}
