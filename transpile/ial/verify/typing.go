package verify

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// A typing is the shape of an operation (see shape.go) and the rule that prescribes it. More
// checks the conditions that a shape cannot express, if the shape fits.
type typing struct {
	rule  Rule
	shape string
	more  func(c *checker, in *module.Instr)
	alts  []alternative
}

// typings has the typing of each operation whose registers do not depend on the function
// that it is in or the instructions around it.
var typings = [module.NumOps]typing{
	module.JumpCond: {rule: 9, shape: "= u"},
	module.EHThrow:  {rule: 17, shape: "= r"},
	module.EHCatch:  {rule: 17, shape: "r ="},

	module.LoadI8:     {rule: 28, shape: "k ="},
	module.LoadUi8:    {rule: 28, shape: "k ="},
	module.LoadI16:    {rule: 28, shape: "k ="},
	module.LoadUi16:   {rule: 28, shape: "k ="},
	module.LoadI32:    {rule: 28, shape: "k ="},
	module.LoadUi32:   {rule: 28, shape: "k ="},
	module.LoadI64:    {rule: 28, shape: "k ="},
	module.LoadUi64:   {rule: 28, shape: "k ="},
	module.LoadF32:    {rule: 28, shape: "k ="},
	module.LoadF64:    {rule: 28, shape: "k ="},
	module.LoadSize:   {rule: 28, shape: "u ="},
	module.LoadAlign:  {rule: 28, shape: "u ="},
	module.LoadOffset: {rule: 28, shape: "u ="},
	module.LoadI8a:    {rule: 29, shape: "l ="},
	module.LoadUi8a:   {rule: 29, shape: "l ="},
	module.LoadI16a:   {rule: 29, shape: "l ="},
	module.LoadUi16a:  {rule: 29, shape: "l ="},
	module.LoadI32a:   {rule: 29, shape: "l ="},
	module.LoadUi32a:  {rule: 29, shape: "l ="},
	module.LoadI64a:   {rule: 29, shape: "l ="},
	module.LoadUi64a:  {rule: 29, shape: "l ="},
	module.LoadF32a:   {rule: 29, shape: "l ="},
	module.LoadF64a:   {rule: 29, shape: "l ="},
	module.LoadNull:   {rule: 30, shape: "z ="},
	module.LoadFunc:   {rule: 31, shape: "c ="},
	module.LoadData:   {rule: 32, shape: "d ="},

	module.Copy:    {rule: 33, shape: "T = T"},
	module.AriAdd:  {rule: 34, shape: "N = N N | P = P u"},
	module.AriSub:  {rule: 34, shape: "N = N N | P = P u"},
	module.AriMul:  {rule: 34, shape: "N = N N"},
	module.AriDiv:  {rule: 34, shape: "N = N N"},
	module.AriRem:  {rule: 34, shape: "N = N N"},
	module.AriNeg:  {rule: 34, shape: "N = N"},
	module.Not:     {rule: 34, shape: "N = N"},
	module.BitAnd:  {rule: 35, shape: "I = I I"},
	module.BitOr:   {rule: 35, shape: "I = I I"},
	module.BitXor:  {rule: 35, shape: "I = I I"},
	module.BitNeg:  {rule: 35, shape: "I = I"},
	module.Shl:     {rule: 36, shape: "I = I u"},
	module.Shr:     {rule: 36, shape: "I = I u"},
	module.Rol:     {rule: 36, shape: "I = I u"},
	module.Ror:     {rule: 36, shape: "I = I u"},
	module.CmpEq:   {rule: 37, shape: "u = N N | u = P P | u = F F"},
	module.CmpNeq:  {rule: 37, shape: "u = N N | u = P P | u = F F"},
	module.CmpGt:   {rule: 37, shape: "u = N N | u = P P"},
	module.CmpLt:   {rule: 37, shape: "u = N N | u = P P"},
	module.CmpGteq: {rule: 37, shape: "u = N N | u = P P"},
	module.CmpLteq: {rule: 37, shape: "u = N N | u = P P"},
	module.Conv:    {rule: 38, shape: "T = U", more: (*checker).conv},

	module.MemAlloc:  {rule: 39, shape: "a = u"},
	module.MemNew:    {rule: 39, shape: "n ="},
	module.MemFree:   {rule: 39, shape: "= y"},
	module.MemSalloc: {rule: 39, shape: "p = u"},
	module.MemSnew:   {rule: 39, shape: "p ="},
	module.MemPin:    {rule: 40, shape: "u = m"},
	module.MemUnpin:  {rule: 40, shape: "= u"},
	module.MemGet:    {rule: 41, shape: "T = *T"},
	module.MemSet:    {rule: 41, shape: "= *T T"},
	module.MemAddr:   {rule: 41, shape: "*T = T"},

	module.ArrayGet:  {rule: 42, shape: "T = [T] u"},
	module.ArraySet:  {rule: 42, shape: "= [T] u T"},
	module.ArrayAddr: {rule: 42, shape: "*T = [T] u"},
	module.ArrayLen:  {rule: 42, shape: "u = [T]"},

	module.ArrayAriAdd:  {rule: 43, shape: "= [N] [N] N~ | = [P] [P] u~"},
	module.ArrayAriSub:  {rule: 43, shape: "= [N] [N] N~ | = [P] [P] u~"},
	module.ArrayAriMul:  {rule: 43, shape: "= [N] [N] N~"},
	module.ArrayAriDiv:  {rule: 43, shape: "= [N] [N] N~"},
	module.ArrayAriRem:  {rule: 43, shape: "= [N] [N] N~"},
	module.ArrayAriNeg:  {rule: 43, shape: "= [N] [N]"},
	module.ArrayNot:     {rule: 43, shape: "= [N] [N]"},
	module.ArrayBitAnd:  {rule: 43, shape: "= [I] [I] I~"},
	module.ArrayBitOr:   {rule: 43, shape: "= [I] [I] I~"},
	module.ArrayBitXor:  {rule: 43, shape: "= [I] [I] I~"},
	module.ArrayBitNeg:  {rule: 43, shape: "= [I] [I]"},
	module.ArrayShl:     {rule: 43, shape: "= [I] [I] u~"},
	module.ArrayShr:     {rule: 43, shape: "= [I] [I] u~"},
	module.ArrayRol:     {rule: 43, shape: "= [I] [I] u~"},
	module.ArrayRor:     {rule: 43, shape: "= [I] [I] u~"},
	module.ArrayCmpEq:   {rule: 44, shape: "= [u] [N] N~ | = [u] [P] P~ | = [u] [F] F~"},
	module.ArrayCmpNeq:  {rule: 44, shape: "= [u] [N] N~ | = [u] [P] P~ | = [u] [F] F~"},
	module.ArrayCmpGt:   {rule: 44, shape: "= [u] [N] N~ | = [u] [P] P~"},
	module.ArrayCmpLt:   {rule: 44, shape: "= [u] [N] N~ | = [u] [P] P~"},
	module.ArrayCmpGteq: {rule: 44, shape: "= [u] [N] N~ | = [u] [P] P~"},
	module.ArrayCmpLteq: {rule: 44, shape: "= [u] [N] N~ | = [u] [P] P~"},
	module.ArrayConv:    {rule: 45, shape: "= [T] [U]", more: (*checker).convElements},

	module.FieldGet:        {rule: 46, shape: "f = b"},
	module.FieldSet:        {rule: 46, shape: "= b f"},
	module.FieldAddr:       {rule: 46, shape: "*f = b"},
	module.FieldUserGet:    {rule: 46, shape: "m = m"},
	module.FieldUserSet:    {rule: 46, shape: "= m m"},
	module.FieldUserAddr:   {rule: 46, shape: "*m = m"},
	module.FieldStaticGet:  {rule: 46, shape: "f ="},
	module.FieldStaticAddr: {rule: 46, shape: "*f ="},
	module.FieldStaticSet:  {rule: 46, shape: "= f"},
	module.FieldGlobalGet:  {rule: 46, shape: "f ="},
	module.FieldGlobalAddr: {rule: 46, shape: "*f ="},
	module.FieldGlobalSet:  {rule: 46, shape: "= f"},
	module.FieldThreadGet:  {rule: 46, shape: "f ="},
	module.FieldThreadAddr: {rule: 46, shape: "*f ="},
	module.FieldThreadSet:  {rule: 46, shape: "= f"},

	module.Tramp: {rule: 48, shape: "g = g", more: (*checker).tramp},
}

