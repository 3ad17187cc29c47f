// Package reduce makes bundles smaller while they keep a property, such as that a command fails on them:
// uvm2go reduce and the reductions of uvmfuzz.
//
// It knows these ways, which Reduce uses one after the other as far as the bundle allows:
//
//   - steps on the tree of Mu text (edit.go, params.go), which replace functions, branches, instructions and operands by
//     simpler ones and leave out parameters, so that the bundle stays valid;
//   - steps on lines (lines.go, blocks.go, irparams.go), for every dialect: definitions, blocks, jumps, groups of lines;
//   - elements of lists in brackets (items.go): types of fields, arguments, operands;
//   - tokens (tokens.go), and characters if the bundle is or may be invalid.
//
// It does not know what makes a text interesting: the caller decides. A change that makes the text invalid,
// or that loses the property, is undone. With the same answers of the caller the result is the same, however many
// candidates are tried at a time.
package reduce

import (
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
)

// Options say what to reduce and how.
type Options struct {
	Dialect string // "" to recognise the dialect by name and content
	// Keep reports whether bundles have the property. It is called only with bundles that are valid, if those to
	// reduce are, unless Invalid is set. Several calls may run at the same time, at most Jobs; worker, from 0, tells them apart.
	// When the context ends, the answer no longer counts.
	Keep    func(ctx context.Context, worker int, files []transpile.Source) bool
	Jobs    int                            // how many candidates to try at a time, 0 for one
	Invalid bool                           // also try bundles with errors
	Better  func(files []transpile.Source) // called with each smaller bundle, or nil
	Log     io.Writer                      // a line for each round, or nil
	Tell    func(what string)              // called with the state of the search now and then, or nil
}

// Reduce returns the smallest texts that it finds with the property of opt.Keep, which the files, of one program, must
// have. It stops when the context ends.
func Reduce(ctx context.Context, files []transpile.Source, opt Options) []transpile.Source {
	r := &reducer{ctx: ctx, opt: opt, files: slices.Clone(files), failed: map[uint64]bool{}, seed: maphash.MakeSeed()}
	r.opt.Jobs = max(1, opt.Jobs)
	r.valid = r.load("", false) != nil
	for {
		before := r.size()
		for at := range r.files {
			r.file(at)
		}
		if len(r.files) == 1 || r.size() == before || r.over() {
			return r.files
		}
	}
}

type reducer struct {
	ctx   context.Context
	opt   Options
	files []transpile.Source // the smallest so far
	at    int                // the one that is being reduced
	text  string             // its text
	valid bool               // only valid bundles count
	all   bool               // see edit.all
	tries int
	// failed has the hashes of texts that lack the property, since the last change of another file
	failed map[uint64]bool
	seed   maphash.Seed
}

// file reduces a file; the others stay.
func (r *reducer) file(at int) {
	r.at, r.text, r.all = at, string(r.files[at].Text), false
	clear(r.failed)
	if len(r.files) > 1 && r.first(1, func(int) string { return "" }) == 0 {
		return
	}
	p := r.load(r.text, true)
	switch {
	case !r.valid || p == nil:
		r.rounds(r.lines, r.tokens)
		return
	case p.Dialect.Name == "mu":
		if tidy := r.tidied(r.text, false); !r.try(tidy) && tidy != r.text {
			r.all = true
			r.try(r.tidied(r.text, true))
		}
		r.rounds(r.tree, r.constants)
	}
	r.rounds(r.lines)
	r.rounds(r.lines, r.items, r.words)
	if r.opt.Invalid {
		r.valid = false
		clear(r.failed)
		r.rounds(r.lines, r.tokens)
		r.valid = true
	}
}

// with is the files with another text of the present one.
func (r *reducer) with(text string) []transpile.Source {
	files := slices.Clone(r.files)
	files[r.at].Text = []byte(text)
	return files
}

// load reads the bundles, with another text of the present one if replaced; nil if there are errors.
func (r *reducer) load(text string, replaced bool) *transpile.Program {
	files := r.files
	if replaced {
		files = r.with(text)
	}
	p, _ := transpile.Load(files, transpile.Options{Dialect: r.opt.Dialect, MaxErrors: 1})
	return p
}

func (r *reducer) over() bool { return r.ctx.Err() != nil }

func (r *reducer) size() int {
	n := 0
	for _, f := range r.files {
		n += len(f.Text)
	}
	return n
}

// try tests a text and keeps it if it has the property.
func (r *reducer) try(text string) bool { return r.first(1, func(int) string { return text }) == 0 }

