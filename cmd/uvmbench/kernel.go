package main

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
)

// kernelFiles are the kernels with their twins, and in extra the programs for
// the cost of single features.
//
//go:embed kernels/*/*.uir kernels/*/*.c kernels/*/*.txt kernels/*/go*/main.go kernels/*/*.java
//go:embed extra/*/*.uir extra/*/*.txt extra/*/go/main.go
//go:embed kernels/*/*.ial extra/*.ial kernels/*/*.tvm extra/*.tvm
//go:embed kernels/*/*.py kernels/*/*.lua testdata/wazero/*
var kernelFiles embed.FS

// The twins of a kernel.
const (
	twinMu      = "mu"      // the translated program at -O1
	twinMu0     = "mu-O0"   // the translated program at -O0
	twinOld     = "mu2014"  // the same, its bundle written as text of 2014 first; only if asked for
	twinIAL     = "ial"     // the translated twin in IAL; only if asked for
	twinFree    = "ialfree" // the same without tests of references and indices; only if asked for
	twinTVM     = "tvm"     // the translated twin in TVM; only if asked for
	twinWithout = "without" // the translated program without the feature measured
	twinGo      = "go"
	twinErr     = "go_err"  // Go with error returns in place of panics
	twinChan    = "go_chan" // Go with channels in place of iter.Pull
	twinC       = "c"
	twinJava    = "java"
)

// A source is one twin as it comes.
type source struct {
	twin string
	file string // base name; for Java the class as well
	text []byte
}

// A kernel is one row of the table.
type kernel struct {
	name    string
	group   string
	args    bool              // the twins take the size as an argument
	sizes   map[string]string // the argument of the twins at the sizes other than the full one
	want    map[string]string // the output of each twin, by size
	sources []source          // in the order of twinNames; the bundle first, as twinMu
	// without, if not nil, changes the translation of twinWithout.
	without *variant
}

// A variant is a way to translate without a feature.
type variant struct {
	noLines bool
	edit    func(bundle string) string // nil for none
}

// The sizes of kernels.
const (
	sizeFull   = "full"
	sizeMiddle = "middle" // a twelfth of the work, for engines that take ten times as long
	sizeSmall  = "small"  // for quick tests
)

// middleSizes are the middle sizes by kernel.
var middleSizes = map[string]string{
	"ackermann": "9", "atomics2": "5000000", "base64": "58", "binarytrees": "14", "collatz": "210000", "deltablue": "500", "dlx": "11",
	"fannkuch": "9", "fib": "35", "gcbench": "15", "generator": "330000", "hashmap": "125000", "heapsort": "210000", "jsontok": "10",
	"linkedlist": "83000", "mandelbrot": "375", "matmul": "350", "matmulint": "350", "nbody": "420000", "nbodyfix": "200000",
	"popcount": "12500000", "primetest": "166000",
	"quicksort": "330000", "redblack": "50000", "richards": "50", "sha256": "125000", "sieve": "7", "spectralnorm": "720",
	"tagvm": "250000", "tailstate": "12500000", "tak": "10", "throw1": "250000", "throw10": "83000", "vcall": "3300",
}

// The groups, in the order of the table.
const (
	groupArith     = "integer, floating point, arrays"
	groupCalls     = "calls and recursion"
	groupObjects   = "objects and collection"
	groupValues    = "tagged values"
	groupThrow     = "exceptions"
	groupStacks    = "stacks"
	groupThreads   = "threads"
	groupOverheads = "overheads"
)

var groups = []string{
	groupArith, groupCalls, groupObjects, groupValues, groupThrow, groupStacks, groupThreads, groupOverheads,
}

// groupOf gives each kernel its group; a kernel that is missing here is an
// error.
var groupOf = map[string]string{
	"base64": groupArith, "collatz": groupArith, "fannkuch": groupArith, "heapsort": groupArith,
	"jsontok": groupArith, "mandelbrot": groupArith, "matmul": groupArith, "matmulint": groupArith,
	"nbody": groupArith, "nbodyfix": groupArith,
	"popcount": groupArith, "primetest": groupArith, "quicksort": groupArith, "sha256": groupArith,
	"sieve": groupArith, "spectralnorm": groupArith,
	"ackermann": groupCalls, "fib": groupCalls, "tailstate": groupCalls, "tak": groupCalls, "vcall": groupCalls,
	"binarytrees": groupObjects, "deltablue": groupObjects, "dlx": groupObjects, "gcbench": groupObjects,
	"hashmap": groupObjects, "linkedlist": groupObjects, "redblack": groupObjects, "richards": groupObjects,
	"tagvm":  groupValues,
	"throw1": groupThrow, "throw10": groupThrow,
	"generator": groupStacks,
	"atomics2":  groupThreads,
}

