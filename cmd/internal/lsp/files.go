package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/uvm2go/uvm2go/transpile"
)

// Limits of what is read of a folder to find the texts of a program.
const (
	maxFiles = 500
	maxBytes = 16 << 20
)

// files are the texts that the editor has not opened, and which files the user says make up programs.
type files struct {
	mu     sync.Mutex
	cache  map[string]cached // by path
	lists  [][]string        // paths of the programs that the user lists
	module map[string]string // by path, where the list says it
}

// A cached is a file as it was when it was read.
type cached struct {
	time time.Time
	size int64
	doc  *document
}

// listed enters the programs that the user lists. Files are relative to root.
func (f *files) listed(root string, programs [][]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.module = map[string]string{}
	for _, list := range programs {
		var paths []string
		for _, name := range list {
			module, file, ok := strings.Cut(name, "=")
			if !ok {
				module, file = "", name
			}
			if !filepath.IsAbs(file) {
				file = filepath.Join(root, file)
			}
			file = filepath.Clean(file)
			if module != "" {
				f.module[file] = module
			}
			paths = append(paths, file)
		}
		f.lists = append(f.lists, paths)
	}
}

// list returns the program with a file that the user lists, nil if there is none.
func (f *files) list(path string) []string {
	for _, l := range f.lists {
		if slices.Contains(l, path) {
			return l
		}
	}
	return nil
}

// read returns the document of a file, nil if it cannot be read.
func (f *files) read(path string, utf8 bool) *document {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBytes {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.cache[path]; ok && c.size == info.Size() && c.time.Equal(info.ModTime()) {
		return c.doc
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	d := &document{uri: uriOf(path), path: path, text: text, utf8: utf8, unit: f.module[path]}
	if f.cache == nil {
		f.cache = map[string]cached{}
	}
	f.cache[path] = cached{info.ModTime(), info.Size(), d}
	return d
}

// folder lists the texts of a folder by name, as far as their endings say.
func folder(dir string) (paths []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	endings := transpile.Dialects.Endings()
	for _, e := range entries {
		if len(paths) == maxFiles {
			break
		}
		if slices.Contains(endings, filepath.Ext(e.Name())) && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// sameFolder reports whether two files are in one folder, where they may be of one program.
func sameFolder(a, b string) bool { return filepath.Dir(a) == filepath.Dir(b) }

// text returns the document of a file: that of the editor, or else that of the file itself; nil if there is none.
func (st *state) text(path string) *document {
	if d := st.docs[uriOf(path)]; d != nil {
		return d
	}
	for _, d := range st.docs {
		if d.path == path {
			return d
		}
	}
	return st.files.read(path, st.utf8)
}

// around lists the documents that may be in a program with d, which is the first: those in its folder in the same
// dialect, or those of the list of the user. The caller must not change the list: it is found once.
func (st *state) around(d *document) []*document {
	all, ok := st.arounds[d]
	if !ok {
		all = st.findAround(d)
		st.arounds[d] = all
	}
	return all
}

func (st *state) findAround(d *document) []*document {
	d.know()
	list := st.files.list(d.path)
	if list == nil && filepath.IsAbs(d.path) {
		list = folder(filepath.Dir(d.path))
		for _, o := range st.docs { // also those that have no file yet
			if o != d && sameFolder(o.path, d.path) && !slices.Contains(list, o.path) {
				list = append(list, o.path)
			}
		}
	}
	all := []*document{d}
	bytes := len(d.text)
	for _, path := range list {
		if path == d.path || st.ctx.Err() != nil {
			continue
		}
		o := st.text(path)
		if o == nil {
			continue
		}
		if o.know(); o.dialect != d.dialect || o.lang == nil {
			continue
		}
		if bytes += len(o.text); bytes > maxBytes {
			break
		}
		all = append(all, o)
	}
	return all
}

// program lists the texts of the program that d is in, in the order in which they are loaded. If the user does
// not list them, they are d and, of the texts around it, those that define what the others use: a text after
// those that it needs. A text that defines a name again which another one defines is of another program. The caller
// must not change the list: it is found once.
func (st *state) program(d *document) []*document {
	texts, ok := st.programs[d]
	if !ok {
		texts = st.findProgram(d)
		st.programs[d] = texts
	}
	return texts
}

func (st *state) findProgram(d *document) []*document {
	all := st.around(d)
	if list := st.files.list(d.path); list != nil {
		all = slices.Clone(all)
		slices.SortStableFunc(all, func(a, b *document) int { return slices.Index(list, a.path) - slices.Index(list, b.path) })
		return all
	}
	if len(all) == 1 {
		return all
	}
	owner := map[string]*document{}
	for _, o := range all[1:] {
		x := o.index()
		for i := range x.Names {
			if n := &x.Names[i]; n.Def && !n.Decl && n.Scope < 0 && owner[n.Key] == nil {
				owner[n.Key] = o
			}
		}
	}
	var order []*document
	in := map[*document]bool{d: true}
	have := map[string]bool{}
	enter := func(o *document) {
		x := o.index()
		for i := range x.Names {
			if n := &x.Names[i]; n.Def && !n.Decl && n.Scope < 0 {
				have[n.Key] = true
			}
		}
	}
	fits := func(o *document) bool {
		x := o.index()
		for i := range x.Names {
			if n := &x.Names[i]; n.Def && !n.Decl && n.Scope < 0 && have[n.Key] {
				return false
			}
		}
		return true
	}
	enter(d)
	var visit func(o *document)
	visit = func(o *document) {
		used, declared := o.index().Missing()
		for _, key := range append(used, declared...) {
			if next := owner[key]; next != nil && !in[next] && !have[key] && fits(next) {
				in[next] = true
				enter(next)
				visit(next)
			}
		}
		order = append(order, o)
	}
	visit(d)
	return order
}
