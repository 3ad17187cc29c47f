package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
)

// A program is a built twin with the command that runs it.
type program struct {
	twin string
	argv []string
}

// errNoTool means that the machine lacks the compiler of a twin.
var errNoTool = errors.New("no compiler")

// A builder makes programs in its folder: sources below src, executables below
// bin, each with a file that tells what it was made from. Nothing is made twice.
type builder struct {
	dir     string
	tools   *tools
	size    string
	disable []string // passes that are not run
	runtime string   // digest of the runtime's sources
}

// build makes a twin of a kernel. errNoTool means that it cannot be made here.
func (b *builder) build(k *kernel, twin string) (*program, error) {
	p := &program{twin: twin}
	var err error
	switch twin {
	case twinMu, twinMu0, twinOld, twinIAL, twinFree, twinTVM, twinWithout:
		p.argv, err = b.translated(k, twin)
		return p, err
	case twinLive:
		p.argv, err = b.live(k)
		return p, err
	case twinWasm, twinWasmInt:
		p.argv, err = b.wasm(k, twin == twinWasmInt)
	case twinPython:
		p.argv, err = b.script(k, twin, b.tools.python)
	case twinLua:
		p.argv, err = b.script(k, twin, b.tools.lua)
	case twinC:
		p.argv, err = b.c(k, k.source(twin))
	case twinJava:
		p.argv, err = b.java(k, k.source(twin))
	default:
		p.argv, err = b.golang(k, k.source(twin))
	}
	if k.args && b.size != sizeFull {
		p.argv = append(p.argv, k.sizes[b.size])
	}
	return p, err
}

// source is a twin's source; the twins of a kernel are from its list.
func (k *kernel) source(twin string) source {
	for _, s := range k.sources {
		if s.twin == twin {
			return s
		}
	}
	return source{twin: twin}
}

// translated translates a bundle or a twin in another dialect and builds the Go code.
func (b *builder) translated(k *kernel, twin string) ([]string, error) {
	if b.tools.golang == "" {
		return nil, errNoTool
	}
	text := k.bundleText(b.size)
	opt := transpile.Options{Optimize: 1, Lines: true, DisablePasses: b.disable}
	switch twin {
	case twinMu0:
		opt.Optimize = 0
	case twinWithout:
		opt.Lines = !k.without.noLines
		if k.without.edit != nil {
			edited := k.without.edit(text)
			if edited == text {
				return nil, fmt.Errorf("the bundle has nothing to leave out")
			}
			text = edited
		}
	}
	src := filepath.Join(b.dir, "src", b.size, k.name+"."+twin)
	if err := os.MkdirAll(src, 0o777); err != nil {
		return nil, err
	}
	files := []transpile.Source{{Name: filepath.Join(src, k.name+".uir"), Text: []byte(text)}}
	written := twin
	if twin == twinFree {
		written = twinIAL
	}
	if _, ok := writings[written]; ok {
		var err error
		if files, err = k.written(written, src, b.size); err != nil {
			return nil, err
		}
	}
	if twin == twinFree {
		files[0].Text = untested(files[0].Text)
	}
	for _, f := range files {
		if err := os.WriteFile(f.Name, f.Text, 0o666); err != nil {
			return nil, err
		}
	}
	p, diags := transpile.Load(files, opt)
	if p == nil {
		var msg strings.Builder
		if err := diags.Print(&msg); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("the bundle is refused:\n%s", msg.String())
	}
	if twin == twinOld {
		var err error
		if p, err = oldTwin(p, opt); err != nil {
			return nil, err
		}
		if p == nil {
			return nil, errNoTool
		}
	}
	return b.generated(k, twin, p)
}

// oldTwin writes a program as text of 2014 and reads that; it returns nil if the program cannot be written so.
func oldTwin(p *transpile.Program, opt transpile.Options) (*transpile.Program, error) {
	_, form := transpile.Dialects.Form("uir2014")
	text, err := p.Write(form)
	if err != nil {
		return nil, nil
	}
	opt.Dialect = "uvm2014"
	old, diags := transpile.Load([]transpile.Source{{Name: "old.uir", Text: text}}, opt)
	if old == nil {
		return nil, diags.Err()
	}
	return old, nil
}