func init() {
	for i := range typings {
		if y := &typings[i]; y.shape != "" {
			y.alts = parse(y.shape)
		}
	}
}

// typing applies the rules V9, V17 and V28 to V48, except their conditions on the
// instructions around.
func (c *checker) typing(in *module.Instr) {
	y := &typings[in.Op]
	if len(y.alts) == 0 || !c.storage(in) {
		return
	}
	if c.fit(y.rule, in, y.alts) && y.more != nil {
		y.more(c, in)
	}
}

// storage is V47: operations on the fields of values need an instance member, those on
// static fields a static or thread member.
func (c *checker) storage(in *module.Instr) bool {
	if in.Row().Operand != module.OperandMember {
		return true
	}
	instance := in.Field.Storage == module.Instance
	static := in.Op == module.FieldStaticGet || in.Op == module.FieldStaticAddr || in.Op == module.FieldStaticSet
	if instance != static {
		return true
	}
	name, pos := module.Quote(in.Field.Name), in.OperandPos[0]
	switch {
	case instance:
		c.fault(47, pos, "%s is an instance member, want a static or thread member", name).Also(in.Field.Pos, "declared")
	case in.Op == module.LoadOffset:
		c.fault(47, pos, "%s is a %s member and has no offset", name, storageName(in.Field)).Also(in.Field.Pos, "declared")
	default:
		c.fault(47, pos, "%s is a %s member, want an instance member; use field.static.*", name, storageName(in.Field)).Also(in.Field.Pos, "declared")
	}
	return false
}

