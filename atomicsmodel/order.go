package atomicsmodel

import "strings"

// An Order is a memory order of Mu (docs/language.md, "Memory").
type Order uint8

// The orders. NotAtomic is the order of plain accesses.
const (
	NotAtomic Order = iota
	Relaxed
	Consume
	Acquire
	Release
	AcqRel
	SeqCst
)

var orderNames = [...]struct{ short, mu string }{
	NotAtomic: {"na", "NOT_ATOMIC"},
	Relaxed:   {"rlx", "RELAXED"},
	Consume:   {"con", "CONSUME"},
	Acquire:   {"acq", "ACQUIRE"},
	Release:   {"rel", "RELEASE"},
	AcqRel:    {"ar", "ACQ_REL"},
	SeqCst:    {"sc", "SEQ_CST"},
}

// String returns the short name that tests use.
func (o Order) String() string { return orderNames[o].short }

// Mu returns the keyword of the order in Mu text.
func (o Order) Mu() string { return orderNames[o].mu }

// orderByName finds an order by its short name, in either case.
func orderByName(name string) (Order, bool) {
	for o, n := range orderNames {
		if strings.EqualFold(name, n.short) {
			return Order(o), true
		}
	}
	return 0, false
}

// A set of orders, a bit for each.
type orders uint8

func set(list ...Order) (s orders) {
	for _, o := range list {
		s |= 1 << o
	}
	return s
}

func (s orders) has(o Order) bool { return s>>o&1 != 0 }

// Which orders an instruction may have.
var (
	loadOrders  = set(NotAtomic, Relaxed, Consume, Acquire, SeqCst)
	storeOrders = set(NotAtomic, Relaxed, Release, SeqCst)
	rmwOrders   = set(Relaxed, Acquire, Release, AcqRel, SeqCst)
	failOrders  = set(Relaxed, Acquire, SeqCst)
	fenceOrders = set(Acquire, Release, AcqRel, SeqCst)
)

func (o Order) acquires() bool { return o == Acquire || o == AcqRel || o == SeqCst }
func (o Order) releases() bool { return o == Release || o == AcqRel || o == SeqCst }
