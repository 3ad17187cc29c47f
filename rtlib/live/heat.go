package live

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// How hot bundles are found. Nothing is counted as code runs: every now and then the world is stopped for a moment,
// and each thread that the engine runs notes, at its safepoint for that, in which bundle it is. A bundle that
// was met often enough is compiled (unit.go), if package tier2 is linked.

// heat is how hot a bundle is.
type heat struct {
	met   atomic.Int32
	tried atomic.Bool // it was compiled, or could not be
}

const (
	// beat is the time between two samples of the threads; idle is the same after quiet samples in a row that found none
	// in code of the engine.
	beat  = 10 * time.Millisecond
	idle  = 200 * time.Millisecond
	quiet = 100
	// hot is the number of samples in which a bundle must have been met.
	hot = 20
)

// thermometer has the state of the sampling.
var thermometer struct {
	once sync.Once
	on   atomic.Bool // threads note where they are
	hot  chan *program
	met  atomic.Int64
}

// noteHeat notes that a thread has come by a safepoint in the body that runs.
func (m *machine) noteHeat() {
	if !thermometer.on.Load() || m.fp == nil {
		return
	}
	thermometer.met.Add(1)
	p := codeOf(m.fp).fn.in
	if p.shared && p.heat.met.Add(1) >= hot && !p.heat.tried.Swap(true) {
		select {
		case thermometer.hot <- p:
		default: // the queue is full; this one will be met again
			p.heat.tried.Store(false)
		}
	}
}

// watchHeat begins to meet threads when there is a bundle that could be compiled. The world is stopped.
func watchHeat() {
	if openUnit == nil || gc.Tier1 {
		if whyNot != "" && !gc.Tier1 {
			report("code stays on the engine: %s", whyNot)
			whyNot = ""
		}
		return
	}
	thermometer.once.Do(func() {
		thermometer.hot = make(chan *program, 1000)
		thermometer.on.Store(true)
		go compileHot()
		go meet()
	})
}

// meet stops the world for a moment again and again.
func meet() {
	last, same := int64(0), 0
	for {
		if same < quiet {
			time.Sleep(beat)
		} else {
			time.Sleep(idle)
		}
		gc.Stopped(func() {})
		if n := thermometer.met.Load(); n != last {
			last, same = n, 0
		} else {
			same++
		}
	}
}
