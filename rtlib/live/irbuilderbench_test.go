package live_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// BenchmarkIRBuilder builds a bundle of ten thousand calls, 25 functions with loops, loads it, and calls the first
// function. Between the first call of the builder and the result of the function are at most 15 ms.
func BenchmarkIRBuilder(b *testing.B) {
	vm, err := machine()
	if err != nil {
		b.Fatal(err)
	}
	c := vm.NewContext()
	defer c.Close()
	for b.Loop() {
		builder := live.NewIRBuilder(c)
		f, calls := tenThousandCalls(b, builder)
		if calls < 10000 {
			b.Fatalf("%d calls", calls)
		}
		if err := builder.Load(); err != nil {
			b.Fatal(err)
		}
		fn, err := c.Func(f)
		if err != nil {
			b.Fatal(err)
		}
		if list, err := c.Call(fn, 5); err != nil || len(list) != 1 {
			b.Fatal(list, err)
		}
	}
}

func tenThousandCalls(b *testing.B, builder *live.IRBuilder) (first mu.ID, calls int) {
	sym := func() mu.ID {
		calls++
		id, err := builder.GenSym("")
		if err != nil {
			b.Fatal(err)
		}
		return id
	}
	do := func(function string, args ...any) {
		calls++
		if err := builder.Call(function, args...); err != nil {
			b.Fatal(err)
		}
	}
	newOf := func(function string, args ...any) mu.ID {
		id := sym()
		do(function, append([]any{id}, args...)...)
		return id
	}
	i64 := newOf("new_type_int", 64)
	sig := newOf("new_funcsig", ids(i64), ids(i64))
	one := newOf("new_const_int", i64, 1)
	zero := newOf("new_const_int", i64, 0)
	for range 25 {
		f, entry, loop, done := sym(), sym(), sym(), sym()
		if first == 0 {
			first = f
		}
		do("new_func", f, sig)
		newOf("new_func_ver", f, ids(entry, loop, done))
		x, n, s := sym(), sym(), sym()
		do("new_bb", entry, ids(x), ids(i64), none, ids(newOf("new_branch", newOf("new_dest_clause", loop, ids(x, one)))))
		insts := []mu.ID{}
		acc := s
		for range 125 {
			r := sym()
			insts = append(insts, newOf("new_binop", r, 1, i64, acc, n, none))
			acc = r
		}
		less, more := sym(), sym()
		insts = append(insts, newOf("new_binop", less, 2, i64, n, one, none), newOf("new_cmp", more, 0x21, i64, less, zero),
			newOf("new_branch2", more, newOf("new_dest_clause", loop, ids(less, acc)), newOf("new_dest_clause", done, ids(acc))))
		do("new_bb", loop, ids(n, s), ids(i64, i64), none, insts)
		r := sym()
		do("new_bb", done, ids(r), ids(i64), none, ids(newOf("new_ret", ids(r))))
	}
	return first, calls
}