// startKernel is the row for the time that a program takes to start and end.
const startKernel = "start"

// linesOf are the kernels that are timed with and without //line directives.
var linesOf = []string{"fib", "richards", "sieve"}

var (
	sizeLine = regexp.MustCompile(`(?m)^(\.const @SIZE <@i64> = )(\d+)( +// small: )(\d+)$`)

	keepalives = regexp.MustCompile(`(?m)(= CALL .*) KEEPALIVE\([^)]*\)$`)
	watchpoint = regexp.MustCompile(`(?m)\[%watch\] WATCHPOINT 1 <> (%fast\([^)]*\)) .*$`)
)

// A writing is a dialect in which some twins are written.
type writing struct {
	ending   string         // of the twin; the files of extra that have it are part of each program
	sizeLine *regexp.Regexp // the line with the size, in four parts as sizeLine
}

// writings lists the writings by twin. These twins run only if they are asked for.
var writings = map[string]writing{
	twinIAL: {".ial", regexp.MustCompile(`(?m)^( +size = load\.i64 \()(\d+)(\);  // small: )(\d+)$`)},
	twinTVM: {".tvm", regexp.MustCompile(`(?m)^(%size = #l)(\d+)(;  // small: )(\d+)$`)},
}

// loadKernels reads the kernels, sorted by group and name.
func loadKernels() ([]*kernel, error) {
	var ks []*kernel
	dirs, err := fs.ReadDir(kernelFiles, "kernels")
	if err != nil {
		return nil, err
	}
	byName := map[string]*kernel{}
	for _, d := range dirs {
		k, err := loadKernel(path.Join("kernels", d.Name()))
		if err != nil {
			return nil, err
		}
		if k.group = groupOf[k.name]; k.group == "" {
			return nil, fmt.Errorf("kernel %s belongs to no group", k.name)
		}
		ks = append(ks, k)
		byName[k.name] = k
	}
	empty, err := loadKernel("extra/empty")
	if err != nil {
		return nil, err
	}
	empty.name = startKernel
	keep, err := loadKernel("extra/keepalive")
	if err != nil {
		return nil, err
	}
	keep.without = &variant{edit: func(s string) string { return keepalives.ReplaceAllString(s, "$1") }}
	watch, err := loadKernel("extra/watchpoint")
	if err != nil {
		return nil, err
	}
	watch.without = &variant{edit: func(s string) string { return watchpoint.ReplaceAllString(s, "BRANCH $1") }}
	over := []*kernel{empty, keep, watch}
	for _, name := range linesOf {
		k := *byName[name]
		k.name = "lines-" + name
		k.sources = k.sources[:1:1]
		k.without = &variant{noLines: true}
		over = append(over, &k)
	}
	for _, k := range over {
		k.group = groupOverheads
	}
	ks = append(ks, over...)
	sort.SliceStable(ks, func(i, j int) bool {
		gi, gj := slices.Index(groups, ks[i].group), slices.Index(groups, ks[j].group)
		return gi < gj || gi == gj && ks[i].name < ks[j].name
	})
	return ks, nil
}

// loadKernel reads one folder.
func loadKernel(dir string) (*kernel, error) {
	k := &kernel{name: path.Base(dir)}
	bundle, err := kernelFiles.ReadFile(path.Join(dir, k.name+".uir"))
	if err != nil {
		return nil, err
	}
	k.sources = []source{{twinMu, k.name + ".uir", bundle}}
	if m := sizeLine.FindSubmatch(bundle); m != nil {
		k.args = true
		k.sizes = map[string]string{sizeSmall: string(m[4]), sizeMiddle: middleSizes[k.name]}
		k.want = map[string]string{}
		for _, size := range []string{sizeFull, sizeMiddle, sizeSmall} {
			file := size
			if k.sizes[size] == "" { // a kernel in extra, which no other engine runs
				k.sizes[size], file = string(m[2]), sizeFull
			}
			b, err := kernelFiles.ReadFile(path.Join(dir, file+".txt"))
			if err != nil {
				return nil, err
			}
			k.want[size] = string(b)
		}
	}
	err = fs.WalkDir(kernelFiles, dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s := source{file: path.Base(p)}
		switch path.Ext(p) {
		case ".go":
			s.twin = path.Base(path.Dir(p))
		case ".c":
			s.twin = twinC
		case ".java":
			s.twin = twinJava
		case ".py":
			s.twin = twinPython
		case ".lua":
			s.twin = twinLua
		default:
			if s.twin = writingOf(path.Ext(p)); s.twin == "" {
				return nil
			}
		}
		s.text, err = kernelFiles.ReadFile(p)
		k.sources = append(k.sources, s)
		return err
	})
	sort.SliceStable(k.sources, func(i, j int) bool {
		return slices.Index(twinNames, k.sources[i].twin) < slices.Index(twinNames, k.sources[j].twin)
	})
	return k, err
}

