// Command samego shows whether a change of the translator changes the Go that it makes. It
// translates every bundle of the repository - examples, kernels, scripts, goldens and a large
// synthetic one - with several options, and prints a checksum of each result:
//
//	go run ./cmd/internal/samego >/tmp/before      # then change something
//	go run ./cmd/internal/samego | diff /tmp/before -
//
// With -write DIR it also writes the files, for a diff of the Go itself. It runs no program:
// whether the Go is right is for the tests.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/uvm2go/uvm2go/cmd/internal/synth"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dialect"
)

// ways are the options that a bundle is translated with.
var ways = []struct {
	name string
	opt  transpile.Options
}{
	{"O0", transpile.Options{Lines: true}},
	{"O1", transpile.Options{Optimize: 1, Lines: true}},
	{"nolines", transpile.Options{Optimize: 1, SingleFile: true}},
	{"sanitize", transpile.Options{Optimize: 1, Sanitize: true, Lines: true}},
	{"package", transpile.Options{Optimize: 1, Package: "p"}},
	{"package O0", transpile.Options{Package: "p", Lines: true}},
	{"introspect", transpile.Options{Optimize: 1, Package: "p", Introspect: true, Lines: true}},
	{"native", transpile.Options{Optimize: 1, NativeC: true, Libs: []string{"m"}}},
}

// A bundle is the sources of one program.
type bundle struct {
	name   string
	srcs   []transpile.Source
	images []transpile.Source
}

func main() {
	log.SetFlags(0)
	root := flag.String("root", ".", "root folder of the repository")
	write := flag.String("write", "", "folder for the files")
	flag.Parse()
	list, err := bundles(*root)
	if err != nil {
		log.Fatal(err)
	}
	lines := make([]string, len(list)*len(ways))
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range list {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			for k := range ways {
				lines[i*len(ways)+k] = translate(&list[i], k, *write)
			}
		})
	}
	group.Wait()
	for _, l := range lines {
		fmt.Println(l)
	}
}

// translate gives the line of a bundle and a way.
func translate(b *bundle, way int, write string) (line string) {
	name := ways[way].name + " " + b.name
	defer func() {
		if r := recover(); r != nil {
			line = fmt.Sprintf("panic %s: %v", name, r)
		}
	}()
	opt := ways[way].opt
	opt.Images = b.images
	p, diags := transpile.Load(b.srcs, opt)
	if p == nil {
		return fmt.Sprintf("%x %s", sha256.Sum256([]byte(diags.Error())), name)
	}
	files, err := p.Generate()
	if err != nil {
		return fmt.Sprintf("%x %s", sha256.Sum256([]byte(err.Error())), name)
	}
	sum := sha256.New()
	for _, f := range files {
		fmt.Fprintf(sum, "%s %d\n", f.Name, len(f.Data))
		sum.Write(f.Data)
		if write != "" {
			dir := filepath.Join(write, strings.NewReplacer("/", "_", " ", "_").Replace(name))
			if err := os.MkdirAll(dir, 0o777); err != nil {
				log.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
				log.Fatal(err)
			}
		}
	}
	return fmt.Sprintf("%x %s", sum.Sum(nil), name)
}

// bundles finds the bundles of the repository.
func bundles(root string) ([]bundle, error) {
	var list []bundle
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch ext := filepath.Ext(path); {
		case source(name):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			list = append(list, bundle{name: name, srcs: []transpile.Source{{Name: name, Text: text}}})
		case ext == ".txtar":
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			list = append(list, script(name, txtar.Parse(text))...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var large bytes.Buffer
	if err := synth.Write(&large, synth.Full.Scale(0.05)); err != nil {
		return nil, err
	}
	list = append(list, bundle{name: "synth", srcs: []transpile.Source{{Name: "synth.uir", Text: large.Bytes()}}})
	slices.SortFunc(list, func(a, b bundle) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// source reports whether a file is a bundle.
func source(name string) bool {
	return slices.ContainsFunc(transpile.Dialects, func(d *dialect.Dialect) bool {
		return slices.ContainsFunc(d.Forms, func(f dialect.Form) bool { return f.Ending == filepath.Ext(name) })
	})
}

// script gives the bundles in the files of a script: each by itself, and all together.
func script(name string, a *txtar.Archive) []bundle {
	var list []bundle
	all := bundle{name: name}
	for _, f := range a.Files {
		src := transpile.Source{Name: f.Name, Text: f.Data}
		switch {
		case strings.HasSuffix(f.Name, ".hail"):
			all.images = append(all.images, src)
		case source(f.Name):
			all.srcs = append(all.srcs, src)
			list = append(list, bundle{name: name + " " + f.Name, srcs: []transpile.Source{src}})
		}
	}
	if len(all.srcs) > 1 || len(all.images) > 0 {
		list = append(list, all)
	}
	return list
}
