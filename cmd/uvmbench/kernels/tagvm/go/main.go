// The Go twin of the kernel tagvm: a bytecode interpreter of a dynamic language, whose values are tagged references: integers that
// overflow into doubles, doubles, pairs and vectors; size rounds of the program's loop.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

type opcode int

const (
	opHalt opcode = iota
	opInt
	opFloat
	opLoad
	opStore
	opAdd
	opMul
	opMod
	opLess
	opJump
	opJzero
	opCons
	opCar
	opCdr
	opNewvec
	opVget
	opVset
)

type instr struct {
	op  opcode
	arg int
}

// Locals: 0 i, 1 sum, 2 x, 3 v, 4 p, 5 the limit, set by the caller.
var program = []instr{
	// v = newvec(16); for i = 0 to 15: v[i] = cons(i, i)
	{opInt, 16}, {opNewvec, 0}, {opStore, 3}, {opInt, 0}, {opStore, 0},
	// 5:
	{opLoad, 0}, {opInt, 16}, {opLess, 0}, {opJzero, 20},
	{opLoad, 3}, {opLoad, 0}, {opLoad, 0}, {opLoad, 0}, {opCons, 0}, {opVset, 0},
	{opLoad, 0}, {opInt, 1}, {opAdd, 0}, {opStore, 0}, {opJump, 5},
	// 20: x = 0.5; sum = 0; i = 0
	{opFloat, 500}, {opStore, 2}, {opInt, 0}, {opStore, 1}, {opInt, 0}, {opStore, 0},
	// 26: while i < limit
	{opLoad, 0}, {opLoad, 5}, {opLess, 0}, {opJzero, 79},
	// p = v[i mod 16]
	{opLoad, 3}, {opLoad, 0}, {opInt, 16}, {opMod, 0}, {opVget, 0}, {opStore, 4},
	// sum = sum + car(p)
	{opLoad, 1}, {opLoad, 4}, {opCar, 0}, {opAdd, 0}, {opStore, 1},
	// x = (x + cdr(p)) * 0.499 + car(p)
	{opLoad, 2}, {opLoad, 4}, {opCdr, 0}, {opAdd, 0}, {opFloat, 499}, {opMul, 0},
	{opLoad, 4}, {opCar, 0}, {opAdd, 0}, {opStore, 2},
	// if i mod 3 != 0: sum = sum + i*i
	{opLoad, 0}, {opInt, 3}, {opMod, 0}, {opJzero, 62},
	{opLoad, 1}, {opLoad, 0}, {opLoad, 0}, {opMul, 0}, {opAdd, 0}, {opStore, 1}, {opJump, 74},
	// 62: else v[i*7 mod 16] = cons(i mod 1000, x)
	{opLoad, 3}, {opLoad, 0}, {opInt, 7}, {opMul, 0}, {opInt, 16}, {opMod, 0},
	{opLoad, 0}, {opInt, 1000}, {opMod, 0}, {opLoad, 2}, {opCons, 0}, {opVset, 0},
	// 74: i = i + 1
	{opLoad, 0}, {opInt, 1}, {opAdd, 0}, {opStore, 0}, {opJump, 26},
	// 79:
	{opHalt, 0},
}

type kind uint8

const (
	kindFloat kind = iota
	kindInt
	kindPair
	kindVector
)

// value is an integer or the bits of a double in num, or an object. The zero value is 0.0.
type value struct {
	kind kind
	num  int64
	obj  *object
}

// object is a pair or a vector.
type object struct {
	pair [2]value
	vec  []value
}

func integer(n int64) value {
	// a double if it does not fit in 52 bits
	if uint64(n+1<<51) < 1<<52 {
		return value{kind: kindInt, num: n}
	}
	return double(float64(n))
}

func double(f float64) value { return value{num: int64(math.Float64bits(f))} }

// float returns a number as a float64.
func (v value) float() float64 {
	switch v.kind {
	case kindInt:
		return float64(v.num)
	case kindFloat:
		return math.Float64frombits(uint64(v.num))
	}
	panic("not a number")
}

// index returns an integer.
func (v value) index() int64 {
	if v.kind != kindInt {
		panic("not an integer")
	}
	return v.num
}

// object returns the object that a value refers to; it must be of the given kind.
func (v value) object(k kind) *object {
	if v.kind != k {
		panic("wrong kind of value")
	}
	return v.obj
}

func add(a, b value) value {
	if a.kind == kindInt && b.kind == kindInt {
		return integer(a.num + b.num)
	}
	return double(a.float() + b.float())
}

func multiply(a, b value) value {
	// products of larger operands become doubles at once
	if a.kind == kindInt && b.kind == kindInt && uint64(a.num+1<<25) < 1<<26 && uint64(b.num+1<<25) < 1<<26 {
		return integer(a.num * b.num)
	}
	return double(a.float() * b.float())
}

func less(a, b value) bool {
	if a.kind == kindInt && b.kind == kindInt {
		return a.num < b.num
	}
	return a.float() < b.float()
}

// interpret runs the program; it returns the number of instructions executed.
func interpret(code []instr, locals []value) int64 {
	stack := make([]value, 64)
	sp, pc := 0, 0
	var steps int64
	for {
		at := &code[pc]
		pc++
		steps++
		switch at.op {
		case opInt:
			stack[sp] = value{kind: kindInt, num: int64(at.arg)}
			sp++
		case opFloat:
			stack[sp] = double(float64(at.arg) / 1000)
			sp++
		case opLoad:
			stack[sp] = locals[at.arg]
			sp++
		case opStore:
			sp--
			locals[at.arg] = stack[sp]
		case opAdd:
			sp--
			stack[sp-1] = add(stack[sp-1], stack[sp])
		case opMul:
			sp--
			stack[sp-1] = multiply(stack[sp-1], stack[sp])
		case opMod:
			sp--
			stack[sp-1] = value{kind: kindInt, num: stack[sp-1].index() % stack[sp].index()}
		case opLess:
			sp--
			c := value{kind: kindInt}
			if less(stack[sp-1], stack[sp]) {
				c.num = 1
			}
			stack[sp-1] = c
		case opJump:
			pc = at.arg
		case opJzero:
			sp--
			if stack[sp].index() == 0 {
				pc = at.arg
			}
		case opCons:
			sp--
			stack[sp-1] = value{kind: kindPair, obj: &object{pair: [2]value{stack[sp-1], stack[sp]}}}
		case opCar:
			stack[sp-1] = stack[sp-1].object(kindPair).pair[0]
		case opCdr:
			stack[sp-1] = stack[sp-1].object(kindPair).pair[1]
		case opNewvec:
			stack[sp-1] = value{kind: kindVector, obj: &object{vec: make([]value, stack[sp-1].index())}}
		case opVget:
			sp--
			stack[sp-1] = stack[sp-1].object(kindVector).vec[stack[sp].index()]
		case opVset:
			// vector, index, value
			sp -= 3
			stack[sp].object(kindVector).vec[stack[sp+1].index()] = stack[sp+2]
		default:
			return steps
		}
	}
}

func run(size int64) int64 {
	locals := make([]value, 8)
	locals[5] = integer(size)
	steps := interpret(program, locals)
	return int64(math.Float64bits(locals[1].float())^math.Float64bits(locals[2].float())) ^ steps
}

func main() {
	size := int64(3000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "tagvm: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap tagvm.done checksum=%d\n", run(size))
}
