package randprog

// A group is a kind of statements that a program may have.
type group uint8

const (
	grInt group = iota
	grDiv
	grCmp
	grFP
	grConv
	grSelect
	grVector
	grAggr
	grMem
	grAlloc
	grAlloca
	grAtomic
	grCall
	grIndirect
	grExc
	grTail
	grTag
	grStack
	grPtr
	grNative
	grWeak
	grLocal
	grMath
	grTrap
	grSwitch
	grWatch
	grFutex
	grThread
	grDeep
	grGraph
	grMeta
	grWeave // drawn by declareWeavers
	numGroups
)

// A statement makes instructions; it returns false if it finds nothing to work
// on. loud statements make objects or call.
type statement struct {
	group  group
	weight int
	loud   bool
	make   func(*fn) bool
}

// plain reports whether plain functions may have the statement.
func (s *statement) plain() bool {
	switch s.group {
	case grAlloc, grWeave:
		return true
	case grAlloca:
		return false
	}
	return !s.loud
}

var statements []statement

func init() {
	statements = []statement{
		{grInt, 14, false, (*fn).intBin},
		{grDiv, 14, false, (*fn).division},
		{grCmp, 9, false, (*fn).cmpInt},
		{grFP, 9, false, (*fn).fpBin},
		{grFP, 5, false, (*fn).cmpFP},
		{grCmp, 3, false, (*fn).cmpRef},
		{grConv, 12, false, (*fn).convert},
		{grSelect, 5, false, (*fn).choose},
		{grVector, 6, false, (*fn).vectorOp},
		{grAggr, 5, false, (*fn).aggregate},
		{grMem, 10, false, (*fn).access},
		{grMem, 3, false, (*fn).prefix},
		{grMem, 3, false, (*fn).shift},
		{grAlloc, 4, true, (*fn).allocate},
		{grAlloca, 3, false, (*fn).alloca},
		{grAtomic, 9, false, (*fn).atomic},
		{grCall, 6, true, (*fn).call},
		{grIndirect, 4, true, (*fn).callIndirect},
		{grExc, 2, true, (*fn).failing},
		{grTag, 5, false, (*fn).tagOp},
		{grStack, 3, true, (*fn).coroutine},
		{grPtr, 3, false, (*fn).pinned},
		{grPtr, 2, false, (*fn).pointer},
		{grNative, 2, true, (*fn).exposed},
		{grWeak, 3, true, (*fn).weak},
		{grLocal, 2, false, (*fn).threadLocal},
		{grMath, 4, false, (*fn).math},
		{grTrap, 1, true, (*fn).trap},
		{grWatch, 2, true, (*fn).watch},
		{grFutex, 2, true, (*fn).futex},
		{grMeta, 1, true, (*fn).introspect},
		{grWeave, 6, true, (*fn).drive},
		{grWeave, 5, true, (*fn).yield},
	}
}

// draw chooses the groups of statements of the program.
func (g *gen) draw() {
	for i := range grWeave {
		switch g.r.Intn(4) {
		case 0:
		case 1:
			g.has[i] = 1
		case 2:
			g.has[i] = 2
		case 3:
			g.has[i] = 4
		}
	}
	// Without these groups there are few values to compute with.
	for _, i := range []group{grInt, grMem, grCall} {
		g.has[i] = max(g.has[i], 1)
	}
}

// statement adds one random statement to the current block.
func (f *fn) statement() {
	g := f.g
	if f.weaves && g.r.Intn(3) == 0 && f.yield() {
		return
	}
	for range 20 {
		total := 0
		for _, s := range statements {
			total += s.weight * g.has[s.group]
		}
		at := g.r.Intn(total)
		for _, s := range statements {
			at -= s.weight * g.has[s.group]
			if at < 0 {
				if s.loud && f.quiet || f.plain && !s.plain() {
					break
				}
				if s.make(f) {
					return
				}
				break
			}
		}
	}
}
