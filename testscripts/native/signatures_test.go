package native_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestLongSignatures calls functions with random C signatures and lets them show their arguments: by code that the C
// compiler has seen, and by code that a program loads, on one side of the call and on the other.
func TestLongSignatures(t *testing.T) {
	longtest.Only(t)
	if scripttest.GoEnv(t, "CGO_ENABLED") != "1" {
		t.Skip("takes cgo")
	}
	loader, err := os.ReadFile("../../cmd/uvm2go/testdata/loader.uir")
	if err != nil {
		t.Fatal(err)
	}
	// The loader calls one function of the library of the scripts.
	host := strings.Replace(string(loader), `"n_empty"`, `"tzset"`, 1)
	s := newSignatures(rand.New(rand.NewPCG(2, 71)), 60)
	dir := t.TempDir()
	write := func(name string, parts ...string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(strings.Join(parts, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	command := scripttest.Command(t)
	var said strings.Builder // standard error of the last run
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		said.Reset()
		cmd.Stderr = &said
		out, err := cmd.Output()
		if strings.Contains(said.String(), "libffi, which was not found") {
			t.Skip("there is no libffi")
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, said.String())
		}
		return string(out)
	}
	build := func(name, entry, text string, flags ...string) string {
		exe := filepath.Join(dir, name+".exe")
		run(command, slices.Concat([]string{"build", "-entry", entry, "-o", exe}, flags, []string{write(name+".uir", text)})...)
		return exe
	}
	types, echoes, calls, main := s.types.String(), s.echoes.String(), s.consts.String()+s.calls.String(), s.main.String()
	extern := ".funcsig @tzset.sig = () -> ()  .typedef @tzset.p = ufuncptr<@tzset.sig>  .const @tzset <@tzset.p> = EXTERN \"tzset\"\n" +
		".funcdef @c VERSION %v <@tzset.sig> { %e(): CCALL #DEFAULT <@tzset.p @tzset.sig> @tzset () RET () }\n"
	want := run(build("all", "@main", types+echoes+calls+main+extern))
	for _, c := range []struct{ name, program, loaded string }{
		{"loaded code calls", types + echoes + host, calls + main},
		{"C calls loaded code", types + calls + host, echoes + main},
	} {
		exe := build(strings.ReplaceAll(c.name, " ", "_"), "@h.main", c.program)
		if got := run(exe, write("loaded.uir", c.loaded)); got != want {
			t.Errorf("%s:\n%s", c.name, firstDifference(got, want))
		}
		if runtime.GOOS != "linux" {
			continue // there may be no plugins
		}
		cache := filepath.Join(dir, "cache")
		t.Setenv("UVM2GO_CACHE", cache)
		t.Setenv("PATH", scripttest.Path(command))
		exe = build("hot", "@h.main", c.program, "-tier2")
		hot, before := write("hot.uir", scripttest.Hot(c.loaded)), scripttest.Plugins(t, cache)
		run(exe, hot)
		scripttest.AwaitPlugin(t, cache, before)
		t.Setenv("UVMDEBUG", "live=1")
		if got := run(exe, hot); got != want || !strings.Contains(said.String(), scripttest.HotLoop) {
			t.Errorf("%s, compiled: %s\n%s", c.name, said.String(), firstDifference(got, want))
		}
		t.Setenv("UVMDEBUG", "")
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// signatures is functions with random signatures and calls of them.
type signatures struct {
	*rand.Rand
	types, echoes, consts, calls, main strings.Builder

	named map[string]string // types by their text
	n     int               // names so far
}

// A ctype is a scalar, a struct or an array.
type ctype struct {
	text   string   // its name
	scalar byte     // a letter, or 0
	parts  []*ctype // of a struct or an array
}

func newSignatures(r *rand.Rand, n int) *signatures {
	s := &signatures{Rand: r, named: map[string]string{}}
	s.types.WriteString(`.typedef @b = int<8>  .typedef @h = int<16>  .typedef @i = int<32>  .typedef @l = int<64>
.typedef @f = float  .typedef @d = double  .typedef @void = void  .typedef @p = uptr<@void>
.funcsig @none = () -> ()  .const @cookie <@l> = 0
`)
	s.main.WriteString(".funcdef @main VERSION %v <@none> { %e():\n")
	for k := range n {
		s.function(k)
	}
	s.main.WriteString("\tRET ()\n}\n")
	return s
}

// function writes a function that shows its arguments and returns one of them, and a caller of it.
func (s *signatures) function(k int) {
	var types, params, args, values []string
	var all []*ctype
	for i := range []int{0, 1, 2, 3, 4, 6, 9, 15}[s.IntN(8)] {
		c := s.pick(2)
		all = append(all, c)
		types = append(types, c.text)
		args = append(args, fmt.Sprintf("%%a%d", i))
		params = append(params, fmt.Sprintf("<%s> %%a%d", c.text, i))
		values = append(values, s.value(c))
	}
	keep, result, ret, bind, show := "", "", "()", "", ""
	if len(all) > 0 {
		keep = " KEEPALIVE(" + strings.Join(args, " ") + ")"
		if s.IntN(8) > 0 {
			i := s.IntN(len(all))
			result, ret, bind, show = types[i], args[i], "%r = ", fmt.Sprintf("[@out%d] TRAP <> KEEPALIVE(%%r)", k)
		}
	}
	fmt.Fprintf(&s.types, ".funcsig @s%d = (%s) -> (%s)  .typedef @p%d = ufuncptr<@s%d>  .funcsig @cs%d = (@p%d) -> ()\n",
		k, strings.Join(types, " "), result, k, k, k, k)
	fmt.Fprintf(&s.echoes, ".funcdef @echo%d VERSION %%v <@s%d> { %%e(%s):\n\t[@in%d] TRAP <>%s\n\tRET %s\n}\n.expose @x%d = @echo%d #DEFAULT @cookie\n",
		k, k, strings.Join(params, " "), k, keep, ret, k, k)
	fmt.Fprintf(&s.calls, ".funcdef @call%d VERSION %%v <@cs%d> { %%e(<@p%d> %%f):\n\t%sCCALL #DEFAULT <@p%d @s%d> %%f (%s)\n\t%s\n\tRET ()\n}\n",
		k, k, k, bind, k, k, strings.Join(values, " "), show)
	fmt.Fprintf(&s.main, "\tCALL <@cs%d> @call%d (@x%d)\n", k, k, k)
}

// pick makes a type; structs are at most depth deep.
func (s *signatures) pick(depth int) *ctype {
	if depth == 0 || s.IntN(5) < 3 {
		letter := "bhilfdp"[s.IntN(7)]
		return &ctype{text: "@" + string(letter), scalar: letter}
	}
	c := &ctype{}
	var fields []string
	for range []int{1, 1, 2, 2, 3, 4, 5, 9}[s.IntN(8)] {
		f := s.pick(depth - 1)
		if s.IntN(5) == 0 {
			a := &ctype{}
			for range 1 + s.IntN(4) {
				a.parts = append(a.parts, f)
			}
			a.text = s.name(fmt.Sprintf("array<%s %d>", f.text, len(a.parts)))
			f = a
		}
		c.parts = append(c.parts, f)
		fields = append(fields, f.text)
	}
	c.text = s.name("struct<" + strings.Join(fields, " ") + ">")
	return c
}

// name is the name of a type, whose definition is written once.
func (s *signatures) name(text string) string {
	if s.named[text] == "" {
		s.named[text] = fmt.Sprintf("@t%d", s.n)
		s.n++
		fmt.Fprintf(&s.types, ".typedef %s = %s\n", s.named[text], text)
	}
	return s.named[text]
}

// value is the name of a random constant.
func (s *signatures) value(c *ctype) string {
	var text string
	switch c.scalar {
	case 0:
		var parts []string
		for _, p := range c.parts {
			parts = append(parts, s.value(p))
		}
		text = "{ " + strings.Join(parts, " ") + " }"
	case 'f':
		text = fmt.Sprintf("%vf", float64(s.IntN(2000)-1000)/8)
	case 'd':
		text = fmt.Sprintf("%vd", float64(s.IntN(2000000)-1000000)/16)
	case 'p':
		text = fmt.Sprint(s.Uint64() >> 33)
	default:
		text = fmt.Sprint(int64(s.Uint64()) >> (64 - 8<<strings.IndexByte("bhil", c.scalar)))
	}
	if c.scalar == 'f' || c.scalar == 'd' {
		if !strings.Contains(text, ".") {
			text = text[:len(text)-1] + ".0" + text[len(text)-1:]
		}
	}
	name := fmt.Sprintf("@c%d", s.n)
	s.n++
	fmt.Fprintf(&s.consts, ".const %s <%s> = %s\n", name, c.text, text)
	return name
}
