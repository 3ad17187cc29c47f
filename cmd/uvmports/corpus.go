package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/uvm2go/uvm2go/cmd/internal/corpus"
	"github.com/uvm2go/uvm2go/transpile"
)

// A program is one that runs on every port: a file and the function that it begins with.
type program struct {
	Name  string // as the table has it
	File  transpile.Source
	Entry string
}

// examples are the programs of one file each in the examples of a module.
func examples(root string) ([]program, error) {
	found, err := corpus.Glob(root, "examples/*/*.uir", "examples/ial/*/*.ial", "examples/tvm/*/*.tvm", "examples/uvm2014/*/*.uir")
	var list []program
	for _, b := range found {
		list = append(list, program{Name: b.Name, File: transpile.Source{Name: path.Base(b.Name), Text: b.Sources[0].Text}})
	}
	return list, err
}

// runLine is a line of a script that runs a program of one file and tells uvm2go nothing but where it
// begins.
var runLine = regexp.MustCompile(`(?m)^(?:exec|status \d+) uvm2go run(?: -interp| -O[01])*(?: -entry (\S+))?(?: -interp| -O[01])* (\w+\.(?:uir|ial|tvm|ir))$`)

// settings matches a line of a script that sets a variable for programs.
var settings = regexp.MustCompile(`(?m)^env UVM(_|DEBUG)`)

// scripts are the programs that the scripts of a module run with nothing set.
func scripts(root string) ([]program, error) {
	paths, err := filepath.Glob(filepath.Join(root, "testscripts", "*.txtar"))
	if err != nil {
		return nil, err
	}
	var list []program
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			return nil, err
		}
		if settings.Match(a.Comment) {
			continue
		}
		files := map[string][]byte{}
		for _, f := range a.Files {
			files[f.Name] = f.Data
		}
		seen := map[string]bool{}
		for _, m := range runLine.FindAllStringSubmatch(string(a.Comment), -1) {
			entry, file := m[1], m[2]
			if text, ok := files[file]; ok && !seen[entry+" "+file] {
				seen[entry+" "+file] = true
				name := strings.TrimSuffix(filepath.Base(path), ".txtar")
				if len(seen) > 1 {
					name += fmt.Sprint(" ", len(seen))
				}
				list = append(list, program{Name: name, File: transpile.Source{Name: file, Text: text}, Entry: entry})
			}
		}
	}
	return list, nil
}

// sample takes n of a list, evenly spread, or all if n is 0.
func sample(list []program, n int) []program {
	if n <= 0 || n >= len(list) {
		return list
	}
	var out []program
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}

// translate writes a folder for each program that can be translated for any port, and
// gives the programs by their folders. What needs C, or is not to be accepted, is left out.
func translate(dir string, list []program) (map[string]program, error) {
	made := map[string]program{}
	for i, p := range list {
		loaded, _ := transpile.Load([]transpile.Source{p.File}, transpile.Options{Optimize: 1, Lines: true, Entry: p.Entry})
		if loaded == nil {
			continue
		}
		files, err := loaded.Generate()
		if err != nil {
			continue
		}
		name := fmt.Sprintf("p%03d", i)
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			return nil, err
		}
		plain := true
		for _, f := range files {
			plain = plain && !strings.Contains(string(f.Data), `import "C"`) && !strings.Contains(string(f.Data), "rtlib/ffi")
			if err := os.WriteFile(filepath.Join(dir, name, f.Name), f.Data, 0o666); err != nil {
				return nil, err
			}
		}
		if !plain {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				return nil, err
			}
			continue
		}
		made[name] = p
	}
	return made, nil
}
