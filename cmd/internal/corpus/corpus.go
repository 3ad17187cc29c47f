// Package corpus finds the bundles of the repository - examples, kernels, scripts, goldens -
// for tools that process all of them.
package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dialect"
)

// A Bundle holds the sources of one program.
type Bundle struct {
	Name    string
	Sources []transpile.Source
	Images  []transpile.Source
}

// Bundles returns the bundles of the repository below a folder, in the order of their names.
func Bundles(root string) ([]Bundle, error) {
	var list []Bundle
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		isScript := filepath.Ext(path) == ".txtar"
		if !isScript && !source(path) {
			return nil
		}
		b, err := single(root, path)
		if err != nil {
			return err
		}
		if isScript {
			list = append(list, script(b.Name, txtar.Parse(b.Sources[0].Text))...)
		} else {
			list = append(list, b)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b Bundle) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// Glob returns the files of a folder that match patterns as bundles. Each pattern must match at least one file.
func Glob(root string, patterns ...string) ([]Bundle, error) {
	var list []Bundle
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("no %s below %s", pattern, root)
		}
		for _, path := range paths {
			b, err := single(root, path)
			if err != nil {
				return nil, err
			}
			list = append(list, b)
		}
	}
	return list, nil
}

// single returns the bundle of one file; its name is the path from the root.
func single(root, path string) (Bundle, error) {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return Bundle{}, err
	}
	name = filepath.ToSlash(name)
	text, err := os.ReadFile(path)
	return Bundle{Name: name, Sources: []transpile.Source{{Name: name, Text: text}}}, err
}

// source reports whether a file is a bundle.
func source(name string) bool {
	return slices.ContainsFunc(transpile.Dialects, func(d *dialect.Dialect) bool {
		return slices.ContainsFunc(d.Forms, func(f dialect.Form) bool { return f.Ending == filepath.Ext(name) })
	})
}

// script returns the bundles in the files of a script: each file separately, and all together.
func script(name string, a *txtar.Archive) []Bundle {
	var list []Bundle
	all := Bundle{Name: name}
	for _, f := range a.Files {
		src := transpile.Source{Name: f.Name, Text: f.Data}
		switch {
		case slices.ContainsFunc(transpile.Dialects.Archives(), func(a *dialect.Archive) bool { return filepath.Ext(f.Name) == a.Image }):
			all.Images = append(all.Images, src)
		case source(f.Name):
			all.Sources = append(all.Sources, src)
			list = append(list, Bundle{Name: name + " " + f.Name, Sources: []transpile.Source{src}})
		}
	}
	if len(all.Sources) > 1 || len(all.Images) > 0 {
		list = append(list, all)
	}
	return list
}
