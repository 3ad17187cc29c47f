package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/muapi"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// notGarbage are functions that garbageClient does not call: they end the context, take long, or wait.
var notGarbage = []string{"close_context", "make_boot_image", "compile_to_sharedlib", "execute", "set_trap_handler", "get_mu_error_ptr", "current_thread_as_mu_thread"}

// elsewhere are functions whose results may lead out of objects: stores there are the client's fault.
var elsewhere = []string{"shift_iref", "get_var_part_iref", "refcast"}

// garbageClient is a client that calls every function of a generation with random arguments of the right types in C: handles of all
// kinds, also of another VM, deleted ones and none, IDs, numbers, texts.
func garbageClient(api *muapi.API, g muapi.Generation, seed, calls int) string {
	var cases []string
	add := func(f muapi.Func, on, before string) {
		args := []string{on}
		prefix, counts := before, map[string]string{}
		for _, p := range f.Params[1:] {
			ty := strings.TrimSuffix(p.Type, "*")
			switch base := api.Base(g, p.Type); {
			case p.Out:
				prefix += fmt.Sprintf("static uint64_t %s[8]; ", p.Name)
				args = append(args, "(void *)"+p.Name)
			case p.Count != "" && api.Base(g, ty) == "char":
				prefix += fmt.Sprintf("char *%s = text(); ", p.Name)
				counts[p.Count] = fmt.Sprintf("(%s ? strlen(%[1]s) : chance(9))", p.Name)
				args = append(args, p.Name)
			case p.Count != "":
				item := "number()"
				switch {
				case api.Base(g, ty) == "void*":
					item = "handle()"
				case api.Base(g, ty) == "char*":
					item = "text()"
				case api.Derives(g, ty, "MuID"):
					item = "any_id()"
				}
				prefix += fmt.Sprintf("%s %s[4]; for (int i = 0; i < 4; i++) %[2]s[i] = %s; ", ty, p.Name, item)
				args = append(args, p.Name)
			case api.Derives(g, p.Type, "MuID"):
				args = append(args, "any_id()")
			case base == "char*":
				args = append(args, "text()")
			case base == "void*" && strings.HasPrefix(p.Type, "Mu") && p.Type != "MuCPtr":
				args = append(args, "handle()")
			case strings.HasSuffix(base, "*"):
				args = append(args, "NULL")
			case slices.ContainsFunc(f.Params, func(q muapi.Param) bool { return q.Count == p.Name }):
				args = append(args, "COUNT_"+p.Name)
			case p.Type == "MuCFP":
				args = append(args, "NULL")
			case base == "float" || base == "double":
				args = append(args, "1.5")
			default:
				args = append(args, "("+p.Type+")number()")
			}
		}
		for i, a := range args {
			if name, ok := strings.CutPrefix(a, "COUNT_"); ok {
				if args[i] = counts[name]; args[i] == "" {
					args[i] = "chance(5)"
				}
			}
		}
		call := fmt.Sprintf("%s->%s(%s)", on, f.Name, strings.Join(args, ", "))
		if api.Base(g, f.Result) == "void*" && strings.HasPrefix(f.Result, "Mu") && !strings.HasSuffix(f.Result, "*") && !slices.Contains(elsewhere, f.Name) {
			call = "put((void *)" + call + ")"
		}
		cases = append(cases, fmt.Sprintf("\tcase %d: { %s%s; break; }\n", len(cases), prefix, call))
	}
	for _, f := range api.Members(g, "MuCtx") {
		switch {
		case slices.Contains(notGarbage, f.Name):
		case f.Name == "new_ir_builder":
			cases = append(cases, fmt.Sprintf("\tcase %d: if (nbuilders < 500) b[nbuilders++] = ctx->new_ir_builder(ctx); break;\n", len(cases)))
		default:
			add(f, "ctx", "")
		}
	}
	builders := "\tenum { none = 1 };\n"
	if g != muapi.Refimpl2 {
		builders = "\tMuIRBuilder *b[500] = {ctx->new_ir_builder(ctx)};\n\tuint32_t nbuilders = 1;\n"
		for _, f := range api.Members(g, "MuIRBuilder") {
			add(f, "one", "MuIRBuilder *one = b[chance(nbuilders)]; ")
		}
	}
	return fmt.Sprintf("#define SEED %d\n#include \"garbage.h\"\n\nint main(void) {\n\tbegin();\n%s\tfor (int k = 0; k < %d; k++) {\n\t\tif (k %% 100 == 0) works();\n\t\tswitch (chance(%d)) {\n%s\t\t}\n\t}\n\tworks();\n"+
		"\tprintf(\"%%d\\n\", *errors > %[3]d / 4);\n\treturn 0;\n}\n", seed, builders, calls, len(cases), strings.Join(cases, ""))
}

// TestLongGarbage calls every function with garbage: each call works or is an error, and the VM works on.
func TestLongGarbage(t *testing.T) {
	longtest.Only(t)
	api, err := muapi.Read()
	if err != nil {
		t.Fatal(err)
	}
	dir := install(t)
	for g, name := range map[muapi.Generation]string{muapi.Refimpl2: "2016", muapi.RMU: "rmu"} {
		for seed := range 4 {
			source := filepath.Join(t.TempDir(), "garbage.c")
			if err := os.WriteFile(source, []byte(garbageClient(api, g, seed, 40000)), 0o666); err != nil {
				t.Fatal(err)
			}
			exe := compile(t, dir, name, "gcc -std=gnu99", source)
			if out, errs, err := execute(t, exe); err != nil || out != "1\n" || errs != "" {
				t.Errorf("%s, seed %d: %v\n%s%.4000s", name, seed, err, out, errs)
			}
		}
	}
}
