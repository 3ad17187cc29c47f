package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Scope groups values of a context: values that the context makes while the scope is the innermost open
// one, including results of calls and exceptions, are deleted together when it closes.
//
//	s := ctx.OpenScope()
//	defer s.Close()
type Scope struct {
	ctx    *Ctx
	outer  *Scope
	first  *handle // list of the handles with references; guarded by Ctx.mu
	closed bool    // guarded by Ctx.mu
}

// OpenScope opens a scope inside those that are open.
func (c *Ctx) OpenScope() *Scope {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scope = &Scope{ctx: c, outer: c.scope}
	return c.scope
}

// Close deletes the values of the scope and of those inside it that are still open. It does nothing if
// the scope is closed.
func (s *Scope) Close() {
	c := s.ctx
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.closed {
		return
	}
	for c.scope != s {
		c.scope.end()
	}
	s.end()
}

// end closes the innermost scope. The caller holds the lock.
func (s *Scope) end() {
	s.closed, s.first = true, nil
	s.ctx.scope = s.outer
}

// Keep moves values to the enclosing scope: closing s does not delete them.
func (s *Scope) Keep(vals ...Value) error {
	c := s.ctx
	if err := c.open(); err != nil {
		return err
	}
	if err := c.allValid(vals); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range vals {
		if h := raw(v); h.scope.within(s) {
			h.scope.leave(h)
			s.outer.enter(h)
		}
	}
	return nil
}

// within reports whether a scope is s or inside s.
func (x *Scope) within(s *Scope) bool {
	for x != nil && x != s {
		x = x.outer
	}
	return x == s
}

// enter puts a handle into the scope. The caller holds the lock.
func (s *Scope) enter(h *handle) {
	h.scope = s
	if len(h.r) == 0 {
		return
	}
	if h.next = s.first; h.next != nil {
		h.next.prev = h
	}
	s.first = h
}

// leave takes a handle out of its scope. The caller holds the lock.
func (s *Scope) leave(h *handle) {
	h.scope = nil
	if len(h.r) == 0 {
		return
	}
	if h.next != nil {
		h.next.prev = h.prev
	}
	if h.prev != nil {
		h.prev.next = h.next
	} else {
		s.first = h.next
	}
	h.next, h.prev = nil, nil
}

// visit visits the references of all open scopes of a context. They must not change meanwhile.
func (c *Ctx) visit(visit func(addr uintptr)) {
	for s := c.scope; s != nil; s = s.outer {
		for h := s.first; h != nil; h = h.next {
			for _, r := range h.r {
				visit(r)
			}
		}
	}
}

// Import copies a value of any context of the same VM to ctx: so a trap handler can use values that its client holds in
// another context. The original is not changed; another goroutine may use its context meanwhile.
func Import[V Value](ctx *Ctx, v V) (V, error) {
	var none V
	h := raw(v)
	if h == nil {
		return none, errNoValue
	}
	if h.ctx != nil && h.ctx.vm != ctx.vm {
		return none, errOtherVM
	}
	var n *handle
	err := ctx.do(func(*core.Ctx) error {
		// The thread of ctx runs, so there is no collection between reading the references from one
		// context and entering them in the other.
		src := h.ctx
		if err := src.check(h); err != nil {
			return err
		}
		if _, ok := wrap(h).(V); !ok {
			return fail(TypeMismatch, "no %T can be made: pass the value itself", v)
		}
		n = ctx.add(h.ty, h.w, h.r)
		return nil
	})
	if err != nil {
		return none, err
	}
	return wrap(n).(V), nil
}
