package main

import "fmt"

// A row is an instruction whose work is a statement or two. In the text of a row
//
//	A, B, C    are the plain words that the fields a, b and c of the instruction name
//	rA, rB, rC are root words
//	fB, gB     are B as a float64 and as a float32; fC, gC are C
//	I          is the field imm
//
// and names of package-level functions of package live stand for themselves.
type row struct {
	name, text string
	// cond is the condition of a comparison. It becomes two instructions: one sets A to 0 or
	// 1, one, with a J in front of its name, goes to another instruction.
	cond string
}

var binary = []struct{ name, wide, narrow string }{
	{"Add", "B + C", "uint64(uint32(B) + uint32(C))"},
	{"Sub", "B - C", "uint64(uint32(B) - uint32(C))"},
	{"Mul", "B * C", "uint64(uint32(B) * uint32(C))"},
	{"And", "B & C", ""},
	{"Or", "B | C", ""},
	{"Xor", "B ^ C", ""},
	{"Shl", "B << (C & 63)", "uint64(uint32(B) << (C & 31))"},
	{"LShr", "B >> (C & 63)", "B >> (C & 31)"},
	{"AShr", "uint64(int64(B) >> (C & 63))", "uint64(uint32(int32(B) >> (C & 31)))"},
}

var comparisons = []struct{ name, cond string }{
	{"EQ", "B == C"}, {"NE", "B != C"},
	{"SLT", "int64(B) < int64(C)"}, {"SLE", "int64(B) <= int64(C)"},
	{"SGT", "int64(B) > int64(C)"}, {"SGE", "int64(B) >= int64(C)"},
	{"ULT", "B < C"}, {"ULE", "B <= C"}, {"UGT", "B > C"}, {"UGE", "B >= C"},
	{"SLT32", "int32(B) < int32(C)"}, {"SLE32", "int32(B) <= int32(C)"},
	{"SGT32", "int32(B) > int32(C)"}, {"SGE32", "int32(B) >= int32(C)"},
}

// Of floating-point numbers a comparison that fails is not one that succeeds the other way
// round, so each has a negation of its own.
var floats = []struct{ name, cond string }{
	{"FEQ", "fB == fC"}, {"FNE", "fB != fC"}, {"FLT", "fB < fC"}, {"FLE", "fB <= fC"},
	{"NFLT", "!(fB < fC)"}, {"NFLE", "!(fB <= fC)"},
	{"GEQ", "gB == gC"}, {"GNE", "gB != gC"}, {"GLT", "gB < gC"}, {"GLE", "gB <= gC"},
	{"NGLT", "!(gB < gC)"}, {"NGLE", "!(gB <= gC)"},
}

var roots = []struct{ name, cond string }{
	{"EQR", "rB == rC"}, {"NER", "rB != rC"}, {"Null", "rB == 0"}, {"NotNull", "rB != 0"}, {"Low", "rB < core.NullZone"},
}

