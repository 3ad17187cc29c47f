package check

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/tvm/op"
)

// operandsOf has an example of each operation and instruction.
var operandsOf = `i8|i16|i32|i64|i128|iptr|ui8|ui16|ui32|ui64|ui128|uiptr|bool|byte|empty|fp32|fp64|fp128|fp-x86-80|fp-ppc-128
pointer i32 upref_null|struct i32 (pointer %t)|union i32 i8|array i32 %n|constant %i|member i32 i8|member_ptr %m|base_ptr %b|apply %g i32
true|false|empty_v|undef i32|zero (struct i32)|type_v %n #i4|sizeof %t|alignof (struct %t)
add %i #i1|sub %i %i|mul %n %n|neg %i|div %i %i|cmp_eq %i #i3|cmp_eq %d %d|cmp_eq %p %pt|cmp_ne true true|cmp_lt %i %i|cmp_le %n %n|cmp_gt %i %i|cmp_ge %i %i|bit_and %i %i|bit_or true true|bit_xor %n %n|bit_not %i
shl %i #ui1|shr %n #ui1|bitcast %i fp32|bitcast %p bool|select true %i #i1|select true %s %s
struct_v %i %p|struct_v|array_v i32 %i #i1|array_v i32|union_v (union i32 i8) %i|union_v (apply %w) %i|apply_v (apply %r) %s|struct_el %s #i1|struct_el (zero (apply %r)) #i0|array_el %a %n|array_el %a #i1|union_el %u i8|union_el %u #i0
element %s #up1|element %a %n|element %u #i0|element (zero (apply %r)) #up0 #up1|element %i
pointer_cast %p i8|pointer_cast %p i32 (upref (struct i32) #up0 upref_null)|pointer_offset %p %n|pointer_offset %p #p-1|pointer_offset %p #b2|struct_ep %ps #i1|struct_ep %pr #i0|array_ep (undef (pointer (array %t %n))) %n
union_ep (undef (pointer (union i32 i8))) i32|union_ep (undef (pointer (union i32 i8))) #i1|gep %ps #up1|gep %pr #up0 #up0|gep %p|outer_ptr %o|member_apply %ps %m|member_apply_ptr %ps %m|member_combine %m (zero (member i8 i8))
member_inner %q|member_outer %q|member_ptr_combine %q (zero (member i8 i8))|struct_m (struct i32 i8) #i0|struct_m (apply %r) #i1|union_m (union i32 i8) i8|union_m (union i32 i8) #i1|array_m (array i32 #up4) %n|member_offset %m|struct_eo (apply %r) #i1
specialize %h i32|specialize %h|introduce_exists %e %p|unwrap %x|unapply %pr|unapply %q2|unbase %bp|unbase %rb|unrecurse %pr
pointer (unwrap_param %x #i0)|pointer (derived %bp)|member_ptr (base_offset %bp)
pointer i32 (upref (struct i32) #up0 upref_null)|pointer i32 (upref upref_null (struct i32) #up0)|pointer i32 (upref upref_null (struct (struct i32)) #up0 #up0)|pointer i32 (upref upref_null (struct (struct i32)) #up0 (struct i32) #up0)
pointer i32 (struct_up (struct i32) #i0 upref_null)|pointer i32 (struct_up (apply %r) #i0 upref_null)|pointer i32 (array_up (array i32 %n) %n upref_null)|pointer i32 (union_up (union i32) #i0 upref_null)
alloca %t|alloca i32 %n|alloca i32 #i4 #b8|alloca_const %i|load %pt|store %i %p|call %h i32 %p|memcpy %p %p %n|memcpy %p %p #i4 #i4|memzero %p %n|memzero %p #i1 #i8|freea %z|eval %i|solidify %k|return %i`

// TestOperands checks the examples of operandsOf, also with one operand replaced by something else each time.
// Then there must be an error or a complete program: nothing is reported about terms with an error, so an
// error that was not reported would be lost.
func TestOperands(t *testing.T) {
	const globals = "%r = recursive > (struct i32 i8);\n%g = recursive (%t : type) > (struct (pointer %t) i8);\n%w = recursive > (union i32 i8);\n%v = recursive (%n : uiptr) > uiptr > (add %n #up1);\n%b = base %D %O > (struct i32);\n" +
		"%c = recursive > (struct (apply %b (apply %c)));\n%rd = recursive (%D : type, %O : member %D i8) > (struct i8);\n%e = define exists (%t : type) > (pointer %t);\n%h = function (%t : type | %p : pointer %t) > i32 { return #i1; };\n"
	const params = "%i : i32, %n : uiptr, %t : type, %p : pointer i32, %ps : pointer (struct i32 i8), %pr : pointer (apply %r), %pt : pointer %t, %s : struct i32 i8, %u : union i32 i8, %a : array i32 #up2, %x : %e, " +
		"%bp : base_ptr %b, %rb : base_ptr %rd, %m : member (struct i32 i8) i8, %q : member_ptr %m, %q2 : member_ptr (struct_m (apply %c) #i0), %d : fp64, %k : constant #i3, %o : pointer i8 (upref (struct i32 i8) #up1 upref_null)"
	tested := map[op.Op]bool{}
	check := func(o op.Op, operands []string) []string {
		text, insts := o.String()+" "+strings.Join(operands, " "), 3
		switch row := op.Table[o]; {
		case row.Class == op.Inst:
			text += "; return #i1"
		case row.Class == op.Value || row.Class == op.Type:
			text = "eval (" + text + "); return #i1"
		default:
			insts = 2
		}
		p, errs := checked(t, globals+"%f = function ("+params+") > i32 { %z = alloca i32; "+text+"; };")
		if len(errs) > 0 {
			return errs
		}
		for _, in := range p.Globals[len(p.Globals)-1].Func.Blocks[0].Insts {
			insts--
			for _, a := range in.Args {
				if a == 0 {
					insts--
				}
			}
		}
		if insts != 0 {
			t.Errorf("%s: there is no error, but something is missing", text)
		}
		return nil
	}
	for _, row := range strings.Split(strings.ReplaceAll(operandsOf, "\n", "|"), "|") {
		words := split(row)
		o, ok := op.Find(words[0])
		if !ok {
			t.Fatal(row)
		}
		tested[o] = true
		for _, w := range words {
			if inner, ok := op.Find(strings.Trim(strings.Fields(w)[0], "(")); ok {
				tested[inner] = true
			}
		}
		if errs := check(o, words[1:]); errs != nil {
			t.Errorf("%s: %s", row, strings.Join(errs, "\n"))
		}
		for i := range words[1:] {
			for _, other := range []string{"%r", "%v", "%b", "type", "upref_type", "upref_null", "i32", "#i1", "%p", "%s", "%h", "(function () > i32)", "(apply %r)", "(apply %v %n)", "(undef upref_type)"} {
				changed := append([]string{}, words[1:]...)
				changed[i] = other
				check(o, changed)
			}
		}
	}
	for o, row := range op.Table {
		if o := op.Op(o); row.Class != op.None && !tested[o] && o != op.TypeType && o != op.UprefType && o != op.Br && o != op.CondBr && o != op.Unreachable {
			t.Errorf("%s has no example", o)
		}
	}
}

// split splits a row at spaces outside of parentheses.
func split(row string) []string {
	var out []string
	depth := 0
	word := ""
	for _, c := range row {
		switch {
		case c == ' ' && depth == 0:
			out, word = append(out, word), ""
			continue
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		word += string(c)
	}
	return append(out, word)
}
