// Package play does the work of the playground: it checks bundles, shows the output that passes and generator make
// of them, runs them on the engine for live code, and judges litmus tests. It does not depend on browsers. Its input and output are
// JSON texts, so that the page's script needs only one Go function (Respond); a program that
// runs has a process of its own (Run).
package play

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dump"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A File is the content of a tab of the editor. HAIL scripts end in .hail, litmus tests in .litmus; the others are bundles.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// A Request is a program with the settings for its check, translation and run.
type Request struct {
	Files   []File `json:"files"`
	Dialect string `json:"dialect,omitempty"` // "" to tell it from names and contents
	Level   int    `json:"level"`             // 0 without, 1 with the optimising passes
	Strict  bool   `json:"strict,omitempty"`
	Call    string `json:"call,omitempty"` // function to call instead of @main; its results are printed
	Args    string `json:"args,omitempty"` // literals for it, with commas between
	Trap    string `json:"trap,omitempty"` // what the default trap handler does: "", print or abort
	WW      bool   `json:"ww,omitempty"`   // of litmus tests: options of the model
	ThinAir bool   `json:"air,omitempty"`
}

// An Answer holds the data to show. If there is no program because of errors, it has only these.
type Answer struct {
	Diagnostics []json.RawMessage `json:"diagnostics"` // as uvm2go check -json prints them
	More        int               `json:"more,omitempty"`
	Error       string            `json:"error,omitempty"` // why no more can be shown
	Functions   []Function        `json:"functions,omitempty"`
	Go          string            `json:"go,omitempty"`
	Litmus      *Verdict          `json:"litmus,omitempty"`
}

// A Function is the representation of a function on its way through the passes.
type Function struct {
	Name  string `json:"name"`
	Steps []Step `json:"steps"`
}

// A Step is a function as it was read, or as it is after a run of a pass that changed it.
type Step struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Fresh []int  `json:"fresh,omitempty"` // lines, from 0, that the step before does not have
}

// questions are the questions that the page can ask, by name.
var questions = map[string]func(r *Request) *Answer{"check": check, "passes": passes, "go": source, "litmus": litmus}

// Respond answers a question about a request. Request and answer are JSON. An internal error of uvm2go is an answer, too.
func Respond(question string, request []byte) (answer []byte) {
	defer func() {
		if r := recover(); r != nil {
			answer = encoded(&Answer{Error: fmt.Sprintf("internal error: %v", r)})
		}
	}()
	ask := questions[question]
	if ask == nil {
		return encoded(&Answer{Error: fmt.Sprintf("no such question: %q", question)})
	}
	r := new(Request)
	if err := json.Unmarshal(request, r); err != nil {
		return encoded(&Answer{Error: err.Error()})
	}
	return encoded(ask(r))
}

func encoded(a *Answer) []byte {
	if a.Diagnostics == nil {
		a.Diagnostics = []json.RawMessage{}
	}
	b, err := json.Marshal(a)
	if err != nil {
		return encoded(&Answer{Error: err.Error()})
	}
	return b
}

// sources returns the bundles, and the options with the scripts.
func (r *Request) sources() ([]transpile.Source, transpile.Options) {
	opt := transpile.Options{Dialect: r.Dialect, Strict: r.Strict, Optimize: r.Level, Call: r.Call}
	if r.Args != "" {
		opt.CallArgs = strings.Split(r.Args, ",")
	}
	var bundles []transpile.Source
	for _, f := range r.Files {
		s := transpile.Source{Name: f.Name, Text: []byte(f.Text)}
		if strings.HasSuffix(f.Name, ".hail") {
			opt.Images = append(opt.Images, s)
		} else {
			bundles = append(bundles, s)
		}
	}
	return bundles, opt
}

