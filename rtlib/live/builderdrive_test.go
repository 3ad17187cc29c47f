package live_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// A Go client has no instructions of the IR builder, so tests call Mu functions that execute one each.

// Numbers of the client API (docs/language.md, "The IR builder").
const (
	toNormal, toExcept, toTrue, toFalse, toDefault, toDisabled, toEnabled = 1, 2, 3, 4, 5, 6, 7
	notAtomic, relaxed, seqCst                                            = 0, 1, 6
	opAdd, opMul, opSDiv, opEq                                            = 1, 3, 4, 0x20
	zext, refCast                                                         = 0x31, 0x3a
)

// driverTypes are the types of operands by the letters of nodes.Row.Params.
var driverTypes = map[string]string{"n": "$n", "A": "$in", "w": "@i32", "l": "@i64", "W": "@ii", "I": "$i32s", "Z": "$name", "g": "$float", "d": "@double"}

// driver calls instructions of the builder.
type driver struct {
	*client
	done map[string]bool // instructions that were called without an error
}

func newDriver(t *testing.T) *driver {
	c := newClient(t)
	var text strings.Builder
	text.WriteString(`.typedef $n = irnoderef .typedef $in = iref<$n> .typedef $i32s = iref<@i32> .typedef $name = iref<@uvm.meta.bytes> .typedef $float = float
		.typedef $nodes = hybrid<@i64 $n> .typedef $words = hybrid<@i64 @i64> .typedef $flags = hybrid<@i64 @i32>
		.const $null.n <$n> = NULL .const $null.A <$in> = NULL .const $null.W <@ii> = NULL .const $null.I <$i32s> = NULL .const $null.Z <$name> = NULL
		`)
	for _, r := range nodes.Rows {
		var types, params, args []string
		for i, l := range strings.Split(r.Params, "") {
			if l == "" {
				continue
			}
			types = append(types, driverTypes[l])
			params = append(params, fmt.Sprintf("<%s> %%p%d", driverTypes[l], i))
			args = append(args, fmt.Sprintf("%%p%d", i))
		}
		result, def, ret := "", "", "()"
		if r.Result != "" {
			result, def, ret = driverTypes[r.Result], "%r = ", "%r"
		}
		fmt.Fprintf(&text, ".funcsig $%[1]s.sig = (%[2]s) -> (%[3]s) .funcdef $%[1]s VERSION %%v <$%[1]s.sig> { %%e(%[4]s): %[5]sCOMMINST @uvm.irbuilder.%[1]s (%[6]s) RET %[7]s }\n",
			r.Name, strings.Join(types, " "), result, strings.Join(params, " "), def, strings.Join(args, " "), ret)
	}
	c.load(text.String())
	return &driver{c, map[string]bool{}}
}

// null is the NULL of the type of operands with a letter.
func (d *driver) null(letter string) mu.Value {
	v, err := d.ConstNamed(d.own("$null." + letter))
	if err != nil {
		d.Fatal(err)
	}
	return v
}

// A list is an operand with a length that need not be that of the array.
type list struct {
	at     mu.Value
	length int64
}

// try calls an instruction. A node is a mu.Value, nil for NULL; numbers are Go's; lists are []mu.Value, []uint64 or
// a list; names are strings.
func (d *driver) try(row string, args ...any) (mu.Value, error) {
	d.Helper()
	var r *nodes.Row
	for i := range nodes.Rows {
		if nodes.Rows[i].Name == row {
			r = &nodes.Rows[i]
		}
	}
	f, err := d.FuncNamed(d.own("$" + row))
	if err != nil {
		d.Fatal(err)
	}
	var in []any
	for i, l := range r.Lists() {
		switch a := args[i].(type) {
		case nil:
			if in = append(in, d.null(l[:1])); len(l) == 2 {
				in = append(in, int64(0))
			}
		case string:
			in = append(in, d.name(a))
		case []mu.Value:
			in = append(in, d.array("$nodes", len(a), func(i int) mu.Value { return a[i] }), int64(len(a)))
		case []uint64:
			of, bits := "$words", uint32(64)
			if l == "Il" {
				of, bits = "$flags", 32
			}
			in = append(in, d.array(of, len(a), func(i int) mu.Value { return d.Uint(a[i], bits) }), int64(len(a)))
		case list:
			in = append(in, a.at, a.length)
		default:
			in = append(in, a)
		}
		if l == "A" { // shares the length of the next list
			in = in[:len(in)-1]
		}
	}
	res, err := d.Ctx.Call(f, in...)
	if err != nil {
		return nil, err
	}
	d.done[row] = true
	if len(res) == 0 {
		return nil, nil
	}
	return res[0], nil
}

// do is try for what is right.
func (d *driver) do(row string, args ...any) mu.Value {
	d.Helper()
	v, err := d.try(row, args...)
	if err != nil {
		d.Fatalf("%s: %v", row, err)
	}
	return v
}

// refuses is try for what must be refused with a code and a message.
func (d *driver) refuses(code mu.Code, want, row string, args ...any) {
	d.Helper()
	_, err := d.try(row, args...)
	var e *mu.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(err.Error(), want) {
		d.Errorf("%s: error %v, want %s: %s", row, err, code, want)
	}
}

// array makes an array, the variable part of a hybrid, and returns an iref to its first element.
func (d *driver) array(of string, n int, elem func(i int) mu.Value) mu.Value {
	d.Helper()
	at := check(d, d.VarPartIRef)(check(d, d.IRef)(check2(d, d.NewHybrid)(check(d, d.TypeNamed)(d.own(of)), uint64(n))))
	for i := range n {
		if err := d.Store(mu.NotAtomic, check2(d, d.ShiftIRef)(at, int64(i)), elem(i)); err != nil {
			d.Fatal(err)
		}
	}
	return at
}

