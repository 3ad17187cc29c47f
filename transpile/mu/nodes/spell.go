package nodes

import (
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

var formNames = map[string]string{"binop": "binary operation", "cmp": "comparison", "conv": "conversion", "common": "common instruction", "order": "memory order", "rmw": "operation of ATOMICRMW",
	"call": "calling convention"}

var orders = []string{"NOT_ATOMIC", "RELAXED", "CONSUME", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}

var updates = []string{"XCHG", "ADD", "SUB", "AND", "NAND", "OR", "XOR", "MAX", "MIN", "UMAX", "UMIN"}

// ranges are the numbers of operations, from the first of each range to the last.
var ranges = map[string][]uint64{"binop": {0x01, 0x0d, 0xb0, 0xb4}, "cmp": {0x20, 0x29, 0xc0, 0xcf}, "conv": {0x30, 0x3b}}

// opNames are the operations with a number.
var opNames = func() map[uint64]string {
	m := map[uint64]string{}
	for _, s := range ir.Spellings("mu") {
		if s.Code != 0 {
			m[uint64(s.Code)] = s.Name
		}
	}
	return m
}()

// spell writes a number in a form.
func spell(form string, x uint64) (string, bool) {
	list := func(l []string) (string, bool) {
		if x >= uint64(len(l)) {
			return "", false
		}
		return l[x], true
	}
	switch form {
	case "number":
		return strconv.FormatUint(x, 10), true
	case "ptr", "weak":
		if x == 0 {
			return "", true
		}
		return " " + strings.ToUpper(form), true
	case "order":
		return list(orders)
	case "rmw":
		return list(updates)
	case "call":
		return list([]string{"#DEFAULT"})
	case "binop", "cmp", "conv":
		for r := ranges[form]; len(r) > 0; r = r[2:] {
			if r[0] <= x && x <= r[1] {
				return opNames[x], true
			}
		}
		return "", false
	case "common":
		if x >= First && x-First < uint64(len(Rows)) {
			return "@uvm.irbuilder." + Rows[x-First].Name, true
		}
		name, ok := opNames[x]
		return name, ok && (name[0] == '@')
	}
	return "", false
}
