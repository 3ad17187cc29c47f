package live_test

import (
	"fmt"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// BenchmarkBuilt has a program that builds and loads functions with 100,000 instructions altogether.
func BenchmarkBuilt(b *testing.B) {
	vm, err := machine()
	if err != nil {
		b.Fatal(err)
	}
	c := vm.NewContext()
	defer c.Close()
	const text = `
	.typedef @bench.n = irnoderef .typedef @bench.a = array<@bench.n 1> .typedef @bench.i8 = int<8>
	.const @bench.64 <@i32> = 64 .const @bench.add <@i32> = 1 .const @bench.normal <@i32> = 1
	.const @bench.100 <@i64> = 100 .const @bench.10 <@i64> = 10 .const @bench.99 <@i64> = 99
	.typedef @bench.in = iref<@bench.n>
	.funcsig @bench.make.sig = () -> ()
	.funcsig @bench.straight.sig = (@bench.n @bench.n @bench.n @bench.n) -> (@bench.n)
	.funcdef @bench.straight VERSION %v <@bench.straight.sig> { %entry(<@bench.n> %bb <@bench.n> %i64 <@bench.n> %x <@bench.n> %one):
		BRANCH %loop(%bb %i64 %x %one @bench.99)
	%loop(<@bench.n> %bb <@bench.n> %i64 <@bench.n> %x <@bench.n> %one <@i64> %n):
		%s = COMMINST @uvm.irbuilder.new_binop (%bb @bench.add %i64 %x %one)
		%r = COMMINST @uvm.irbuilder.new_inst_res (%s)
		%m = SUB <@i64> %n @1
		%more = NE <@i64> %m @0
		BRANCH2 %more %loop(%bb %i64 %r %one %m) %out(%r)
	%out(<@bench.n> %r):
		RET %r }
	.funcdef @bench.make VERSION %v <@bench.make.sig> { %entry():
		%b = COMMINST @uvm.irbuilder.new_bundle
		%i64 = COMMINST @uvm.irbuilder.new_type_int (%b @bench.64)
		%one = COMMINST @uvm.irbuilder.new_const_int (%b %i64 @1)
		%arr = ALLOCA <@bench.a>
		%e0 = GETELEMIREF <@bench.a @i64> %arr @0
		STORE <@bench.n> %e0 %i64
		%sig = COMMINST @uvm.irbuilder.new_funcsig (%b %e0 @1 %e0 @1)
		BRANCH %functions(%b %i64 %one %e0 %sig @bench.100)
	%functions(<@bench.n> %b <@bench.n> %i64 <@bench.n> %one <@bench.in> %e0 <@bench.n> %sig <@i64> %k):
		%f = COMMINST @uvm.irbuilder.new_func (%b %sig)
		%v = COMMINST @uvm.irbuilder.new_func_ver (%b %f)
		%bb = COMMINST @uvm.irbuilder.new_bb (%v)
		%x = COMMINST @uvm.irbuilder.new_nor_param (%bb %i64)
		BRANCH %blocks(%b %i64 %one %e0 %sig %k %v %bb %x @bench.10)
	%blocks(<@bench.n> %b <@bench.n> %i64 <@bench.n> %one <@bench.in> %e0 <@bench.n> %sig <@i64> %k <@bench.n> %v <@bench.n> %bb <@bench.n> %x <@i64> %n):
		%y = CALL <@bench.straight.sig> @bench.straight (%bb %i64 %x %one)
		%br = COMMINST @uvm.irbuilder.new_branch (%bb)
		%to = COMMINST @uvm.irbuilder.new_bb (%v)
		STORE <@bench.n> %e0 %y
		COMMINST @uvm.irbuilder.add_dest (%br @bench.normal %to %e0 @1)
		%z = COMMINST @uvm.irbuilder.new_nor_param (%to %i64)
		%m = SUB <@i64> %n @1
		%more = NE <@i64> %m @0
		BRANCH2 %more %blocks(%b %i64 %one %e0 %sig %k %v %to %z %m) %last(%b %i64 %one %e0 %sig %k %to %z)
	%last(<@bench.n> %b <@bench.n> %i64 <@bench.n> %one <@bench.in> %e0 <@bench.n> %sig <@i64> %k <@bench.n> %bb <@bench.n> %x):
		STORE <@bench.n> %e0 %x
		%ret = COMMINST @uvm.irbuilder.new_ret (%bb %e0 @1)
		%m = SUB <@i64> %k @1
		%more = NE <@i64> %m @0
		BRANCH2 %more %functions(%b %i64 %one %e0 %sig %m) %load(%b)
	%load(<@bench.n> %b):
		COMMINST @uvm.irbuilder.load_bundle_from_node (%b)
		RET () }`
	if _, err := vm.ID("@bench.make"); err != nil {
		if err := c.LoadBundleText(text); err != nil {
			b.Fatal(err)
		}
	}
	f, err := c.FuncNamed("@bench.make")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Call(f); err != nil {
			b.Fatal(fmt.Errorf("%w: %T", err, mu.Value(nil)))
		}
	}
}
