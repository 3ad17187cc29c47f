// Package lowering shows that the machine instructions which implement Mu's memory orders allow no more than Mu does.
//
// For each port, a table says which accesses and barriers of the machine make up each LOAD, STORE, CMPXCHG, ATOMICRMW
// and FENCE of each order (Ports). A litmus test of package atomicsmodel becomes a test of the machine by that table. Within
// enumerates the executions that the axioms of the machine allow (x86-TSO, ARMv8, RVWMO, POWER, z/Architecture) and looks for a final
// state that Mu's model does not allow.
//
// The package reads neither machine code nor Go: a test compares the tables with what Go's compiler emits for
// package rtlib/atomics. Code that is translated, the engine, the client API and natives written in Go use that package. Dependencies between
// instructions are dropped, apart from those through conditions, since compilers may remove them; conditions order what
// machines say that branches order.
//
// rel.go has relations, machine.go events and executions, models.go the axioms, ports.go the tables, code.go makes
// the tests of the machine, check.go enumerates.
package lowering