// name makes a name.
func (d *driver) name(text string) mu.Value {
	d.Helper()
	at := check(d, d.IRef)(check2(d, d.NewHybrid)(check(d, d.TypeNamed)("@uvm.meta.bytes"), uint64(len(text))))
	put := func(at mu.IRef, v mu.Value) {
		if err := d.Store(mu.NotAtomic, at, v); err != nil {
			d.Fatal(err)
		}
	}
	put(check2(d, d.FieldIRef)(at, 0), d.Int(int64(len(text)), 64))
	part := check(d, d.VarPartIRef)(at)
	for i := range len(text) {
		put(check2(d, d.ShiftIRef)(part, int64(i)), d.Uint(uint64(text[i]), 8))
	}
	return at
}

// check and check2 make functions of those that may fail.
func check[A, R any](d *driver, f func(A) (R, error)) func(A) R {
	return func(a A) R {
		d.Helper()
		r, err := f(a)
		if err != nil {
			d.Fatal(err)
		}
		return r
	}
}

func check2[A, B, R any](d *driver, f func(A, B) (R, error)) func(A, B) R {
	return func(a A, b B) R {
		d.Helper()
		r, err := f(a, b)
		if err != nil {
			d.Fatal(err)
		}
		return r
	}
}

// A making is a bundle that a test makes.
type making struct {
	*driver
	b    mu.Value
	ints map[int]mu.Value
}

func (d *driver) begin() *making { return &making{d, d.do("new_bundle"), map[int]mu.Value{}} }

// typ makes a type without operands.
func (m *making) typ(name string) mu.Value { m.Helper(); return m.do("new_type_"+name, m.b) }

// int is the type of integers with some bits.
func (m *making) int(bits int) mu.Value {
	m.Helper()
	if m.ints[bits] == nil {
		m.ints[bits] = m.do("new_type_int", m.b, bits)
	}
	return m.ints[bits]
}

// to makes a type that refers to another.
func (m *making) to(kind string, x mu.Value) mu.Value {
	m.Helper()
	r := m.typ(kind)
	m.do("set_type_"+kind, r, x)
	return r
}

// k is a constant of an integer type.
func (m *making) k(bits int, x int64) mu.Value {
	m.Helper()
	return m.do("new_const_int", m.b, m.int(bits), x)
}

// names are the numbers of names that tests give.
var names atomic.Int64

// named gives a node a name, which it returns.
func (m *making) named(n mu.Value) string {
	m.Helper()
	name := fmt.Sprintf("@made.%d", names.Add(1))
	m.do("set_name", m.b, n, name)
	return name
}

// load loads the bundle.
func (m *making) finish() {
	m.Helper()
	m.do("load_bundle_from_node", m.b)
}

// A bodyOf is the body of a function that a test makes.
type bodyOf struct {
	*making
	f, v, bb mu.Value // bb is the block that is being made
}

// function makes a function with a first block.
func (m *making) function(params, results []mu.Value) (*bodyOf, []mu.Value) {
	m.Helper()
	y := &bodyOf{making: m, f: m.do("new_func", m.b, m.do("new_funcsig", m.b, params, results))}
	y.v = m.do("new_func_ver", m.b, y.f)
	var vars []mu.Value
	y.bb, vars = y.block(params...)
	return y, vars
}

// block makes a block.
func (y *bodyOf) block(params ...mu.Value) (bb mu.Value, vars []mu.Value) {
	y.Helper()
	bb = y.do("new_bb", y.v)
	for _, p := range params {
		vars = append(vars, y.do("new_nor_param", bb, p))
	}
	return bb, vars
}

// inst makes an instruction.
func (y *bodyOf) inst(results int, row string, args ...any) (inst mu.Value, vars []mu.Value) {
	y.Helper()
	inst = y.do(row, append([]any{y.bb}, args...)...)
	for range results {
		vars = append(vars, y.do("new_inst_res", inst))
	}
	return inst, vars
}

// one makes an instruction and returns its result.
func (y *bodyOf) one(row string, args ...any) mu.Value {
	y.Helper()
	_, vars := y.inst(1, row, args...)
	return vars[0]
}

// common makes a common instruction with a result.
func (y *bodyOf) common(opcode int, types, sigs, args []mu.Value) mu.Value {
	y.Helper()
	return y.one("new_comminst", opcode, []uint64{}, types, sigs, args)
}

// ret returns values.
func (y *bodyOf) ret(vals ...mu.Value) { y.Helper(); y.do("new_ret", y.bb, vals) }

// dest adds a destination.
func (y *bodyOf) dest(inst mu.Value, kind int, to mu.Value, vals ...mu.Value) {
	y.Helper()
	y.do("add_dest", inst, kind, to, vals)
}

// run loads the bundle, calls the function, and compares its results.
func (y *bodyOf) run(want string, args ...any) {
	y.Helper()
	name := y.named(y.f)
	y.finish()
	y.expect(want, name, args...)
}

// sum adds numbers with 64 bits.
func (y *bodyOf) sum(vals ...mu.Value) mu.Value {
	y.Helper()
	s := vals[0]
	for _, v := range vals[1:] {
		s = y.one("new_binop", 1, y.int(64), s, v)
	}
	return s
}

// word makes a number with 64 bits of one with fewer.
func (y *bodyOf) word(bits int, v mu.Value) mu.Value {
	y.Helper()
	return y.one("new_conv", 0x31, y.int(bits), y.int(64), v)
}