// storageName is the keyword of a member that is not an instance member.
func storageName(f *module.Field) string {
	if f.Storage == module.Thread {
		return "thread"
	}
	return "static"
}

// Convertible reports whether conv can convert from one type to another (docs/ial.md, "Types").
func Convertible(from, to *module.Type) bool {
	word := func(t *module.Type) bool { return t.Kind == module.Int || t.Kind == module.Uint }
	address := func(t *module.Type) bool { return isPointer(t) || isFunc(t) }
	switch {
	case from.IsPrimitive() && to.IsPrimitive(), from.IsManaged() && to.IsManaged(), address(from) && address(to):
		return true
	}
	return isPointer(from) && word(to) || word(from) && isPointer(to)
}

func (c *checker) conv(in *module.Instr) { // V38
	c.convertible(38, in.SrcPos[0], "%s does not convert to %s%s", in.Src[0].Type, in.Target.Type)
}

func (c *checker) convElements(in *module.Instr) { // V45
	c.convertible(45, in.SrcPos[0], "elements of type %s do not convert to %s%s", in.Src[0].Type.Elem, in.Src[1].Type.Elem)
}

// convertible reports a conversion that does not exist. format has verbs for both types and
// the advice.
func (c *checker) convertible(r Rule, pos diag.Pos, format string, from, to *module.Type) {
	if Convertible(from, to) {
		return
	}
	a, b := from, to // in either direction
	if b.Kind == module.Pointer || b.Kind == module.FuncType {
		a, b = b, a
	}
	advice := ""
	switch {
	case isPointer(a) && b.IsInt():
		advice = "; pointers convert to int and uint only, and back"
	case isFunc(a) && b.IsInt():
		advice = "; convert by way of a pointer"
	case isPointer(a) && b.IsManaged():
		advice = "; there are no conversions between references and pointers: array.addr, field.addr and mem.addr give addresses"
	}
	c.fault(r, pos, format, c.spell(from), c.spell(to), advice)
}

// tramp is the rest of V48.
func (c *checker) tramp(in *module.Instr) {
	from, to := in.Src[0].Type, in.Target.Type
	if to.Conv == module.Standard {
		c.fault(48, in.TargetPos, "%s is %s, want a cdecl or stdcall function pointer", reg(in.Target), c.spell(to))
		return
	}
	if same := c.types.Func(from.Elem, from.Params, to.Conv); same != to {
		c.fault(48, in.TargetPos, "%s is %s, want %s, which has result and parameters of %s", reg(in.Target), c.spell(to), c.spell(same), reg(in.Src[0]))
	}
}

// advice says what to write instead of a register of a wrong type, where that helps.
func (c *checker) advice(in *module.Instr, got *module.Type, w *want) string {
	uint := c.types.Basic(module.Uint)
	row := in.Row()
	switch {
	case row.Operand == module.OperandLiteral && (got == uint || got.Kind == module.Int):
		return "; load an int64 or uint64 and conv it"
	case got.IsPrimitive() && w.typ == uint && w.index < len(in.Src):
		return "; conv it first"
	case got.IsManaged() && typings[in.Op].rule == 37:
		return "; references cannot be compared: for null, take mem.addr of the register, conv that to uint* and look with mem.get"
	case got.Kind == module.Static && (in.Op == module.MemPin || in.Op == module.MemFree):
		return "; a static array is a value"
	}
	return ""
}
