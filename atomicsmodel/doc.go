// Package atomicsmodel is the memory model of Mu as a program: it reads litmus
// tests and tells which of their outcomes the model allows (docs/memory-model.md).
//
// A litmus test is a few threads of straight-line code on shared locations and
// a question about the final state. Check enumerates the candidate executions
// of a test (which store each load reads, and the order of the stores to each
// location), derives happens-before from them, drops those that violate an
// axiom, and answers Never, Sometimes or Always, or that the program has
// undefined behaviour (UB), or that it mixes atomic and other accesses to a
// location (MIXED). Bundle turns tests into a Mu program that runs them many
// times, so that the outcomes of the runtime can be compared with those that
// the model allows.
//
// The package does not know how the runtime maps orders to machine
// instructions (package lowering does), and does not explore loops, scheduling or liveness.
// The command litmus and tests use it; programs do not.
//
// # The text of a test
//
//	litmus MP+rel+acq
//	doc a flag stored with RELEASE and loaded with ACQUIRE hands the data over
//	P0: st.rlx x 1; st.rel y 1
//	P1: r0 = ld.acq y; r1 = ld.rlx x
//	ask r0=1 r1=0
//	expect Never
//
// A # begins a comment. Statements are separated by semicolons or line ends;
// a name with a colon begins a thread. Locations start as 0 or as "init x=5"
// says. Registers belong to the whole test and are assigned once. Orders are
// na rlx con acq rel ar sc, in either case. A value is a number or a register.
//
//	st.ORD x v                 store
//	r = ld.ORD x               load
//	[r =] OP.ORD x v           read-modify-write: add sub and nand or xor max min umax umin xchg
//	r = cas.ORD.ORD x v v      compare-exchange: order of success, of failure, expected, desired
//	r, f = cas...              the same; f is 1 if it stored, and 0 if not
//	[r[, f] =] casw.ORD.ORD x v v   weak compare-exchange, which may fail though it reads the expected value
//	fence.ORD                  fence
//	r = kill r                 the same value, without dependency
//	create P                   starts thread P, which otherwise runs from the beginning
//	r = wait x v               futex wait: 0, -1, -2 or -3
//	wake x n                   futex wake of up to n waiters
//	requeue x y v n            cmp_requeue from x to y, expecting v
//	trap, resume               unbinds, rebinds the stack of the thread; the handler is between
//	newstack s, bind s, unbind s, swapstack s
//	enable n, disable n, r = watchpoint n, r = wpbranch n    watchpoint n; r is 1 if it is enabled
//	define f v, r = call f     a version of a function; the version that a call runs
//	post c, await c            an order between client events that the host language makes
//
// At the end of a statement, "dep r,r" says that it depends on registers
// through an address or a data operand without changing its effect (a direct
// dependency), and "if r=v" that it is executed only then; both may be
// repeated. A term of the question is REGISTER=VALUE, LOCATION=VALUE (the final
// value) or the same with "!="; a bar separates groups of terms, of which one
// must hold. The register of a statement that was not
// executed has no value, and no term about it holds.
//
// "expect V" is the verdict, Possible for Sometimes or Always; "expect ww V" and "expect air V" are the verdicts
// with the options WW and ThinAir where they differ.
//
// # Files
//
// test.go has the shape of a test, parse.go reads it, and cparse.go, cstmt.go, cvars.go
// and clex.go read tests in C, cycle.go makes tests from cycles. paths.go unfolds a test
// into events, one set for each way through its conditions; traits.go finds what can be said
// of these before a search, search.go enumerates
// executions and check.go judges them; states.go keeps the final states; relations.go derives the relations, axioms.go has the
// axioms, sc.go searches the order of SEQ_CST events; execution.go prints
// examples, explain.go says why there is none. bundle.go and bundlethread.go write Mu programs, and counts.go
// reads what these report.
package atomicsmodel
