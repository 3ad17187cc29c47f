package core

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/pprof"
	gotrace "runtime/trace"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/profile"
)

// Profiles that UVMDEBUG asks for (docs/profiling.md). They begin when a program starts, and are written when it ends.

// startProfiles starts them.
func startProfiles() error {
	if gc.CPUProfile != "" {
		f, err := os.Create(gc.CPUProfile) // now, so that a mistake is seen at once
		if err != nil {
			return err
		}
		var made bytes.Buffer
		if err := pprof.StartCPUProfile(&made); err != nil {
			return err
		}
		atEnd(func() {
			pprof.StopCPUProfile()
			closeProfile(f, profile.Rewrite(f, made.Bytes(), sourceFrames))
		})
	}
	if gc.MemProfile != "" {
		f, err := os.Create(gc.MemProfile)
		if err != nil {
			return err
		}
		atEnd(func() { closeProfile(f, writeMemProfile(f)) })
	}
	if gc.ExecutionTrace != "" {
		f, err := os.Create(gc.ExecutionTrace)
		if err != nil {
			return err
		}
		if err := gotrace.Start(f); err != nil {
			return err
		}
		atEnd(func() {
			gotrace.Stop()
			closeProfile(f, nil)
		})
	}
	return nil
}

// writeMemProfile writes the samples of allocations. The innermost frame of a stack is the type.
func writeMemProfile(w io.Writer) error {
	var samples []profile.Sample
	for _, s := range gc.Sites() {
		stack := []profile.Frame{{Func: first.nameOf(s.Type)}}
		frames, _ := trace(s.Stack, nil)
		for _, f := range frames {
			stack = append(stack, profile.Frame{Func: f.Called(), File: f.File, Line: f.Line})
		}
		var values []int64
		for _, v := range [...]float64{s.Live, s.LiveBytes, s.Objects, s.Bytes} {
			values = append(values, int64(math.Round(v)))
		}
		samples = append(samples, profile.Sample{Stack: stack, Values: values})
	}
	return profile.Write(w, [][2]string{{"inuse_objects", "count"}, {"inuse_space", "bytes"}, {"alloc_objects", "count"}, {"alloc_space", "bytes"}}, samples)
}

// closeProfile ends the file of a profile, which err kept from being written.
func closeProfile(f *os.File, err error) {
	if failed := f.Close(); err == nil {
		err = failed
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "uvm: warning: %s: %v\n", f.Name(), err)
	}
}

// sourceFrames are the frames of the source in the place of a Go frame, as in a trace; ok is false if it is none of a
// Mu function.
func sourceFrames(f profile.Frame) (list []profile.Frame, ok bool) {
	p, fn := funcOf(f.Func)
	if fn == nil {
		return nil, false
	}
	for _, f := range p.framesAt(fn, f.File, f.Line) {
		list = append(list, profile.Frame{Func: f.Called(), File: f.File, Line: f.Line})
	}
	return list, len(list) > 0
}
