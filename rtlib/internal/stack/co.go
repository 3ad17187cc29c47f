package stack

import (
	"iter"
	"runtime/debug"
)

// Co is a goroutine that can be switched to: a worker of the pool, or a plain goroutine.
type Co struct {
	cell *cell // where it waits; of its owner while it waits
	prev *Co   // who switched here; set by that one

	// What becomes of the Co when it has switched away.
	after after
	state *State
	word  uint32

	// Of workers, all set by who owns the waiting worker.
	own    *cell      // its iterator's cell
	job    func() *Co // what to run when it is woken at its base
	doomed bool       // unwind
	back   *Co        // where to go after unwinding when there is no job
	pass   *Co        // switch on to this one, keeping no trace
	quit   bool       // end
	index  int        // in pool.idle; guarded by pool.mu
}

// after says what to do with a Co that has switched away.
type after uint8

const (
	stays   after = iota // nothing: its owner knows about it
	ready                // its state becomes word
	becomes              // it becomes a spare worker
)

// cell is a place where one goroutine waits.
type cell struct {
	next  func() (struct{}, bool)
	yield func(struct{}) bool
	up    bool // the next exchange is by yield; of who owns the waiting goroutine
	spare *Co  // the spare worker that waits here, nil for any other; guarded by pool.mu
}

// exchange lets the calling goroutine wait in the cell and the one there run.
func (c *cell) exchange() {
	if c.up {
		c.up = false
		c.yield(struct{}{})
	} else {
		c.up = true
		c.next()
	}
}

// doom is the panic value that unwinds a goroutine whose stack was killed.
type doom struct{}

// IsDoom reports whether a recovered value is that of a killed stack. The job must then
// return nil at once.
func IsDoom(r any) bool { _, ok := r.(doom); return ok }

// Plain returns a Co for the calling goroutine, which is not a worker and not locked to
// an OS thread.
func Plain() *Co { return &Co{} }

// newWorker makes a worker, which waits in its own cell.
func newWorker() *Co {
	c := &Co{own: &cell{}}
	c.cell = c.own
	c.own.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		c.own.yield = yield
		c.loop()
	})
	return c
}

// jump exchanges the goroutine, c's, with that of to.
func (c *Co) jump(to *Co) {
	cell := to.cell
	to.prev = c
	c.cell = cell
	cell.exchange()
	c.arrive()
}

// arrive is the first thing that a goroutine does when it was switched to: it publishes
// what becomes of the one that switched.
func (c *Co) arrive() {
	if p := c.prev; p != nil { // else the worker in whose cell c waited has ended
		c.prev = nil
		if p.after == ready {
			p.state.publish(p.word)
		} else if p.after == becomes {
			spares.put(p)
		}
	}
}

// Switch runs to, which the caller owns. It returns when another goroutine, which has to
// know that c waits, switches to c.
func (c *Co) Switch(to *Co) {
	c.after = stays
	c.jump(to)
	if c.doomed {
		panic(doom{})
	}
}

// SwitchReady is Switch that lets s become READY<list> once c waits, so that whoever binds
// s owns c. If s is killed instead, SwitchReady does not return: it panics with a
// value for which IsDoom holds.
func (c *Co) SwitchReady(to *Co, s *State, list uint32) {
	c.after, c.word = ready, list<<listShift|wordReady
	c.Of(s)
	c.jump(to)
	if c.doomed {
		panic(doom{})
	}
}

// Hop is a switch that Leave has prepared: the caller of Leave calls the function that is
// not nil, at once, and then Arrive. If both are nil there is nothing to switch to.
//
// The more functions a switch returns from, the more it costs: the processor predicts
// where a return goes from the calls that it has seen, which were those of the other
// goroutine. So the function that wants to switch makes the call itself.
type Hop struct {
	Next  func() (struct{}, bool)
	Yield func(struct{}) bool
}

// Of sets the state that Leave makes READY.
func (c *Co) Of(s *State) { c.state = s }

// Leave prepares SwitchReady of the state given to Of.
func (c *Co) Leave(to *Co, list uint32) Hop {
	c.after, c.word = ready, list<<listShift|wordReady
	cell := to.cell
	to.prev = c
	c.cell = cell
	up := cell.up
	cell.up = !up
	if up {
		return Hop{Yield: cell.yield}
	}
	return Hop{Next: cell.next}
}

// Landed is Arrive for the ordinary case. If it reports false it has done
// nothing.
func (c *Co) Landed() bool {
	p := c.prev
	if p == nil || p.after != ready || c.doomed {
		return false
	}
	c.prev = nil
	p.state.publish(p.word)
	return true
}

// Arrive ends what Leave began, when another goroutine has switched back. Like SwitchReady
// it does not return if s was killed.
func (c *Co) Arrive() {
	c.arrive()
	if c.doomed {
		panic(doom{})
	}
}

// loop is the life of a worker. Jobs recover their panics.
func (c *Co) loop() {
	debug.SetPanicOnFault(true)
	c.arrive()
	for {
		for c.pass != nil {
			to := c.pass
			c.pass = nil
			c.after = stays
			c.jump(to)
		}
		if c.quit {
			return // to the one that waits in c.own
		}
		job := c.job
		c.job = nil
		to := job()
		if c.doomed {
			c.doomed = false
			if c.job != nil {
				continue
			}
			to, c.back = c.back, nil
		}
		c.after = becomes
		c.jump(to)
	}
}