// bundleText returns the text of the bundle at a size.
func (k *kernel) bundleText(size string) string {
	s := string(k.sources[0].text)
	if size != sizeFull {
		s = sizeLine.ReplaceAllString(s, "${1}"+k.sizes[size]+"${3}${4}")
	}
	return s
}

// writingOf returns the twin that is written in files with an ending, "" for none.
func writingOf(ending string) string {
	for twin, w := range writings {
		if w.ending == ending {
			return twin
		}
	}
	return ""
}

// written returns a twin in another dialect at a size, to be translated in folder dir. The first file
// is the twin itself.
func (k *kernel) written(twin, dir, size string) ([]transpile.Source, error) {
	w, own := writings[twin], k.source(twin)
	text := own.text
	if size != sizeFull {
		text = w.sizeLine.ReplaceAll(text, []byte("${1}"+k.sizes[size]+"${3}${4}"))
	}
	files := []transpile.Source{{Name: filepath.Join(dir, own.file), Text: text}}
	parts, err := fs.Glob(kernelFiles, "extra/*"+w.ending)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		text, err := kernelFiles.ReadFile(p)
		if err != nil {
			return nil, err
		}
		files = append(files, transpile.Source{Name: filepath.Join(dir, path.Base(p)), Text: text})
	}
	return files, nil
}

// output returns the text that each twin must print.
func (k *kernel) output(size string) string { return k.want[size] }

// untestedOf are the kernels that are timed with and without the tests that IAL requires: their functions have the same
// arrays from the first block on.
var untestedOf = []string{"matmul", "quicksort", "sieve"}

// The uses of arrays in the twins in IAL, and functions up to the end of their first block.
var (
	ialFunction    = regexp.MustCompile(`(?ms)^function .*?^}$`)
	firstJump      = regexp.MustCompile(`(?ms)(block entry\s+{.*?)(jump|jump\.cond \S+) \(`)
	arrayRegisters = regexp.MustCompile(`register (\w+)\[\] ([\w.]+);`)
	arrayGet       = regexp.MustCompile(`(\S+) = array\.get (\S+), (\S+);`)
	arraySet       = regexp.MustCompile(`array\.set (\S+), (\S+), (\S+);`)
)

// untested replaces accesses to elements of arrays by accesses through pointers, which are not tested. A function takes the
// addresses of its arrays at the end of its first block and tests them for null only there.
func untested(text []byte) []byte {
	return ialFunction.ReplaceAllFunc(text, func(f []byte) []byte {
		var addresses string
		for _, m := range arrayRegisters.FindAllSubmatch(f, -1) {
			addresses += fmt.Sprintf("%s.first = array.addr %[1]s, %[1]s.zero; ", m[2])
		}
		f = firstJump.ReplaceAll(f, []byte("${1}"+addresses+"$2 ("))
		f = arrayRegisters.ReplaceAll(f, []byte("$0 register uint ${2}.zero; register $1* ${2}.first; register $1* ${2}.at;"))
		f = arraySet.ReplaceAll(f, []byte("${1}.at = ari.add ${1}.first, $2; mem.set ${1}.at, $3;"))
		return arrayGet.ReplaceAll(f, []byte("${2}.at = ari.add ${2}.first, $3; $1 = mem.get ${2}.at;"))
	})
}

// selectKernels returns the kernels with the given names, in the order of ks.
func selectKernels(ks []*kernel, names []string) ([]*kernel, error) {
	if len(names) == 0 {
		return ks, nil
	}
	want := map[string]bool{}
	for _, n := range names {
		want[n] = true
	}
	var sel []*kernel
	for _, k := range ks {
		if want[k.name] {
			sel = append(sel, k)
			delete(want, k.name)
		}
	}
	for _, n := range names {
		if want[n] {
			return nil, fmt.Errorf("unknown kernel %q (uvmbench -list shows them)", n)
		}
	}
	return sel, nil
}

// listKernels shows the kernels by group with their twins.
func listKernels(w io.Writer, ks []*kernel) error {
	rows := [][]string{{"kernel", "group", "twins"}}
	for _, k := range ks {
		var twins []string
		for _, s := range k.sources {
			twins = append(twins, s.twin)
		}
		if k.without != nil {
			twins = append(twins, twinWithout)
		}
		rows = append(rows, []string{k.name, k.group, strings.Join(twins, " ")})
	}
	_, err := io.WriteString(w, align(rows, "lll"))
	return err
}
