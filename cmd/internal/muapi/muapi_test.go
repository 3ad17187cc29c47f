package muapi

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func read(t *testing.T) *API {
	t.Helper()
	api, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// The slots of each struct have no gaps, and each array has a parameter with its length.
func TestSlots(t *testing.T) {
	api := read(t)
	sizes := map[Generation]map[string]int{
		Refimpl2: {"MuVM": 6, "MuCtx": 175},
		RMU:      {"MuVM": 6, "MuCtx": 89, "MuIRBuilder": 80},
		Zebu:     {"MuVM": 6, "MuCtx": 89, "MuIRBuilder": 80},
	}
	for g := range Generations {
		if got := len(api.Structs(g)); got != len(sizes[g]) {
			t.Errorf("%v has %d structs", g, got)
		}
		for s, n := range sizes[g] {
			list := api.Members(g, s)
			if len(list) != n {
				t.Errorf("%v: %s has %d functions, want %d", g, s, len(list), n)
			}
			for i, f := range list {
				if f.Slot[g] != i+1 {
					t.Errorf("%v: %s.%s has slot %d, want %d", g, s, f.Name, f.Slot[g], i+1)
				}
				checkParams(t, g, f)
			}
		}
	}
}

func checkParams(t *testing.T, g Generation, f Func) {
	names := map[string]bool{}
	for _, p := range f.Params {
		names[p.Name] = true
	}
	for _, p := range f.Params {
		if p.Count != "" && !names[p.Count] {
			t.Errorf("%v: %s.%s: the length of %s is no parameter", g, f.Struct, f.Name, p.Name)
		}
	}
	if p := f.Params[0]; p.Type != f.Struct+"*" {
		t.Errorf("%v: %s.%s: the first parameter is of %s", g, f.Struct, f.Name, p.Type)
	}
}

// Some facts that every client relies on.
func TestFacts(t *testing.T) {
	api := read(t)
	slots := map[string][Generations]int{"MuCtx.delete_value": {35, 35, 35}, "MuCtx.unpin": {84, 84, 84}, "MuCtx.get_addr": {0, 85, 85},
		"MuCtx.expose": {85, 86, 86}, "MuCtx.new_bundle": {87, 0, 0}, "MuCtx.new_comminst": {175, 0, 0}, "MuIRBuilder.new_comminst": {0, 80, 80},
		"MuVM.execute": {5, 5, 0}, "MuVM.compile_to_sharedlib": {0, 0, 5}}
	found := 0
	for _, f := range api.Funcs {
		if want, ok := slots[f.Struct+"."+f.Name]; ok {
			found++
			if f.Slot != want {
				t.Errorf("%s.%s has slots %v, want %v", f.Struct, f.Name, f.Slot, want)
			}
		}
	}
	if found != len(slots) {
		t.Errorf("%d functions found", found)
	}
	for g, base := range []string{"void*", "uint32_t", "uint32_t"} {
		if got := api.Base(Generation(g), "MuBBNode"); got != base {
			t.Errorf("%v: a MuBBNode is a %s", Generation(g), got)
		}
	}
}

// A row that is wrong is an error.
func TestBadRows(t *testing.T) {
	for _, row := range []string{"func\tMuVM\tf\t1\t1", "thing\ta", "func\tMuVM\tf\tone\t-\t-\tvoid\t", "callback\tc\tvoid\tx"} {
		if err := (&API{}).row(strings.Split(row, "\t")); err == nil {
			t.Errorf("%q is accepted", row)
		}
	}
}

// Compilers of C and C++ accept the headers, and agree with the table about the layout.
func TestHeaders(t *testing.T) {
	api := read(t)
	for g := range Generations {
		dir := t.TempDir()
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write("muapi.h", api.Header(g))
		write("start.h", api.Start(g))
		var b strings.Builder
		b.WriteString("#include \"start.h\"\n")
		assert := func(c string) { b.WriteString("typedef char check[(" + c + ") ? 1 : -1];\n") }
		for _, s := range api.Structs(g) {
			for _, f := range api.Members(g, s) {
				assert("offsetof(struct " + s + ", " + f.Name + ") == " + strconv.Itoa(f.Slot[g]) + " * sizeof(void *)")
			}
		}
		for _, f := range api.Flags {
			if v := f.Value[g]; v != "" {
				assert(f.Name + " == " + v + " && sizeof(" + f.Name + ") == 4")
			}
		}
		text := b.String()
		n := 0
		text = regexp.MustCompile(`\bcheck\b`).ReplaceAllStringFunc(text, func(string) string { n++; return "check" + strconv.Itoa(n) })
		write("client.c", text)
		compiled := 0
		for _, cc := range []string{"gcc -std=c99", "clang -std=c99", "g++ -x c++", "clang++ -x c++"} {
			args := strings.Fields(cc)
			if _, err := exec.LookPath(args[0]); err != nil {
				continue
			}
			compiled++
			args = append(args, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", filepath.Join(dir, "client.c"))
			if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
				t.Errorf("%v: %s: %v\n%.2000s", g, cc, err, out)
			}
		}
		if compiled == 0 {
			t.Skip("there is no C compiler")
		}
	}
}
