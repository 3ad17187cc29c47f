package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/transpile"
)

// The twins that other engines run. They run only if they are asked for.
const (
	twinLive    = "live"    // the bundle, on the engine for live code
	twinWasm    = "wasm"    // the twin in C, compiled to WebAssembly, on wazero's compiler
	twinWasmInt = "wasmint" // the same on wazero's interpreter
	twinPython  = "python"  // the twin in Python, on CPython
	twinLua     = "lua"
)

// liveCommand is the first argument with which uvmbench runs a bundle on the engine for live code.
const liveCommand = "-run-live"

// liveMain runs a bundle instead of the command.
func liveMain(file string, stderr io.Writer) int {
	fmt.Fprintf(stderr, "uvmbench: %v\n", runLive(file))
	return statusFail
}

// runLive runs a bundle like uvm2go run -live. It returns only if the program cannot start.
func runLive(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	p, diags := transpile.Load([]transpile.Source{{Name: file, Text: text}}, transpile.Options{Optimize: 1})
	if p == nil {
		return diags.Err()
	}
	entry, err := p.EntryFunction()
	if err != nil {
		return err
	}
	known, origins, err := p.Ready()
	if err != nil {
		return err
	}
	os.Args = []string{file}
	return live.Run(known, live.Config{Origins: origins, Entry: entry, Names: p.EntityNames()})
}

// live writes the bundle and returns the command that runs it with this executable.
func (b *builder) live(k *kernel) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(b.dir, "src", b.size, k.name+"."+twinLive)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, k.name+".uir")
	return []string{self, liveCommand, file}, os.WriteFile(file, []byte(k.bundleText(b.size)), 0o666)
}

// hosted lists the kernels that an engine cannot run, with the reasons.
var hosted = map[string]map[string]string{
	twinWasm:    {"atomics2": "there are no threads"},
	twinWasmInt: {"atomics2": "there are no threads", "ackermann": "it nests more calls than wazero's interpreter allows"},
}

// runs reports whether a kernel has a twin for an engine.
func (k *kernel) runs(twin string) bool {
	if twin == twinWasm || twin == twinWasmInt {
		return k.source(twinC).text != nil && hosted[twin][k.name] == ""
	}
	return true
}

// wasmFlags make clang compile C to WebAssembly with WASI's library.
var wasmFlags = []string{"--target=wasm32-wasi", "--sysroot=/usr", "-O2", "-ffp-contract=off", "-Wl,-z,stack-size=8388608"}

// wasm compiles the twin in C to WebAssembly, and returns the command that runs it.
func (b *builder) wasm(k *kernel, interpreted bool) ([]string, error) {
	if b.tools.clang == "" || b.tools.wazero == "" {
		return nil, errNoTool
	}
	argv := []string{b.tools.wazero}
	if interpreted {
		argv = append(argv, "-interp")
	}
	s := k.source(twinC)
	key := append([]string{"wasm", strings.Join(b.tools.versions, "\n"), string(s.text)}, wasmFlags...)
	exe, fresh := b.cached(k.name+".wasm", key)
	argv = append(argv, exe)
	if fresh {
		return argv, nil
	}
	dir, err := b.sourceDir(k, s)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(b.tools.clang, append(wasmFlags, "-o", exe, s.file, "-lm")...)
	cmd.Dir = dir
	return argv, b.compile(cmd, exe, key)
}

// script returns the command that runs a twin in a script language.
func (b *builder) script(k *kernel, twin, interpreter string) ([]string, error) {
	if interpreter == "" {
		return nil, errNoTool
	}
	s := k.source(twin)
	dir, err := b.sourceDir(k, s)
	return []string{interpreter, filepath.Join(dir, s.file)}, err
}

// wazeroVersion is the version of wazero that is measured; testdata/wazero has the checksums.
const wazeroVersion = "v1.12.0"

// buildWazero makes a module that needs wazero, and builds it: the module of uvm2go does not need it.
func (b *builder) buildWazero() (string, error) {
	text, err := kernelFiles.ReadFile("testdata/wazero/main.go")
	if err != nil {
		return "", err
	}
	sums, err := kernelFiles.ReadFile("testdata/wazero/go.sum.txt")
	if err != nil {
		return "", err
	}
	key := []string{"wazero", runtime.Version(), wazeroVersion, string(text), string(sums)}
	exe, fresh := b.cached("wazero", key)
	if fresh {
		return exe, nil
	}
	dir := filepath.Join(b.dir, "src", "wazero")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	mod := "module wazero\n\ngo 1.26\n\nrequire github.com/tetratelabs/wazero " + wazeroVersion + "\n"
	for name, data := range map[string]string{"go.mod": mod, "go.sum": string(sums), "main.go": string(text)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			return "", err
		}
	}
	cmd := exec.Command(b.tools.golang, "build", "-mod=mod", "-trimpath", "-o", exe, "main.go")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	return exe, b.compile(cmd, exe, key)
}

