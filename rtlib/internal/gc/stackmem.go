package gc

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Segments come in three classes, by size.
const (
	smallSegment = 2 << 10
	numClasses   = 3 // the largest class has the size of the budget
)

// stackMemory is where segments come from: blocks of address space, each with an arena for
// every class. The first is reserved at the start, others when they are needed, as
// address space may be limited, and costs memory under some emulators.
//
// Blocks lie at descending addresses, and so do the arenas of a block, by class. A stack
// takes each segment from the block of the one before or a later block, so a newer segment
// always lies below an older one. Where memory cannot be mapped, new memory tends to lie above the
// old: there new blocks have small segments only, and stand before the others.
type stackMemory struct {
	budget uintptr // most bytes that one stack may take, shadow and alloca stack together
	unit   uintptr // granularity in which alloca cells are counted against it

	counts [numClasses]uintptr // segments in a block
	sizes  [numClasses]uintptr // bytes of a segment
	most   int                 // how many blocks there may be

	mu     sync.Mutex
	blocks []*stackBlock   // guarded by mu; at descending addresses
	from   [numClasses]int // no block before it has a free segment; guarded by mu
}

// stackBlock is a piece of address space for segments.
type stackBlock struct {
	index   int
	region  mem.Region
	classes [numClasses]*mem.Slots
}

// init reserves the first block. A frugal one leaves most of a scarce address space to others.
// The budget shrinks where not even the smallest block can be reserved.
func (m *stackMemory) init(budget uintptr, frugal bool) error {
	m.budget = budget
	m.unit = min(64<<10, budget/16&^7)
	m.sizes = [numClasses]uintptr{smallSegment, mediumSegment, (budget + mem.PageSize - 1) &^ (mem.PageSize - 1)}
	least := [numClasses]uintptr{1 << 12, 64, 1}
	m.counts, m.most = [numClasses]uintptr{1 << 15, 1 << 11, 16}, 512
	switch {
	case !mem.Lazy:
		m.counts, least = [numClasses]uintptr{1 << 12, 1 << 9, 2}, [numClasses]uintptr{1 << 10, 16, 1}
	case wordSize < 8:
		m.counts, least = [numClasses]uintptr{1 << 15, 64, 2}, [numClasses]uintptr{1 << 10, 16, 1}
	}
	if frugal {
		m.counts = least
	}
	for {
		err := m.addBlock()
		if err == nil {
			return nil
		}
		if m.counts == least {
			const enough = 1 << 20
			if budget > enough {
				return m.init(max(budget/2, enough), true)
			}
			return fmt.Errorf("no address space for stacks: %w", err)
		}
		for i := range m.counts {
			m.counts[i] = max(m.counts[i]/2, least[i])
		}
	}
}

// addBlock reserves a block below all others. mu is held, except in init.
func (m *stackMemory) addBlock() error { return m.addBlockOf(m.counts) }

// extend adds a block that has segments of a class. Where there is no room for segments of the largest
// class, it has none of them.
func (m *stackMemory) extend(class int) bool {
	if len(m.blocks) == m.most {
		return false
	}
	if !mem.Lazy {
		return class == 0 && m.addBlockAbove() == nil
	}
	if m.addBlock() == nil {
		return true
	}
	counts := m.counts
	counts[numClasses-1] = 0
	return class < numClasses-1 && m.addBlockOf(counts) == nil
}

func (m *stackMemory) addBlockOf(counts [numClasses]uintptr) error {
	var total uintptr
	for i := range counts {
		total += counts[i]*m.sizes[i] + blockGap
	}
	r, err := mem.Region{}, error(nil)
	if n := len(m.blocks); n > 0 {
		r, err = mem.ReserveBelow(m.blocks[n-1].region.Base, total)
	} else {
		r, err = mem.Reserve(total, mem.PageSize)
	}
	if err != nil {
		return err
	}
	b := newBlock(r, counts, m.sizes)
	b.index = len(m.blocks)
	m.blocks = append(m.blocks, b)
	return nil
}

// addBlockAbove adds a block of small segments before the others, if there is memory for one above them.
func (m *stackMemory) addBlockAbove() error {
	n := m.counts[0]
	var r mem.Region
	for range maxBelow {
		var err error
		if r, err = mem.Reserve(n*m.sizes[0], mem.PageSize); err != nil {
			return err
		}
		if r.Base >= m.blocks[0].region.End() {
			break
		}
		defer r.Release() // not before the end: it would be found again
	}
	if r.Base < m.blocks[0].region.End() {
		return errors.New("no memory above the blocks")
	}
	m.blocks = slices.Insert(m.blocks, 0, newBlock(r, [numClasses]uintptr{n}, m.sizes))
	for i, b := range m.blocks {
		b.index = i
	}
	m.from[0] = 0
	for class := 1; class < numClasses; class++ {
		m.from[class]++
	}
	return nil
}

// maxBelow is how many places below the blocks may be found before one above them: Go's heap may have free places there.
const maxBelow = 16

// blockGap lies between arenas, so that no address is in two.
const blockGap = mem.PageSize

// newBlock makes a block of a region.
func newBlock(r mem.Region, counts, sizes [numClasses]uintptr) *stackBlock {
	keep := [numClasses]int{1 << 30, 64, 1}
	b := &stackBlock{region: r}
	a := r.Base
	for i := numClasses - 1; i >= 0; i-- {
		n := counts[i] * sizes[i]
		b.classes[i] = mem.NewSlots(mem.Region{Base: a, Size: n}, sizes[i], keep[i])
		if n > 0 {
			a = a.Add(n + blockGap)
		}
	}
	return b
}

// get returns a segment of a class that lies below another, if that is not nil.
func (m *stackMemory) get(class int, above *segment) (segment, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := func() int {
		if above == nil {
			return m.from[class]
		}
		return max(m.from[class], above.block.index)
	}
	i := first()
	for {
		if i == len(m.blocks) {
			if !m.extend(class) {
				return segment{}, false
			}
			i = first()
		}
		b := m.blocks[i]
		if base, ok := b.classes[class].Get(); ok {
			return segment{base: base, end: base.Add(m.sizes[class]), class: class, block: b}, true
		}
		if i == m.from[class] {
			m.from[class]++
		}
		i++
	}
}

// put takes a segment back.
func (m *stackMemory) put(s *segment) {
	m.mu.Lock()
	defer m.mu.Unlock()
	base := s.base
	if s.rest != 0 {
		base = s.rest
	}
	s.block.classes[s.class].Put(base)
	m.from[s.class] = min(m.from[s.class], s.block.index)
}

// inUse counts the segments of a class that stacks have.
func (m *stackMemory) inUse(class int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, b := range m.blocks {
		n += b.classes[class].InUse()
	}
	return n
}

// release gives all address space back.
func (m *stackMemory) release() {
	for _, b := range m.blocks {
		b.region.Release()
	}
}
