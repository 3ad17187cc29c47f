package main

import (
	"bytes"
	"fmt"
	"log"
	"strings"
)

// builder writes the methods of the builder that follow from the shape alone.
//
// Type arguments are taken from the operands where possible: for T and U from the
// type of the operand, for L, i and r from its referent. Type arguments that no
// operand shows become parameters. So do fields, which come after the first operand,
// and a memory order.
func builder(b *bytes.Buffer, ops []*op) {
	b.WriteString("package ir\n")
	for _, o := range ops {
		if o.build != "" {
			method(b, o)
		}
	}
}

// method writes the method that adds an operation.
func method(b *bytes.Buffer, o *op) {
	name, list, ok := strings.Cut(strings.TrimSuffix(o.build, ")"), "(")
	letters, fixed := o.operands()
	var args []string
	if list != "" {
		args = strings.Split(list, ", ")
	}
	if !ok || !fixed || len(args) != len(letters) || len(o.res) > 1 {
		log.Fatalf("%s: the builder has no method %s", o.name, o.build)
	}
	var params []string // each with its type
	fields := []string{"Op: Op" + o.name}
	if o.has("ptr") {
		fields = append(fields, fmt.Sprintf("Flags: f.ptr(%s)", args[0]))
	}
	typeOf := func(field, arg, same, elem string) string {
		for i, c := range letters {
			switch {
			case strings.ContainsRune(same, c):
				return fmt.Sprintf("f.TypeOf(%s)", args[i])
			case strings.ContainsRune(elem, c):
				return fmt.Sprintf("f.elem(%s)", args[i])
			}
		}
		params = append(params, arg+" TypeID")
		return arg
	}
	ty := ""
	if o.ty != "ArgNone" {
		ty = typeOf("Ty", "t", "T", "Lir")
		fields = append(fields, "Ty: "+ty)
	}
	if o.ty2 != "ArgNone" {
		fields = append(fields, "Ty2: "+typeOf("Ty2", "to", "U", ""))
	}
	if o.sig {
		for i, c := range letters {
			if c == 'F' {
				fields = append(fields, fmt.Sprintf("Sig: f.elem(%s)", args[i]))
			}
		}
	}
	for i, a := range args {
		if i == 0 && o.imm == "ImmField" {
			params = append(params, a+" ValueID", "field int")
			continue
		}
		params = append(params, a+" ValueID")
	}
	if o.orders != "" {
		params = append(params, "ord Order")
		fields = append(fields, "Ord: ord")
	}
	if len(args) > 0 {
		fields = append(fields, fmt.Sprintf("Args: []ValueID{%s}", strings.Join(args, ", ")))
	}
	result, call := "ValueID", "return f.one("
	if o.res == "" {
		result, call = "", "f.Inst("
	}
	inst := "Inst{" + strings.Join(fields, ", ") + "}"
	if o.imm == "ImmField" {
		call = strings.Replace(call, "f.one(", "f.field(", 1)
		inst += ", field"
	}
	fmt.Fprintf(b, "\n// %s adds %s: %s.\n", name, o.mnemonic(), o.doc)
	fmt.Fprintf(b, "func (f *BodyBuilder) %s(%s) %s {\n\t%s%s)\n}\n", name, groupParams(params), result, call, inst)
}

// groupParams spells parameters, types of equal neighbours once.
func groupParams(params []string) string {
	var out []string
	for i, p := range params {
		name, typ, _ := strings.Cut(p, " ")
		if i+1 < len(params) && strings.HasSuffix(params[i+1], " "+typ) {
			p = name
		}
		out = append(out, p)
	}
	return strings.Join(out, ", ")
}