// generated generates the Go of a program and builds it.
func (b *builder) generated(k *kernel, twin string, p *transpile.Program) ([]string, error) {
	src := filepath.Join(b.dir, "src", b.size, k.name+"."+twin)
	files, err := p.Generate()
	if err != nil {
		return nil, err
	}
	key := []string{"go", runtime.Version(), b.runtimeDigest()}
	for _, f := range files {
		key = append(key, f.Name, string(f.Data))
	}
	exe, fresh := b.cached(filepath.Join(b.size, k.name+"."+twin), key)
	if fresh {
		return []string{exe}, nil
	}
	if err := transpile.WriteModule(src, "kernel", files, uvm2go.Runtime); err != nil {
		return nil, err
	}
	return []string{exe}, b.goBuild(src, exe, key)
}

// runtimeDigest returns a digest of the sources of the runtime.
func (b *builder) runtimeDigest() string {
	if b.runtime != "" {
		return b.runtime
	}
	var parts []string
	err := fs.WalkDir(uvm2go.Runtime, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(uvm2go.Runtime, path)
		parts = append(parts, path, string(text))
		return err
	})
	if err != nil {
		// Embedded files can always be read.
		panic("uvmbench: " + err.Error())
	}
	b.runtime = digest(parts)
	return b.runtime
}

// golang builds a twin in Go.
func (b *builder) golang(k *kernel, s source) ([]string, error) {
	if b.tools.golang == "" {
		return nil, errNoTool
	}
	key := []string{"go", runtime.Version(), string(s.text)}
	exe, fresh := b.cached(k.name+"."+s.twin, key)
	if fresh {
		return []string{exe}, nil
	}
	dir, err := b.sourceDir(k, s)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module twin\n\ngo 1.26\n"), 0o666); err != nil {
		return nil, err
	}
	return []string{exe}, b.goBuild(dir, exe, key)
}

// c builds a twin in C. Products and sums are not fused, because the other languages
// do not fuse them either, and the last bit of the result is compared.
func (b *builder) c(k *kernel, s source) ([]string, error) {
	if b.tools.cc == "" {
		return nil, errNoTool
	}
	args := []string{"-O2", "-ffp-contract=off", "-pthread"}
	key := append([]string{"c", strings.Join(b.tools.versions, "\n"), string(s.text)}, args...)
	exe, fresh := b.cached(k.name+"."+s.twin, key)
	if fresh {
		return []string{exe}, nil
	}
	dir, err := b.sourceDir(k, s)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(b.tools.cc, append(args, "-o", exe, s.file, "-lm")...)
	cmd.Dir = dir
	return []string{exe}, b.compile(cmd, exe, key)
}

// java compiles a twin in Java to a folder of classes.
func (b *builder) java(k *kernel, s source) ([]string, error) {
	if b.tools.javac == "" || b.tools.java == "" {
		return nil, errNoTool
	}
	key := []string{"java", strings.Join(b.tools.versions, "\n"), string(s.text)}
	classes, fresh := b.cached(k.name+"."+s.twin, key)
	argv := []string{b.tools.java, "-XX:+UseParallelGC", "-cp", classes, strings.TrimSuffix(s.file, ".java")}
	if fresh {
		return argv, nil
	}
	dir, err := b.sourceDir(k, s)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(b.tools.javac, "-d", classes, s.file)
	cmd.Dir = dir
	return argv, b.compile(cmd, classes, key)
}

// sourceDir writes the source of a twin to a folder of its own.
func (b *builder) sourceDir(k *kernel, s source) (string, error) {
	dir := filepath.Join(b.dir, "src", k.name+"."+s.twin)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, s.file), s.text, 0o666)
}

func (b *builder) goBuild(dir, exe string, key []string) error {
	cmd := exec.Command(b.tools.golang, "build", "-trimpath", "-o", exe, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"))
	return b.compile(cmd, exe, key)
}

// cached returns the path of an executable, and whether the existing file was made from
// the same inputs.
func (b *builder) cached(name string, key []string) (exe string, fresh bool) {
	exe = filepath.Join(b.dir, "bin", name)
	if runtime.GOOS == "windows" {
		exe += ".exe"
	}
	old, err := os.ReadFile(exe + ".key")
	if err != nil || string(old) != digest(key) {
		return exe, false
	}
	_, err = os.Stat(exe)
	return exe, err == nil
}

// compile runs a compiler that makes exe, and records its inputs.
func (b *builder) compile(cmd *exec.Cmd, exe string, key []string) error {
	if err := os.MkdirAll(filepath.Dir(exe), 0o777); err != nil {
		return err
	}
	if err := os.RemoveAll(exe + ".key"); err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return os.WriteFile(exe+".key", []byte(digest(key)), 0o666)
}

// digest returns a hash of texts and their boundaries.
func digest(parts []string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
