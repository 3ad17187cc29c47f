package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// nativeScripts are scripts of testscripts whose programs testdata/loader.uir can load, and the files with a program
// and with its output. stress is what UVMDEBUG sets for another run, "" for none.
var nativeScripts = []struct{ script, prog, want, stress string }{
	{"native_types", "prog.uir", "want", "gcstress=1,gcverify=1,clobberfree=1"},
	{"native_callbacks", "prog.uir", "want", "gcstress=7,gcverify=1,clobberfree=1"},
	{"native_swap", "prog.uir", "want", "gcstress=1,gcverify=1,clobberfree=1"},
	{"native_errno", "prog.uir", "want", ""},
	{"native_errno", "libc.uir", "want.libc", ""},
	{"native_variadic", "prog.uir", "want", ""},
}

// nativeBundles are more programs, and what is special about bundles that are compiled. @before runs on the engine,
// @main as compiled code. The texts begin with nativeHead.
var nativeBundles = []struct {
	name, text, want string
	status           int
	says             string // standard error has this line
	stress           string
}{
	// C has pointers since before the function was compiled: one of .expose, one made at run time, which goes on being
	// identified by its address. A pointer that is made later is another one.
	{"kept", `.funcsig @keep.s = (@one.p) -> ()  .typedef @keep.p = ufuncptr<@keep.s>  .const @n_keep <@keep.p> = EXTERN "n_keep"
.const @n_call_kept <@one.p> = EXTERN "n_call_kept"
.global @early <@one.p>  .global @sink <@r>
.funcdef @sum VERSION %v <@one> {
  %e(<@i64> %n): BRANCH %loop(%n @0)
  %loop(<@i64> %n <@i64> %s):
    %o = NEW <@i64>
    STORE <@r> @sink %o
    %t = ADD <@i64> %s %n
    %m = SUB <@i64> %n @1
    %c = EQ <@i64> %m @0
    BRANCH2 %c %done(%t) %loop(%m %t)
  %done(<@i64> %t):
    %k = COMMINST @uvm.native.get_cookie
    %r = ADD <@i64> %t %k
    RET %r
}
.expose @x.sum = @sum #DEFAULT @1000
.funcdef @before VERSION %v <@none> { %e():
  %p = COMMINST @uvm.native.expose [#DEFAULT] <[@one]> (@sum @2000)
  STORE <@one.p> @early %p
  CCALL #DEFAULT <@keep.p @keep.s> @n_keep (%p)
  %a = CCALL #DEFAULT <@one.p @one> @n_call_kept (@10)
  [@first] TRAP <> KEEPALIVE(%a)
  RET ()
}
.funcdef @main VERSION %v <@none> { %e():
  %a = CCALL #DEFAULT <@one.p @one> @n_call_kept (@10)
  %p = LOAD <@one.p> @early
  %b = CCALL #DEFAULT <@one.p @one> %p (@10)
  CCALL #DEFAULT <@keep.p @keep.s> @n_keep (@x.sum)
  %c = CCALL #DEFAULT <@one.p @one> @n_call_kept (@10)
  %q = COMMINST @uvm.native.expose [#DEFAULT] <[@one]> (@sum @3000)
  %d = CCALL #DEFAULT <@one.p @one> %q (@10)
  %same = EQ <@one.p> %p %q
  COMMINST @uvm.native.unexpose [#DEFAULT] (%q)
  COMMINST @uvm.native.unexpose [#DEFAULT] (%p)
  [@after] TRAP <> KEEPALIVE(%a %b %c %d %same)
  RET ()
}
`, "trap first a=2055\ntrap after a=2055 b=2055 c=1055 d=3055 same=0\n", 0, "", "gcstress=1,gcverify=1,clobberfree=1"},
	// A symbol that the program does not name is a variable of C, and where it is does not change.
	{"variable", `.typedef @P = uptr<@i64>  .const @n_count <@P> = EXTERN "n_count"  .global @at <@P>
.typedef @none.p = ufuncptr<@none>  .const @n_void <@none.p> = EXTERN "n_void"
.typedef @table = struct<@none.p @P>  .const @both <@table> = { @n_void @n_count }
.funcdef @before VERSION %v <@none> { %e(): STORE <@P> @at @n_count RET () }
.funcdef @main VERSION %v <@none> { %e():
  %f = EXTRACTVALUE <@table 0> @both
  CCALL #DEFAULT <@none.p @none> %f ()
  %p = EXTRACTVALUE <@table 1> @both
  %n = LOAD PTR <@i64> %p
  %q = LOAD <@P> @at
  %same = EQ <@P> %p %q
  [@count] TRAP <> KEEPALIVE(%n %same)
  RET ()
}
`, "trap count n=43 same=1\n", 0, "", ""},
	// Errors, and their traces through C.
	{"exception", `.const @n_apply <@apply.p> = EXTERN "n_apply"
.typedef @trouble = struct<@i64 @i64 @i64>
.funcdef @fails VERSION %v <@one> { %e(<@i64> %x): %o = NEW <@trouble> THROW %o }
.expose @x.fails = @fails #DEFAULT @0
.funcdef @main VERSION %v <@none> { %e(): %a = CCALL #DEFAULT <@apply.p @apply.s> @n_apply (@x.fails @1) RET () }
`, "", 4, "an exception of type @trouble would leave @fails, which native code called", ""},
	{"fault", `.funcsig @crash.s = (@i64) -> ()  .typedef @crash.p = ufuncptr<@crash.s>  .const @n_crash <@crash.p> = EXTERN "n_crash"
.funcdef @main VERSION %v <@none> { %e(): CCALL #DEFAULT <@crash.p @crash.s> @n_crash (@10) RET () }
`, "", 4, "NATIVE: SIGSEGV at address 0xa in a call of the C function n_crash", ""},
	{"null", `.const @nil <@one.p> = 0
.funcdef @id VERSION %v <@id.s> { %e(<@one.p> %p): RET %p }  .funcsig @id.s = (@one.p) -> (@one.p)
.funcdef @main VERSION %v <@none> { %e():
  %p = CALL <@id.s> @id (@nil)
  %a = CCALL #DEFAULT <@one.p @one> %p (@1)
  RET ()
}
`, "", 4, "NULL_FUNC", ""},
	// C calls from a thread of its own.
	{"threads", `.funcsig @threads.s = (@one.p @i64 @i64) -> (@i64)  .typedef @threads.p = ufuncptr<@threads.s>
.const @n_threads <@threads.p> = EXTERN "n_threads"  .global @sink <@r>
.funcdef @boxed VERSION %v <@one> { %e(<@i64> %x):
  %o = NEW <@i64>
  STORE <@r> @sink %o
  %i = GETIREF <@i64> %o
  STORE <@i64> %i %x
  %p = LOAD <@i64> %i
  RET %p
}
.expose @x.boxed = @boxed #DEFAULT @0
.funcdef @main VERSION %v <@none> { %e():
  %a = CCALL #DEFAULT <@threads.p @threads.s> @n_threads (@x.boxed @10 @10)
  [@threads] TRAP <> KEEPALIVE(%a)
  RET ()
}
`, "trap threads a=450\n", 0, "", "gcstress=1,gcverify=1,clobberfree=1"},
}

