package ir_test

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// unprinted are the fields that the text leaves out, with the reasons.
var unprinted = map[string]string{
	"Program.Files":   "places in sources: a dump is a source of its own",
	"Program.TypePos": "as Program.Files",
	"Program.Given":   "about the sources: a dump is one of its own, in another dialect",
	"Function.Pos":    "as Program.Files",
	"Version.Pos":     "as Program.Files",
	"Block.Pos":       "as Program.Files",
	"Inst.Pos":        "as Program.Files",
	"Const.Pos":       "as Program.Files",
	"Global.Pos":      "as Program.Files",
	"Expose.Pos":      "as Program.Files",
	"ImageObject.Pos": "as Program.Files",
	"ImageInit.Pos":   "as Program.Files",
	"Version.Insts":   "those in blocks are compared through Block.Insts, others are removed",
	"Version.Values":  "compared where they are used; numbers of constants do not count",
	"Version.consts":  "finds what Values has",
	"Version.few":     "as Version.consts",
	"Version.room":    "memory for lists",
	"Version.order":   "memory for lists",
	"Value.Def":       "follows from where the value is defined",
	"Types.tab":       "types are compared where they are used; their numbers do not count",
	"Types.of":        "finds what tab has",
	"Types.int":       "finds what tab has",
}

// equal reports the first difference of two programs in what is printed.
func equal(p, q *ir.Program) error {
	return (&comparer{p: p, q: q, types: map[ir.TypeID]ir.TypeID{0: 0}, same: map[any]any{}, seen: map[string]bool{}}).program()
}

// A comparer walks through two programs at once.
type comparer struct {
	p, q  *ir.Program
	v, w  *ir.Version // the versions whose values are compared
	types map[ir.TypeID]ir.TypeID
	same  map[any]any     // pointers
	seen  map[string]bool // fields that were not zero
	err   error
}

func (c *comparer) program() error {
	c.value("program", reflect.ValueOf(c.p), reflect.ValueOf(c.q))
	return c.err
}

func (c *comparer) differ(where string, a, b any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %v becomes %v", where, a, b)
	}
}

func (c *comparer) value(where string, a, b reflect.Value) {
	if c.err != nil {
		return
	}
	switch x := a.Interface().(type) {
	case ir.TypeID:
		c.typ(where, x, b.Interface().(ir.TypeID))
		return
	case ir.ValueID:
		y := b.Interface().(ir.ValueID)
		m, n := &c.v.Values[x], &c.w.Values[y]
		if m.Kind != n.Kind || m.Kind != ir.ValueConst && x != y {
			c.differ(where, x, y)
		}
		c.value(where, reflect.ValueOf(*m), reflect.ValueOf(*n))
		return
	case ir.InstID:
		c.value(where, reflect.ValueOf(c.v.Insts[x]), reflect.ValueOf(c.w.Insts[b.Interface().(ir.InstID)]))
		return
	case *ir.Version:
		v, w := c.v, c.w
		defer func() { c.v, c.w = v, w }()
		c.v, c.w = x, b.Interface().(*ir.Version)
	case ir.Block:
		if x.Dead {
			c.seen["Block.Dead"] = true
			if !b.Interface().(ir.Block).Dead {
				c.differ(where, "dead", "alive")
			}
			return
		}
	}
	switch a.Kind() {
	case reflect.Pointer:
		switch x, y := a.Interface(), b.Interface(); {
		case a.IsNil() || b.IsNil():
			if a.IsNil() != b.IsNil() {
				c.differ(where, a, b)
			}
		case c.same[x] == nil:
			c.same[x] = y
			c.value(where, a.Elem(), b.Elem())
		case c.same[x] != y && a.Type() != reflect.TypeFor[*ir.Const](): // equal constants may be several
			c.differ(where, "one thing", "two")
		}
	case reflect.Interface:
		if a.Elem().Type() != b.Elem().Type() {
			c.differ(where, a.Elem().Type(), b.Elem().Type())
			return
		}
		c.value(where, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			name := a.Type().Name() + "." + a.Type().Field(i).Name
			if unprinted[name] != "" {
				continue
			}
			if !a.Field(i).IsZero() {
				c.seen[name] = true
			}
			c.value(where+" "+name, a.Field(i), b.Field(i))
		}
	case reflect.Map:
		if a.Len() != b.Len() {
			c.differ(where, a, b)
		}
		for _, k := range a.MapKeys() {
			if y := b.MapIndex(k); y.IsValid() {
				c.value(where+" "+k.String(), a.MapIndex(k), y)
			} else {
				c.differ(where, k, "nothing")
			}
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			c.differ(where, a, b)
			return
		}
		for i := range a.Len() {
			c.value(fmt.Sprintf("%s %d", where, i), a.Index(i), b.Index(i))
		}
	default:
		if a.Interface() != b.Interface() {
			c.differ(where, a, b)
		}
	}
}