// findEngines looks for the tools for the twins of other engines that are asked for.
func (b *builder) findEngines(asked map[string]bool) {
	t := b.tools
	if asked[twinPython] {
		if t.python = t.look("python3"); t.python == "" {
			t.missing = append(t.missing, "no python3: the twins in Python are left out")
		}
		if out, err := exec.Command(t.python, "-c", "import sys; print(sys.executable)").Output(); err == nil {
			t.python = strings.TrimSpace(string(out)) // the interpreter itself, not a script that looks for it first
		}
		t.version(t.python, "--version")
	}
	if asked[twinLua] {
		if t.lua = cmp.Or(t.look("lua5.4"), t.look("lua")); t.lua == "" {
			t.missing = append(t.missing, "no lua5.4: the twins in Lua are left out")
		}
		t.version(t.lua, "-v")
	}
	if !asked[twinWasm] && !asked[twinWasmInt] {
		return
	}
	const left = "the twins in C are not run as WebAssembly"
	t.clang = t.look("clang")
	if t.clang != "" && !b.wasmWorks() {
		t.clang = ""
	}
	if t.clang == "" {
		t.missing = append(t.missing, "no clang with WASI's library (Debian: clang, lld, wasi-libc, libclang-rt-14-dev-wasm32): "+left)
		return
	}
	t.version(t.clang, "--version")
	if t.golang == "" {
		return
	}
	var err error
	if t.wazero, err = b.buildWazero(); err != nil {
		t.wazero = ""
		first, _, _ := strings.Cut(err.Error(), "\n")
		t.missing = append(t.missing, fmt.Sprintf("wazero cannot be built (%s): %s", first, left))
		return
	}
	t.versions = append(t.versions, "wazero "+wazeroVersion)
}

// wasmWorks tells whether clang finds what it needs for WebAssembly.
func (b *builder) wasmWorks() bool {
	dir := filepath.Join(b.dir, "src", "wasm-try")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return false
	}
	file := filepath.Join(dir, "try.c")
	if err := os.WriteFile(file, []byte("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n"), 0o666); err != nil {
		return false
	}
	return exec.Command(b.tools.clang, append(wasmFlags, "-o", filepath.Join(dir, "try.wasm"), file)...).Run() == nil
}

// engineColumns are the twins in the table of engines, with their titles.
var engineColumns = []struct{ twin, title string }{
	{twinLive, "live"}, {twinWasmInt, "wazero int."}, {twinWasm, "wazero"}, {twinPython, "CPython"}, {twinLua, "Lua"},
}

// engineRows returns the table of engines: times, the ratio of the engine for live code to the translated program, and the ratios
// of the other engines to the engine for live code. It is empty if the engine for live code was not measured.
func engineRows(r *Report, m metric) [][]string {
	head := []string{"", "uvm2go"}
	for _, c := range engineColumns {
		head = append(head, c.title)
	}
	head = append(head, "live/uvm2go", "from..to")
	for _, c := range engineColumns[1:] {
		head = append(head, c.title+"/live")
	}
	rows := [][]string{head}
	means := make([][]float64, len(engineColumns))
	for _, g := range groups {
		for _, k := range r.kernels(g) {
			if g == groupOverheads || r.find(k, twinLive) == nil {
				continue
			}
			row := []string{k, millis(summarize(r.find(k, twinMu).times(m)).median)}
			for _, c := range engineColumns {
				row = append(row, millis(summarize(r.find(k, c.twin).times(m)).median))
			}
			for i, c := range engineColumns {
				of, base := twinLive, twinMu
				if i > 0 {
					of, base = c.twin, twinLive
				}
				x, ok := r.ratio(k, of, base, m)
				if ok {
					means[i] = append(means[i], x.median)
				}
				row = append(row, ratioText(x.median))
				if i == 0 {
					row = append(row, rangeText(x))
				}
			}
			rows = append(rows, row)
		}
	}
	if len(rows) > 2 {
		row := make([]string, len(head))
		row[0] = "geometric mean"
		at := 2 + len(engineColumns)
		for i := range engineColumns {
			row[at] = ratioText(geomean(means[i]))
			at++
			if i == 0 {
				at++
			}
		}
		rows = append(rows, row)
	}
	return rows
}