const nativeHead = `.typedef @i64 = int<64>  .typedef @r = ref<@i64>  .funcsig @none = () -> ()
.const @0 <@i64> = 0  .const @1 <@i64> = 1  .const @10 <@i64> = 10  .const @1000 <@i64> = 1000  .const @2000 <@i64> = 2000
.const @3000 <@i64> = 3000  .funcsig @one = (@i64) -> (@i64)  .typedef @one.p = ufuncptr<@one>
.funcsig @apply.s = (@one.p @i64) -> (@i64)  .typedef @apply.p = ufuncptr<@apply.s>
`

// TestLongUnitNatives checks that bundles that call C, and are called by it, are compiled, and then do the same as
// translated programs.
func TestLongUnitNatives(t *testing.T) {
	longtest.Only(t)
	if runtime.GOOS != "linux" || strings.TrimSpace(scripttest.GoEnv(t, "CGO_ENABLED")) != "1" {
		t.Skip("needs plugins")
	}
	dir := t.TempDir()
	lib := nativeLibrary(t, dir, "libn.so", "gcc", "-shared", "-fPIC", "-pthread", "testdata/native.c", "-o")
	h := newNativeHost(t, lib)
	for _, s := range nativeScripts {
		t.Run(s.script+"/"+s.prog, func(t *testing.T) {
			a, err := txtar.ParseFile("../../testscripts/" + s.script + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range a.Files {
				files[f.Name] = string(f.Data)
			}
			h.check(t, files[s.prog], files[s.want], 0, "", s.stress)
		})
	}
	for _, b := range nativeBundles {
		t.Run(b.name, func(t *testing.T) { h.check(t, nativeHead+b.text, b.want, b.status, b.says, b.stress) })
	}
	t.Run("references", func(t *testing.T) {
		file := h.write(t, nativeHead+`.funcsig @refs = (@r) -> ()  .typedef @refs.p = ufuncptr<@refs>  .const @n_void <@refs.p> = EXTERN "n_void"
.funcdef @passes VERSION %v <@none> { %e(): %o = NEW <@i64> CCALL #DEFAULT <@refs.p @refs> @n_void (%o) RET () }
.funcdef @main VERSION %v <@none> { %e(): RET () }
`)
		_, live := h.run(t, file, "live=1", "", 0)
		if !strings.Contains(live, " stays on the engine: it passes references to C") {
			t.Errorf("%q", live)
		}
	})
	t.Run("static", func(t *testing.T) { // the program alone knows where the symbol is
		nativeLibrary(t, dir, "n.o", "gcc", "-fPIC", "-pthread", "-c", "testdata/native.c", "-o")
		h := newNativeHost(t, nativeLibrary(t, dir, "libn.a", "ar", "r"))
		h.check(t, nativeHead+`.typedef @none.p = ufuncptr<@none>  .const @n_empty <@none.p> = EXTERN "n_empty"
.funcdef @main VERSION %v <@none> { %e(): CCALL #DEFAULT <@none.p @none> @n_empty () [@called] TRAP <> RET () }
`, "trap called\n", 0, "", "")
	})
	t.Run("client", func(t *testing.T) { checkNativeClient(t, h.env, lib) })
}

// nativeLibrary is a file in a folder, made by a command whose last arguments it and, for an archive, n.o are.
func nativeLibrary(t *testing.T, dir, name, command string, args ...string) string {
	file := filepath.Join(dir, name)
	args = append(args, file)
	if command == "ar" {
		args = append(args, filepath.Join(dir, "n.o"))
	}
	if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return file
}

// checkNativeClient checks that the client of native_loaded, which inspects frames, exposes functions and loads a bundle with
// native code, prints the same if that bundle is compiled as it runs.
func checkNativeClient(t *testing.T, env []string, lib string) {
	a, err := txtar.ParseFile("../../testscripts/native_loaded.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir, text := t.TempDir(), map[string]string{}
	for _, f := range a.Files {
		text[f.Name] = string(f.Data)
	}
	const hot = `.funcdef @hot VERSION %v <@one> {
  %e(<@i64> %n): BRANCH %loop(%n)
  %loop(<@i64> %n): %m = SUB <@i64> %n @1 %c = EQ <@i64> %m @0 BRANCH2 %c %done(%m) %loop(%m)
  %done(<@i64> %m): RET %m
}
`
	client := strings.Replace(text["client.go"], "\ttry(calls)\n", "\ttry(calls + `"+hot+"`)\n\tcall(\"@hot\", 1000000000)\n", 1)
	want := strings.Replace(text["want"], "loaded\nloaded\n", "loaded\nloaded\n@hot 0\n", 1)
	for name, text := range map[string]string{"prog.uir": text["prog.uir"], "calc/cmd/main.go": client} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(in, name string, args ...string) (stdout, stderr string) {
		cmd := exec.Command(name, args...)
		var out, errs bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = filepath.Join(dir, in), &out, &errs, append(env, "UVMDEBUG=live=1")
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, errs.String())
		}
		return out.String(), errs.String()
	}
	run("", scripttest.Command(t), "-live", "-tier2", "-lib", lib, "-pkg", "calc", "-o", "calc", "prog.uir")
	run("calc", "go", "build", "-o", "client", "./cmd")
	cache := ""
	for _, v := range env {
		if dir, ok := strings.CutPrefix(v, "UVM2GO_CACHE="); ok {
			cache = dir
		}
	}
	before := scripttest.Plugins(t, cache)
	run("calc", "./client")
	scripttest.AwaitPlugin(t, cache, before)
	before = scripttest.Plugins(t, cache)
	got, said := run("calc", "./client")
	if n := scripttest.Plugins(t, cache); n != before {
		t.Errorf("%d plugins, %d after another start", before, n)
	}
	if got != want || !strings.Contains(said, "a loop of @hot goes on in compiled code") {
		t.Errorf("got\n%swant\n%s%s", got, want, said)
	}
}

