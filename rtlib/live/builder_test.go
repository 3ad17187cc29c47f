package live_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// builderTypes are what code that builds bundles needs: arrays of two nodes, and names.
const builderTypes = `.typedef $n = irnoderef .typedef $a2 = array<$n 2> .typedef $ia2 = iref<$a2> .typedef $in = iref<$n> .typedef $i1 = iref<@i64>
	.const $no <$in> = NULL .const $none <$n> = NULL .const $64 <@i32> = 64 .const $add <@i32> = 1 .const $i0 <@i64> = 0
	.const $ADD <@i32> = 1 .const $kNormal <@i32> = 1 .funcsig $make.sig = () -> (@i32)
	.typedef $bytes = iref<@uvm.meta.bytes> .typedef $rb = ref<@uvm.meta.bytes>  .typedef $i8 = int<8> .typedef $ii8 = iref<$i8>
	.const $at <$i8> = 64 .const $x <$i8> = 120 .const $3 <@i64> = 3
	`

// A function is built by a program, and called.
func TestBuilder(t *testing.T) {
	c := newClient(t)
	c.load(builderTypes + `
	.funcdef $make VERSION %v <$make.sig> { %entry():
		%b = COMMINST @uvm.irbuilder.new_bundle
		%i64 = COMMINST @uvm.irbuilder.new_type_int (%b $64)
		%one = COMMINST @uvm.irbuilder.new_const_int (%b %i64 @1)
		%arr = ALLOCA <$a2>
		%e0 = GETELEMIREF <$a2 @i64> %arr @0
		STORE <$n> %e0 %i64
		%sig = COMMINST @uvm.irbuilder.new_funcsig (%b %e0 @1 %e0 @1)
		%f = COMMINST @uvm.irbuilder.new_func (%b %sig)
		%v = COMMINST @uvm.irbuilder.new_func_ver (%b %f)
		%bb = COMMINST @uvm.irbuilder.new_bb (%v)
		%x = COMMINST @uvm.irbuilder.new_nor_param (%bb %i64)
		%s = COMMINST @uvm.irbuilder.new_binop (%bb $ADD %i64 %x %one)
		%r = COMMINST @uvm.irbuilder.new_inst_res (%s)
		STORE <$n> %e0 %r
		%ret = COMMINST @uvm.irbuilder.new_ret (%bb %e0 @1)
		%name = NEWHYBRID <@uvm.meta.bytes @i64> @2
		%p = GETIREF <@uvm.meta.bytes> %name
		%l = GETFIELDIREF <@uvm.meta.bytes 0> %p
		STORE <@i64> %l @2
		%var = GETVARPARTIREF <@uvm.meta.bytes> %p
		STORE <$i8> %var $at
		%c1 = SHIFTIREF <$i8 @i64> %var @1
		STORE <$i8> %c1 $x
		COMMINST @uvm.irbuilder.set_name (%b %f %p)
		%id = COMMINST @uvm.irbuilder.get_id (%b %f)
		COMMINST @uvm.irbuilder.load_bundle_from_node (%b)
		RET %id }`)
	id := c.call("$make")
	c.expect("42", "@x", 41)
	if got, err := c.vm.ID("@x"); err != nil || fmt.Sprint(got) != id {
		t.Errorf("@x has ID %v, %v, want %s", got, err, id)
	}
	// its type, signature and constant have no names
	for n := got(c, id); n < got(c, id)+20; n++ {
		if name, err := c.vm.Name(n); err == nil && strings.Contains(name, "!") {
			t.Errorf("%d is named %s", n, name)
		}
	}
}

func got(c *client, id string) mu.ID {
	n, err := strconv.Atoi(id)
	if err != nil {
		c.Fatal(id)
	}
	return mu.ID(n)
}
