package muapi

import (
	"fmt"
	"strings"
)

// Header returns muapi.h of a generation.
func (api *API) Header(g Generation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// The C API of Mu, generation %v. Made from the table of uvm2go; do not edit.\n", g)
	b.WriteString("#ifndef __MUAPI_H__\n#define __MUAPI_H__\n\n#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n")
	for _, s := range api.Structs(g) {
		fmt.Fprintf(&b, "typedef struct %s %s;\n", s, s)
	}
	b.WriteByte('\n')
	api.typedefs(&b, g)
	b.WriteByte('\n')
	for _, c := range api.Callbacks {
		fmt.Fprintf(&b, "typedef %s (*%s)(%s);\n", c.Result, c.Name, paramList(c.Params))
	}
	of := ""
	for _, f := range api.Flags {
		if f.Value[g] == "" {
			continue
		}
		if f.Type != of {
			of = f.Type
			fmt.Fprintf(&b, "\n// %s\n", of)
		}
		fmt.Fprintf(&b, "#define %s ((%s)%s)", f.Name, f.Type, f.Value[g])
		if f.Inst != "" {
			fmt.Fprintf(&b, " // %s", f.Inst)
		}
		b.WriteByte('\n')
	}
	for _, s := range api.Structs(g) {
		fmt.Fprintf(&b, "\nstruct %s {\n\tvoid *header; // of the implementation\n\n", s)
		for _, f := range api.Members(g, s) {
			fmt.Fprintf(&b, "\t%s (*%s)(%s);\n", cType(f.Result), f.Name, paramList(f.Params))
		}
		b.WriteString("};\n")
	}
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String()
}

// typedefs writes the types, each after the one that defines it.
func (api *API) typedefs(b *strings.Builder, g Generation) {
	written := map[string]bool{}
	mine := map[string]bool{}
	for _, t := range api.Types {
		mine[t.Name] = t.Def[g] != ""
	}
	var write func(t Type)
	write = func(t Type) {
		if t.Def[g] == "" || written[t.Name] {
			return
		}
		written[t.Name] = true
		if mine[t.Def[g]] {
			for _, d := range api.Types {
				if d.Name == t.Def[g] {
					write(d)
				}
			}
		}
		fmt.Fprintf(b, "typedef %s%s;", spaced(t.Def[g]), t.Name)
		if t.Meaning != "" {
			fmt.Fprintf(b, " // %s", t.Meaning)
		}
		b.WriteByte('\n')
	}
	for _, t := range api.Types {
		write(t)
	}
}

// Start returns the header with the functions that make a VM: refimpl2-start.h or mu-fastimpl.h.
func (api *API) Start(g Generation) string {
	guard := "__REFIMPL2_START_H__"
	if g == Zebu {
		guard = "__MU_FASTIMPL_H__"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// The functions that make a VM, generation %v. Made from the table of uvm2go; do not edit.\n", g)
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#include \"muapi.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", guard, guard)
	for _, f := range api.Exports {
		if f.Slot[g] != 0 {
			fmt.Fprintf(&b, "%s%s(%s);\n", spaced(f.Result), f.Name, paramList(f.Params))
		}
	}
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String()
}

// paramList is a parameter list of C.
func paramList(params []Param) string {
	if len(params) == 0 {
		return "void"
	}
	var list []string
	for _, p := range params {
		list = append(list, spaced(p.Type)+p.Name)
	}
	return strings.Join(list, ", ")
}

// cType is a type as it stands before a space.
func cType(ty string) string { return strings.TrimSuffix(spaced(ty), " ") }

// spaced is a type as it stands before a name: "char *", "int ".
func spaced(ty string) string {
	base := strings.TrimRight(ty, "*")
	return base + " " + ty[len(base):]
}
