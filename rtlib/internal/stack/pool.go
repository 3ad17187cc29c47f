package stack

import "sync"

// keepSpares is the number of spare workers that are kept. The rest end.
const keepSpares = 128

// spares are the workers whose stacks have ended.
var spares pool

// pool holds workers that wait without a job. Idle ones wait at their base; doomed ones
// hold frames of a killed stack, which they unwind when they are woken.
type pool struct {
	mu      sync.Mutex
	idle    []*Co // guarded by mu
	doomed  []*Co // guarded by mu
	reaping bool  // a goroutine of reap runs; guarded by mu
}

// Take returns a worker, owned by the caller, that runs job when it is switched to. When
// job has ended, the worker switches to the Co that job returned. Take must not be called
// on a goroutine locked to an OS thread.
func Take(job func() *Co) *Co {
	c := spares.take()
	if c == nil {
		c = newWorker()
	}
	c.job = job
	return c
}

// Doom gives a waiting worker, owned by the caller, to the pool: its frames are unwound
// soon, without running on. Doom may be called on any goroutine.
func (c *Co) Doom() {
	c.doomed = true
	spares.mu.Lock()
	spares.doomed = append(spares.doomed, c)
	start := !spares.reaping
	spares.reaping = true
	spares.mu.Unlock()
	if start {
		go spares.reap()
	}
}

// take removes a worker from the pool; nil when there is none.
func (p *pool) take() *Co {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.remove(c)
		return c
	}
	if n := len(p.doomed); n > 0 {
		c := p.doomed[n-1]
		p.doomed[n-1] = nil
		p.doomed = p.doomed[:n-1]
		return c
	}
	return nil
}

// put adds an idle worker.
func (p *pool) put(c *Co) {
	p.mu.Lock()
	c.index = len(p.idle)
	c.cell.spare = c
	p.idle = append(p.idle, c)
	start := len(p.idle) >= 2*keepSpares && !p.reaping
	if start {
		p.reaping = true
	}
	p.mu.Unlock()
	if start {
		go p.reap()
	}
}

// remove takes an idle worker out. The caller holds mu.
func (p *pool) remove(c *Co) {
	n := len(p.idle) - 1
	last := p.idle[n]
	p.idle[c.index] = last
	last.index = c.index
	p.idle[n] = nil
	p.idle = p.idle[:n]
	c.cell.spare = nil
}

// reap unwinds doomed workers and ends idle ones until enough are left.
//
// A worker c ends while the reaper waits in its own cell. When another spare z waits there:
//
//  1. The reaper switches to c, and waits where c was;
//  2. c switches to z in its own cell, and waits there;
//  3. z switches to the reaper, and waits where c was;
//  4. the reaper switches to c, and waits in c's own cell; c ends.
//
// When some other goroutine waits there c is left alone.
func (p *pool) reap() {
	r := Plain()
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := 0; ; {
		if n := len(p.doomed); n > 0 {
			c := p.doomed[n-1]
			p.doomed[n-1] = nil
			p.doomed = p.doomed[:n-1]
			p.mu.Unlock()
			c.back = r
			r.Switch(c)
			p.mu.Lock()
			continue
		}
		if len(p.idle) <= keepSpares || i >= len(p.idle) {
			p.reaping = false
			return
		}
		c := p.idle[i]
		z := c.own.spare
		if z == nil {
			i++
			continue
		}
		p.remove(c)
		if z != c {
			p.remove(z)
		}
		p.mu.Unlock()
		if z != c {
			c.pass, z.pass = z, r
			r.Switch(c)
		}
		c.quit = true
		r.Switch(c)
		if z != c {
			p.put(z)
		}
		p.mu.Lock()
	}
}

// Spares returns how many workers wait without a job, those to be unwound included.
func Spares() int {
	spares.mu.Lock()
	defer spares.mu.Unlock()
	return len(spares.idle) + len(spares.doomed)
}