var fixed = []row{
	{name: "Mov", text: "A = B"},
	{name: "MovR", text: "rA = rB"},
	{name: "Imm", text: "A = I"},
	{name: "ImmR", text: "rA = uintptr(I)"},
	{name: "RootToPlain", text: "A = uint64(rB)"},
	{name: "PlainToRoot", text: "rA = uintptr(B)"},
	{name: "SExt8", text: "A = uint64(int8(B))"},
	{name: "SExt16", text: "A = uint64(int16(B))"},
	{name: "SExt32", text: "A = uint64(int32(B))"},
	{name: "SExt", text: "A = uint64(int64(B<<I) >> I)"},
	{name: "FAdd", text: "A = math.Float64bits(fB + fC)"},
	{name: "FSub", text: "A = math.Float64bits(fB - fC)"},
	// The conversions keep Go's compiler from making one instruction, which rounds once, of a product and a sum in a pair.
	{name: "FMul", text: "A = math.Float64bits(float64(fB * fC))"},
	{name: "FDiv", text: "A = math.Float64bits(fB / fC)"},
	{name: "GAdd", text: "A = uint64(math.Float32bits(gB + gC))"},
	{name: "GSub", text: "A = uint64(math.Float32bits(gB - gC))"},
	{name: "GMul", text: "A = uint64(math.Float32bits(float32(gB * gC)))"},
	{name: "GDiv", text: "A = uint64(math.Float32bits(gB / gC))"},
	{name: "FromS64", text: "A = math.Float64bits(float64(int64(B)))"},
	{name: "Sqrt", text: "A = math.Float64bits(math.Sqrt(fB))"},
	{name: "Select", text: "if *(*uint64)(unsafe.Add(fp, uintptr(uint16(I))*8)) != 0 {\nA = B\n} else {\nA = C\n}"},
	{name: "SelectR", text: "if *(*uint64)(unsafe.Add(fp, uintptr(uint16(I))*8)) != 0 {\nrA = rB\n} else {\nrA = rC\n}"},
	// Addresses: the constant part is in the low half of imm and the stride in the high half,
	// both signed.
	{name: "Lea", text: "rA = rB + uintptr(I)"},
	{name: "LeaX", text: "rA = rB + uintptr(int32(I)) + uintptr(C)*uintptr(int32(I>>32))"},
	// Quotients, where the divisor is known not to be 0.
	{name: "UDivI", text: "A = B / I"},
	{name: "URemI", text: "A = B % I"},
	{name: "SDivI", text: "A = uint64(int64(B) / int64(I))"},
	{name: "SRemI", text: "A = uint64(int64(B) % int64(I))"},
	{name: "SDivI32", text: "A = uint64(uint32(int32(B) / int32(I)))"},
	{name: "SRemI32", text: "A = uint64(uint32(int32(B) % int32(I)))"},
	// Others: an operand of 0 is seen by who comes before.
	{name: "UDiv", text: "A = B / C"},
	{name: "URem", text: "A = B % C"},
	{name: "SDiv", text: "A = uint64(int64(B) / int64(C))"},
	{name: "SRem", text: "A = uint64(int64(B) % int64(C))"},
	{name: "SDiv32", text: "A = uint64(uint32(int32(B) / int32(C)))"},
	{name: "SRem32", text: "A = uint64(uint32(int32(B) % int32(C)))"},
}

// accesses are loads and stores by width. An address of NULL is a fault.
var accesses = []struct{ name, t string }{
	{"8", "uint8"}, {"16", "uint16"}, {"32", "uint32"}, {"64", "uint64"}, {"R", "uintptr"},
}

// rows is the whole table.
func rows() []row {
	var l []row
	for _, b := range binary {
		for _, f := range []struct{ suffix, text string }{{"", b.wide}, {"32", b.narrow}} {
			if f.text == "" {
				continue
			}
			l = append(l, row{name: b.name + f.suffix, text: "A = " + f.text},
				row{name: b.name + "I" + f.suffix, text: "A = " + immediate(f.text)})
		}
	}
	for _, c := range comparisons {
		l = append(l, row{name: c.name, cond: c.cond}, row{name: c.name + "I", cond: immediate(c.cond)})
	}
	for _, c := range floats {
		l = append(l, row{name: c.name, cond: c.cond})
	}
	for _, c := range roots {
		l = append(l, row{name: c.name, cond: c.cond})
	}
	l = append(l, row{name: "True", cond: "B != 0"}, row{name: "False", cond: "B == 0"})
	l = append(l, fixed...)
	for _, a := range accesses {
		value := "A"
		if a.name == "R" {
			value = "rA"
		}
		for _, m := range []struct{ suffix, at string }{{"", "rB + uintptr(I)"}, {"X", "rB + uintptr(int32(I)) + uintptr(C)*uintptr(int32(I>>32))"}, {"G", "uintptr(I)"}} {
			get := fmt.Sprintf("%s = uint64(*(*%s)(unsafe.Add(nil, p)))", value, a.t)
			put := fmt.Sprintf("*(*%s)(unsafe.Add(nil, p)) = %s(%s)", a.t, a.t, value)
			if a.name == "R" {
				get = "rA = *(*uintptr)(unsafe.Add(nil, p))"
			}
			begin := fmt.Sprintf("p := %s\n", m.at)
			if m.suffix != "G" { // the address of a cell is never NULL
				begin += "if p < core.NullZone {\nreturn fp, unsafe.Pointer(in)\n}\n"
			}
			l = append(l, row{name: "Load" + a.name + m.suffix, text: begin + get}, row{name: "Store" + a.name + m.suffix, text: begin + put})
		}
	}
	return l
}
