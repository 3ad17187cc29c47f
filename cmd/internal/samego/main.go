// Command samego shows whether a change of the translator changes the generated Go. It
// translates every bundle of the repository - examples, kernels, scripts, goldens and a large
// synthetic one - with several options, and prints a checksum of each result:
//
//	go run ./cmd/internal/samego >/tmp/before      # then change something
//	go run ./cmd/internal/samego | diff /tmp/before -
//
// With -write DIR it also writes the files, for a diff of the Go itself. It does not run
// programs: the tests check whether the Go is correct.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/uvm2go/uvm2go/cmd/internal/corpus"
	"github.com/uvm2go/uvm2go/cmd/internal/synth"
	"github.com/uvm2go/uvm2go/transpile"
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

func main() {
	log.SetFlags(0)
	root := flag.String("root", ".", "root folder of the repository")
	write := flag.String("write", "", "folder for the files")
	flag.Parse()
	list, err := corpus.Bundles(*root)
	if err != nil {
		log.Fatal(err)
	}
	var large bytes.Buffer
	if err := synth.Write(&large, synth.Full.Scale(0.05)); err != nil {
		log.Fatal(err)
	}
	list = append(list, corpus.Bundle{Name: "synth", Sources: []transpile.Source{{Name: "synth.uir", Text: large.Bytes()}}})
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

// translate returns the line of a bundle and a way.
func translate(b *corpus.Bundle, way int, write string) (line string) {
	name := ways[way].name + " " + b.Name
	defer func() {
		if r := recover(); r != nil {
			line = fmt.Sprintf("panic %s: %v", name, r)
		}
	}()
	opt := ways[way].opt
	opt.Images = b.Images
	p, diags := transpile.Load(b.Sources, opt)
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
