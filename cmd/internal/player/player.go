// Package player makes programs run through the C interface: a client of libmu, in C, which builds the bundle in a file with the
// functions of MuIRBuilder, and such files of programs in Mu IR. What traps show comes out as the default trap handler prints it; the
// client finds it out with the functions of the API. The package does not compile the client and does not run it: package oracle
// does.
//
//	client/player.c  the client; its calls of the builder are made from the table of the API
//	player.go        the text of the client, and what its output means
//	file.go          the files
//
// A file is numbers in decimal, and texts, which have their length before them, with a space after each:
//
//	N name...                       the names that gen_sym is called with, of which most are empty
//	N (slot argument...)...         the calls: the slot of the function, its arguments; a list is its length and its elements
//	N (ID name results N (name type)...)...
//	                                the traps: the name that those show which have none, the variables, whose types are letters
//
// An ID is the place of its name, from 65536 on; those below are predefined.
package player

import (
	_ "embed"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/muapi"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

//go:embed client/player.c
var client string

// Generation is the generation of the API that the client uses. The next one has the same builder, but no function that waits for
// threads.
const Generation = muapi.RMU

// Failed is the exit status of the client when a function of the API has failed.
const Failed = 9

// Source is the client.
func Source() (string, error) {
	api, err := muapi.Read()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, f := range api.Members(Generation, "MuIRBuilder")[nodes.Slot-1:] {
		if err := writeCase(&b, api, f); err != nil {
			return "", err
		}
	}
	return strings.Replace(client, "//CALLS\n", b.String(), 1), nil
}

// writeCase writes the part of the switch that reads the arguments of a function, in their order, and calls it.
func writeCase(b *strings.Builder, api *muapi.API, f muapi.Func) error {
	lengths := map[string]bool{}
	for _, p := range f.Params {
		lengths[p.Count] = true
	}
	fmt.Fprintf(b, "\tcase %d: {\n", f.Slot[Generation])
	args, counted := []string{"b"}, map[string]bool{}
	for _, p := range f.Params[1:] {
		args = append(args, p.Name)
		if lengths[p.Name] {
			continue // read with the list
		}
		read, err := reader(api, p)
		if err != nil {
			return fmt.Errorf("%s: %v", f.Name, err)
		}
		switch {
		case p.Count == "":
			fmt.Fprintf(b, "\t\t%s %s = read_%s();\n", p.Type, p.Name, read)
		case !counted[p.Count]:
			counted[p.Count] = true
			fmt.Fprintf(b, "\t\tMuArraySize %s;\n\t\t%s%s = read_%s(&%s);\n", p.Count, p.Type, p.Name, read, p.Count)
		default:
			fmt.Fprintf(b, "\t\tMuArraySize n_%s;\n\t\t%s%s = read_%s(&n_%[1]s);\n\t\tsame(%[5]s, n_%[1]s);\n", p.Name, p.Type, p.Name, read, p.Count)
		}
	}
	fmt.Fprintf(b, "\t\tb->%s(%s);\n\t\tbreak;\n\t}\n", f.Name, strings.Join(args, ", "))
	return nil
}

// reader is the function of the client that reads an argument.
func reader(api *muapi.API, p muapi.Param) (string, error) {
	is := func(ty string) bool { return api.Derives(Generation, strings.TrimSuffix(p.Type, "*"), ty) }
	list := p.Count != ""
	switch {
	case is("MuID") && list:
		return "ids", nil
	case is("MuID"):
		return "id", nil
	case is("MuFlag") && list:
		return "flags", nil
	case is("uint64_t") && list:
		return "words", nil
	case list:
	case is("MuCString"):
		return "text", nil
	case is("float"):
		return "bits32", nil
	case is("double"):
		return "bits64", nil
	case is("int"), is("uint32_t"), is("uint64_t"):
		return "number", nil
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