// first tests n candidates in order and keeps the first that has the property. It returns its number, or n.
// A candidate that is the present text counts as one without the property. Several may be made and tested at a time.
func (r *reducer) first(n int, candidate func(i int) string) int {
	for from := 0; from < n && !r.over(); {
		jobs := min(r.opt.Jobs, n-from)
		texts, good := make([]string, jobs), make([]bool, jobs)
		stops := make([]context.CancelFunc, jobs)
		done := make(chan int, jobs)
		for k := range jobs {
			var ctx context.Context
			ctx, stops[k] = context.WithCancel(r.ctx)
			test := func() {
				texts[k] = candidate(from + k)
				good[k] = r.keeps(ctx, k, texts[k])
				done <- k
			}
			if jobs == 1 {
				test()
			} else {
				go test()
			}
		}
		for range jobs {
			if k := <-done; good[k] {
				for _, stop := range stops[k+1:] {
					stop() // they come after it, so they do not count
				}
			}
		}
		taken := slices.Index(good, true)
		for k, stop := range stops {
			stop()
			if taken < 0 || k <= taken {
				r.tries++
				if k != taken && !r.over() {
					r.failed[maphash.String(r.seed, texts[k])] = true
				}
			}
		}
		if r.opt.Tell != nil {
			r.opt.Tell(fmt.Sprintf("%d lines after %d tries", r.lineCount(), r.tries))
		}
		if taken >= 0 && !r.over() {
			r.text = texts[taken]
			r.files = r.with(r.text)
			if r.opt.Better != nil {
				r.opt.Better(r.files)
			}
			return from + taken
		}
		from += jobs
	}
	return n
}

// keeps tests a text.
func (r *reducer) keeps(ctx context.Context, worker int, text string) bool {
	if text == "" && len(r.files) == 1 || text == r.text || r.failed[maphash.String(r.seed, text)] {
		return false
	}
	if r.valid && r.load(text, true) == nil {
		return false
	}
	return ctx.Err() == nil && r.opt.Keep(ctx, worker, r.with(text))
}

func (r *reducer) lineCount() int {
	n := 0
	for _, f := range r.files {
		n += strings.Count(string(f.Text), "\n")
	}
	return n
}

// rounds calls the functions until none changes the text, or the time is over.
func (r *reducer) rounds(list ...func()) {
	for round := 1; ; round++ {
		before := r.text
		for _, f := range list {
			f()
		}
		if r.opt.Log != nil {
			fmt.Fprintf(r.opt.Log, "reduction, round %d: %d lines after %d tries\n", round, r.lineCount(), r.tries)
		}
		if r.text == before || r.over() {
			return
		}
	}
}

// parts tries to leave out parts of the text, at first half of them together. split cuts a text into its parts.
func (r *reducer) parts(split func(text string) []string) {
	for size := len(split(r.text)) / 2; size >= 1; size /= 2 {
		for at := 0; !r.over(); {
			l := split(r.text)
			if at >= len(l) {
				break
			}
			n := (len(l) - at + size - 1) / size
			taken := r.first(n, func(i int) string {
				from := at + i*size
				return strings.Join(l[:from], "") + strings.Join(l[min(from+size, len(l)):], "")
			})
			at += taken * size // what follows has moved here
		}
	}
}

// A step numbers the places of a tree that it can change from 0 and changes the chosen ones;
// it returns the number of places.
type step struct {
	name  string
	apply func(e *edit, chosen func(int) bool) int
}

// tree takes the steps on the tree of Mu text.
func (r *reducer) tree() {
	for _, s := range steps {
		r.step(s)
	}
}

// step tries the changes of a step, at first half of them together.
func (r *reducer) step(s step) {
	places := func() int {
		if e := r.newEdit(); e != nil {
			return s.apply(e, func(int) bool { return false })
		}
		return 0
	}
	count := places()
	for size := count; size >= 1; size /= 2 {
		for at := 0; at < count && !r.over(); {
			n := (count - at + size - 1) / size
			taken := r.first(n, func(i int) string {
				e := r.newEdit()
				if e == nil {
					return r.text
				}
				from := at + i*size
				s.apply(e, func(place int) bool { return place >= from && place < from+size })
				return e.text()
			})
			at += taken * size
			if taken == n {
				break
			}
			before := count
			if count = places(); count == before { // otherwise the next place has moved here
				at += size
			}
		}
	}
}

// constants makes the numbers of Mu text simpler, one after the other.
func (r *reducer) constants() {
	lines := strings.Split(r.text, "\n")
	for i, line := range lines {
		head, val, ok := strings.Cut(line, "= ")
		if !ok || !strings.HasPrefix(line, ".const ") || strings.Contains(line, "{") {
			continue
		}
		for _, s := range simpler(val) {
			now := strings.Split(r.text, "\n")
			now[i] = head + "= " + s
			if r.try(strings.Join(now, "\n")) {
				break
			}
		}
	}
}

// simpler lists numbers that are simpler than a literal of Mu text.
func simpler(val string) []string {
	switch {
	case val == "0" || val == "1" || val == "NULL" || val == "0.0d" || val == "0.0f" || val == "1.0d" || val == "1.0f":
		return nil
	case strings.HasSuffix(val, "f") && strings.Contains(val, "."), strings.HasPrefix(val, "bitsf"):
		return []string{"0.0f", "1.0f"}
	case strings.HasSuffix(val, "d") && strings.Contains(val, "."), strings.HasPrefix(val, "bitsd"):
		return []string{"0.0d", "1.0d"}
	case strings.ContainsAny(val, "nif\""):
		return nil
	}
	return []string{"0", "1"}
}