// check answers with the diagnostics of all checks of the dialect.
func check(r *Request) *Answer {
	srcs, opt := r.sources()
	d, err := transpile.Dialects.Choose(opt.Dialect, srcs)
	if err == nil && d.Checks != "" && len(opt.Images) == 0 {
		return answer(transpile.Check(srcs, d.Checks, opt))
	}
	_, diags := transpile.Load(srcs, opt)
	return answer(diags)
}

// answer returns an Answer with diagnostics.
func answer(diags *diag.List) *Answer {
	var text bytes.Buffer
	if err := diags.PrintJSON(&text); err != nil {
		return &Answer{Error: err.Error()}
	}
	a := new(Answer)
	for line := range bytes.Lines(text.Bytes()) {
		a.Diagnostics = append(a.Diagnostics, bytes.TrimSpace(line))
	}
	_, a.More = diags.Shown()
	return a
}

// passes answers with the functions after each pass.
func passes(r *Request) *Answer {
	srcs, opt := r.sources()
	p, diags := transpile.Load(srcs, opt)
	a := answer(diags)
	if p == nil {
		return a
	}
	vs, err := dump.Select(p.IR, "")
	if err != nil {
		a.Error = err.Error()
		return a
	}
	shots := dump.NewShots(p.IR, vs)
	if err := p.Optimized(shots.After); err != nil {
		a.Error = err.Error()
	}
	columns := shots.Columns()
	for _, v := range vs {
		a.Functions = append(a.Functions, Function{v.Name, steps(v, columns)})
	}
	return a
}

// steps returns the steps in which a version changed.
func steps(v *ir.Version, columns []dump.Column) []Step {
	var l []Step
	before := ""
	for _, c := range columns {
		text := c.Text(v)
		if text == "" {
			continue
		}
		s := Step{Title: c.Title, Text: text}
		for i, fresh := range dump.Fresh(before, text) {
			if fresh {
				s.Fresh = append(s.Fresh, i)
			}
		}
		l = append(l, s)
		before = text
	}
	return l
}

// source answers with the Go: of a program if there is an entry function, otherwise of a package.
func source(r *Request) *Answer {
	srcs, opt := r.sources()
	opt.SingleFile = true
	p, diags := transpile.Load(srcs, opt)
	if p != nil && opt.Call == "" {
		if _, err := p.EntryFunction(); err != nil {
			opt.Package = "bundle"
			p, diags = transpile.Load(srcs, opt)
		}
	}
	a := answer(diags)
	if p == nil {
		return a
	}
	files, err := p.Generate()
	if err != nil {
		a.Error = err.Error()
		return a
	}
	for _, f := range files {
		a.Go += string(f.Data)
	}
	return a
}

// Run runs a program, and ends the process with its exit status. It returns only if the program cannot
// start; it then writes the reason to standard error and returns the status that the command would have.
func Run(request []byte) (status int) {
	const wrong, unusable = 1, 2
	r := new(Request)
	if err := json.Unmarshal(request, r); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return unusable
	}
	if err := r.run(os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return wrong
}

// run returns only if the program cannot start.
func (r *Request) run(stderr io.Writer) error {
	srcs, opt := r.sources()
	p, diags := transpile.Load(srcs, opt)
	if p == nil {
		return diags.Print(stderr)
	}
	if c := p.CSymbols(); len(c) > 0 {
		return fmt.Errorf("%s: %s is a function of C, which only programs that are built call", c[0].Pos, c[0].Name)
	}
	known, origins, err := p.Ready()
	if err != nil {
		return err
	}
	cfg := live.Config{Origins: origins, Names: p.EntityNames()}
	if r.Call != "" {
		if cfg.Entry, cfg.Args, err = p.CallArgs(); err != nil {
			return err
		}
		cfg.Print, cfg.Notation = true, p.CallResults(cfg.Entry)
	} else if cfg.Entry, err = p.EntryFunction(); err != nil {
		return err
	}
	if r.Trap != "" {
		os.Setenv("UVM_TRAP", r.Trap)
	}
	os.Args = []string{"playground"}
	return live.Run(known, cfg)
}
