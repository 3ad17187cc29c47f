// Package player makes programs run through the C interface: a client of libmu, in C, which builds the bundle in a file with the
// functions of an IR builder, and such files of programs in Mu IR. What traps show comes out as the default trap handler prints it; the
// client finds it out with the functions of the API. The package does not compile the client and does not run it: package oracle
// does.
//
//	client/player.c  the client
//	client/later.c, client/earlier.c  its part with calls of a builder, which are made from the table of the API
//	player.go        the text of the client, and what its output means
//	file.go          what is in a file
//	write.go         its form
//
// A file is numbers in decimal, and texts, which have their length before them, with a space after each:
//
//	N                               the number of IDs
//	name...                         (later builder) for each the name that gen_sym is called with, mostly an empty one
//	N (slot result? argument...)... the calls: the slot of the function; (builder of 2016) the ID of the node that it returns, if
//	                                it does; the arguments, of which a list is its length and its elements
//	N ID...                         (builder of 2016) the IDs that are asked for
//	N (ID name results N (name type)...)...
//	                                the traps: the name that those show which have none, the variables, whose types are letters
//
// An ID is the place of its name, from 65536 on; those below are predefined. Calls of the builder of 2016 have IDs instead of nodes.
package player

import (
	"embed"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/muapi"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

//go:embed client
var parts embed.FS

// A Builder is an IR builder of the C interface.
type Builder int

// The builders.
const (
	None    Builder = iota
	Later           // MuIRBuilder. Of the two generations that have it the client uses the one with a function that waits for threads
	Earlier         // of 2016, functions of MuCtx
)

// Generation is the generation of the API that the client uses.
func (b Builder) Generation() muapi.Generation {
	if b == Earlier {
		return muapi.Refimpl2
	}
	return muapi.RMU
}

// Failed is the exit status of the client when a function of the API has failed.
const Failed = 9

// functions are the functions of the builder that make calls of a file.
func (b Builder) functions(api *muapi.API) []muapi.Func {
	if b == Later {
		return api.Members(muapi.RMU, "MuIRBuilder")[nodes.Slot-1:]
	}
	list := api.Members(muapi.Refimpl2, "MuCtx")
	return list[slices.IndexFunc(list, func(f muapi.Func) bool { return f.Name == "set_name" }):]
}

// Source is the client for a builder.
func Source(b Builder) (string, error) {
	api, err := muapi.Read()
	if err != nil {
		return "", err
	}
	w := &caseWriter{api: api, builder: b}
	for _, f := range b.functions(api) {
		if err := w.function(f); err != nil {
			return "", fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	name := "client/later.c"
	if b == Earlier {
		name = "client/earlier.c"
	}
	client, err := parts.ReadFile("client/player.c")
	if err != nil {
		return "", err
	}
	part, err := parts.ReadFile(name)
	if err != nil {
		return "", err
	}
	build := strings.Replace(string(part), "//CALLS\n", w.String(), 1)
	return strings.Replace(string(client), "//BUILD\n", build, 1), nil
}

// A caseWriter writes the switch over the functions of a builder.
type caseWriter struct {
	strings.Builder
	api     *muapi.API
	builder Builder
}

// function writes the part of the switch that reads the arguments of a function, in their order, and calls it.
func (w *caseWriter) function(f muapi.Func) error {
	lengths := map[string]bool{}
	for _, p := range f.Params {
		lengths[p.Count] = true
	}
	fmt.Fprintf(w, "\tcase %d: {\n", f.Slot[w.builder.Generation()])
	result, self := "", f.Params[0].Name
	if f.Result != "void" {
		w.WriteString("\t\tuint64_t result = read_number();\n")
		result = "nodes[result - FIRST] = "
	}
	args, counted := []string{self}, map[string]bool{}
	for _, p := range f.Params[1:] {
		args = append(args, p.Name)
		if lengths[p.Name] || p.Type == "MuBundleNode" {
			continue // read with the list; the one that is made
		}
		read, err := w.reader(p)
		if err != nil {
			return err
		}
		switch {
		case p.Count == "":
			fmt.Fprintf(w, "\t\t%s %s = read_%s);\n", p.Type, p.Name, read)
		case !counted[p.Count]:
			counted[p.Count] = true
			fmt.Fprintf(w, "\t\tMuArraySize %s;\n\t\t%s%s = read_%s&%s);\n", p.Count, p.Type, p.Name, read, p.Count)
		default:
			fmt.Fprintf(w, "\t\tMuArraySize n_%s;\n\t\t%s%s = read_%s&n_%[1]s);\n\t\tsame(%[5]s, n_%[1]s);\n", p.Name, p.Type, p.Name, read, p.Count)
		}
	}
	fmt.Fprintf(w, "\t\t%s%s->%s(%s);\n\t\tbreak;\n\t}\n", result, self, f.Name, strings.Join(args, ", "))
	return nil
}

// reader is the call of the client's function that reads an argument, without its end.
func (w *caseWriter) reader(p muapi.Param) (string, error) {
	is := func(ty string) bool {
		return w.api.Derives(w.builder.Generation(), strings.TrimSuffix(p.Type, "*"), ty)
	}
	list := p.Count != ""
	switch {
	case is("MuIRNode") && list:
		return "nodes(ctx, b, ", nil
	case is("MuIRNode"):
		return "node(ctx, b", nil
	case is("MuID") && list:
		return "ids(", nil
	case is("MuID"):
		return "id(", nil
	case is("MuFlag") && list:
		return "flags(", nil
	case is("uint64_t") && list:
		return "words(", nil
	case list:
	case p.Type == "MuCString", p.Type == "MuName":
		return "text(", nil
	case is("float"):
		return "bits32(", nil
	case is("double"):
		return "bits64(", nil
	case is("int"), is("uint32_t"), is("uint64_t"):
		return "number(", nil
	}
	return "", fmt.Errorf("no function reads the parameter %s of type %s", p.Name, p.Type)
}

// bitsMark is a number that the client leaves to Render.
var bitsMark = regexp.MustCompile("\x01([fd])([0-9a-f]+)\x02")

// Render completes the output of the client: the bits of a float become the shortest decimal that reads back.
func Render(out string) string {
	return bitsMark.ReplaceAllStringFunc(out, func(s string) string {
		n, _ := strconv.ParseUint(s[2:len(s)-1], 16, 64)
		if s[1] == 'f' {
			return strconv.FormatFloat(float64(math.Float32frombits(uint32(n))), 'g', -1, 32)
		}
		return strconv.FormatFloat(math.Float64frombits(n), 'g', -1, 64)
	})
}

// reported is the line about an error of the program: its code, or that it is an exception.
var reported = regexp.MustCompile(`(?m)^(?:libmu: execute|player): (E_\w+|uncaught exception).*\n`)

// Failure is the code of the error that ended the client's program, or "uncaught exception"; "" if it ended otherwise. stderr is what
// it wrote on standard error. The number of the thread is left out: calls of the client count as threads, too.
func Failure(stderr string) string {
	m := reported.FindStringSubmatch(stderr)
	if m == nil {
		return ""
	}
	return m[1]
}