// nativeHost is a program that loads bundles, made for cgo.
type nativeHost struct {
	dir, exe, cache string
	env             []string
}

func newNativeHost(t *testing.T, lib string) *nativeHost {
	dir := t.TempDir()
	h := &nativeHost{dir: dir, exe: filepath.Join(dir, "host"), cache: filepath.Join(dir, "cache")}
	uvm2go := scripttest.Command(t)
	h.env = append(os.Environ(), "PATH="+scripttest.Path(uvm2go), "UVM2GO_CACHE="+h.cache)
	build := exec.Command(uvm2go, "build", "-tier2", "-lib", lib, "-entry", "@h.main", "-o", h.exe, "testdata/loader.uir")
	build.Env = h.env
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return h
}

// write writes a bundle, made hot, to the file for the program.
func (h *nativeHost) write(t *testing.T, text string) string {
	file := filepath.Join(h.dir, "bundle.uir")
	if err := os.WriteFile(file, []byte(scripttest.Hot(text)), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// check runs a bundle on the engine, until it has been compiled, and compiled.
func (h *nativeHost) check(t *testing.T, text, want string, status int, says, stress string) {
	before := scripttest.Plugins(t, h.cache)
	file := h.write(t, text)
	said, _ := h.run(t, file, "tier1=1", want, status)
	if !strings.Contains(said, says) || says == "" && said != "" {
		t.Errorf("on the engine: %swant %q", said, says)
	}
	if _, live := h.run(t, file, "live=1", want, status); strings.Contains(live, "stays on the engine") {
		t.Fatal(live)
	}
	scripttest.AwaitPlugin(t, h.cache, before)
	debugs := []string{"live=1"}
	if stress != "" {
		debugs = append(debugs, "live=1,"+stress)
	}
	for _, debug := range debugs {
		again, live := h.run(t, file, debug, want, status)
		if again != said {
			t.Errorf("%s: %swant %s", debug, again, said)
		}
		// All other bodies are entered as compiled code, also from C.
		if !strings.Contains(live, " is compiled\n") || !strings.Contains(live, scripttest.HotLoop) || strings.Count(live, "\n") != 2 {
			t.Errorf("%s: want only that the bundle is compiled and that @main goes on there: %s", debug, live)
		}
	}
	if n := scripttest.Plugins(t, h.cache) - before; n != 1 {
		t.Errorf("%d plugins were made of the bundle", n)
	}
}

// run returns what the program says, and what is reported of the bundle.
func (h *nativeHost) run(t *testing.T, file, debug, want string, status int) (said, live string) {
	cmd := exec.Command(h.exe, file)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env = &out, &errs, append(h.env, "UVMDEBUG="+debug)
	got := scripttest.Status(t, cmd)
	if strings.Contains(errs.String(), "libffi, which was not found") {
		t.Skip("there is no libffi")
	}
	for line := range strings.Lines(errs.String()) {
		if strings.HasPrefix(line, "uvm: live: ") {
			live += line
		} else {
			said += line
		}
	}
	if got != status || out.String() != want {
		t.Errorf("%s: status %d, want %d\n%swant\n%s%s", debug, got, status, out.String(), want, said)
	}
	return said, live
}