// typ compares types. Those of one program have different numbers in the other.
func (c *comparer) typ(where string, a, b ir.TypeID) {
	if s, ok := c.types[a]; ok {
		if s != b {
			c.differ(where, c.p.Types.String(a), c.q.Types.String(b))
		}
		return
	}
	c.types[a] = b
	c.value(where, reflect.ValueOf(*c.p.Types.At(a)), reflect.ValueOf(*c.q.Types.At(b)))
}

// everything has the fields that no other sample has.
const everything = `program 70000 3
word stackref "stack"
later "more.uir" "cafe" names @h needs @g
type @i64 = int<64> !65536
type @list = struct.step1.align16<ref<@list> array<int<8> 3>> !65537
type @sig = (@i64) -> (@i64 @list) !65538
const @seven: @i64 = 7 !65539
const @text: array<int<8> 2> = bytes "ab" !65540
const @native: uptr<void> = extern "environ" !65541
const @many: array<@i64 2> = {@seven 0x10:@i64} !65542
global @cell: @i64 readonly settled threadlocal = 5 !65543
func @f: @sig noinline nothrow called "%f" shown([unsigned number hex filler prefix "#" word "no" word "yes"] [open "(" between "," close ")" {signed {unsigned signed}}]) !65544
func @g: () -> () !65545
func @h: () -> () !0 of @g 0
expose @e: ufuncptr<() -> ()> = @g 3:@i64 !65546
func @c: () -> () internal !65560 copy of @g
func @k: () -> () !65548
main @k
hook start @k
hook exit @k

version @h of @h !65549 {
^entry.0():
  ret
}

version @k.v of @k !65550 {
^entry.0():
  %w.1: int<64> = zext <int<8> int<64>> 3:int<8>
  %p.2: uptr<void> = ptrcast <ufuncptr<() -> ()> uptr<void>> @e
  ret
}

version @g.v of @g !65547 {
^entry.0():
  %c.1: iref<@i64> = threadcell <@i64> @cell
  %old.2: @i64, %ok.3: int<1> = [@g.x] cmpxchg.weak.acq_rel.relaxed <@i64> %c.1 @seven @seven
  %most.4: @i64 = atomicrmw.relaxed.umax <@i64> %c.1 5:@i64
  %got.5: @i64 = trap types(@i64) exc ^a.1(%old.2) ^b.2() keep(%ok.3)
^a.1(%x.6: @i64): "%x" !65900 "" !65901
  ret
^b.2() [%exc.7: ref<void>]:
  [at "@g.v.b+0"] throw %exc.7
}
`

// TestFields compares all fields of programs with those read back from their text. A new field
// must be printed and have a value in some program here, or be listed in unprinted.
func TestFields(t *testing.T) {
	seen := map[string]bool{}
	for i, src := range []string{strings.Replace(sample, "kill_dependency", "killdependency", 1), everything} {
		p := parse(t, src)
		c := &comparer{p: p, q: parse(t, text(p)), types: map[ir.TypeID]ir.TypeID{0: 0}, same: map[any]any{}, seen: seen}
		if err := c.program(); err != nil {
			t.Errorf("sample %d: %v\n%s", i, err, text(p))
		}
	}
	left := maps.Clone(unprinted)
	var check func(reflect.Type)
	known := map[reflect.Type]bool{}
	check = func(ty reflect.Type) {
		switch {
		case known[ty]:
			return
		case ty.Kind() == reflect.Map || ty.Kind() == reflect.Pointer || ty.Kind() == reflect.Slice || ty.Kind() == reflect.Array:
			check(ty.Elem())
			return
		case ty.Kind() != reflect.Struct:
			return
		}
		known[ty] = true
		for i := range ty.NumField() {
			f := ty.Field(i)
			name := ty.Name() + "." + f.Name
			switch reason := unprinted[name]; {
			case reason != "":
				if seen[name] {
					t.Errorf("%s is said to be unprinted", name)
				}
				delete(left, name)
			case !seen[name]:
				t.Errorf("%s is zero in all samples", name)
			}
			if unprinted[name] == "" {
				check(f.Type)
			}
		}
	}
	check(reflect.TypeFor[ir.Program]())
	for _, ty := range []reflect.Type{reflect.TypeFor[ir.Inst](), reflect.TypeFor[ir.Value](), reflect.TypeFor[ir.Type]()} {
		check(ty)
	}
	for name := range left {
		t.Errorf("%s is no field", name)
	}
	if err := verify.Err(verify.Program(parse(t, everything))); err != nil {
		t.Error(err)
	}
}
