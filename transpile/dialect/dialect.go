// Package dialect is the interface between the source languages and the rest of the
// translator: it defines how a language describes itself, so that its bundles can be
// recognised, read, formatted, converted and called.
//
// It contains no language. A reader fills in a Dialect; package dialects has the only list of
// them. Code that works with bundles uses a Registry and knows no language by name.
package dialect

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A Source is one input: its name as diagnostics show it, and its bytes.
type Source struct {
	Name string
	Text []byte
	// Unit is the name of the module that it is part of, "" if only the file itself says. It is
	// for dialects that have modules.
	Unit string
}

// Later describes the source as a bundle that is loaded at run time.
func (s Source) Later() *ir.Later {
	sum := sha256.Sum256(s.Text)
	return &ir.Later{Name: path.Base(strings.ReplaceAll(s.Name, `\`, "/")), Hash: hex.EncodeToString(sum[:])}
}

// Options say how bundles are read.
type Options struct {
	Strict bool // accepted deviations are errors
	// Mono asks for copies of functions for the types that they are called with.
	Mono bool
	// Natives are symbols that Go code of a client registers. Linked says that there are native
	// libraries, in which a linker finds other symbols. Dialects whose programs mark native symbols
	// themselves do not need either.
	Natives []string
	Linked  bool
	// Later are bundles that are loaded at run time (ir.Later), after the others.
	Later []Source
	// Call is the call that the program makes, nil if it is for no particular call; see Dialect.Calls.
	Call *Call
	// Before are bundles that are loaded before the one that Convert converts.
	Before []Source
	// Folder is that of the text which Convert writes; relative names of files in it are relative to the folder.
	Folder string
	// Running is the program that loads the bundles while it runs, nil if they are a program of their own.
	Running *Running
}

// A Call is the call of a function by name, with literals separated by commas.
type Call struct{ Name, Args string }

// Caller is the function that makes the call of Options.Call.
var Caller = ir.GlobalName("-call")

// A Dialect is one source language. A function is nil if the language does not have the
// feature.
type Dialect struct {
	Name    string // for -dialect: lower case, no spaces
	Title   string // for people: "Mu IR of 2016"
	Forms   []Form
	Modules bool     // files make up named modules, see Source.Unit
	Archive *Archive // the members of its archives, nil for a language without archives
	Stages  []Stage  // of checking, each of which includes those before it
	Checks  string   // the stage of a check that names none; "" checks all that Load does
	// Recognize says by its content whether a bundle is of this dialect. It is
	// called where several dialects share a file ending.
	Recognize func(text []byte) Evidence
	// Reads reports whether a text is a bundle of this dialect that defines something: it has no errors, but for those in
	// what it means. Files that are not bundles must not pass for one: they would be replaced.
	Reads func(text []byte) bool
	// Load reads bundles in order into one program and checks them. Errors are added to
	// diags; the program may be used only if the second result is true. Load is nil for a
	// dialect that this version knows only by name and cannot read.
	Load func(files *diag.Set, srcs []Source, opt Options, diags *diag.List) (*ir.Program, bool)
	// LoadImage reads a HAIL script into a loaded program.
	LoadImage func(p *ir.Program, files *diag.Set, src Source, diags *diag.List) bool
	// Calls means that Load makes a function Caller without parameters for Options.Call.
	// Otherwise ParseArgs reads the arguments.
	Calls bool
	// Main is the users' name of the function that a program begins with by default.
	Main string
	// Aliases returns the names in a program that an entity with the users' name may have, the likeliest
	// first. It is nil if users use the names in the program.
	Aliases func(p *ir.Program, name string) []string
	// Results returns the notations in which the results of a call are printed. Nil means
	// the notation of the default trap handler.
	Results func(p *ir.Program, f *ir.Function) []ir.Notation
}

// A Stage is one of several ways to check bundles, for dialects that can check less or more than
// Load does.
type Stage struct {
	Name string // for check -stage
	// Check reads bundles and checks them. Errors are added to diags.
	Check func(files *diag.Set, srcs []Source, opt Options, diags *diag.List)
}

// An Archive is a form of zip archives of bundles and related files. Members have these endings, with
// their dots; other members are ignored.
type Archive struct {
	Ending string // of the archive
	Bundle string
	Image  string // a HAIL script
	Info   string // a JSON object
}

// A Form is a format of bundles of a dialect.
type Form struct {
	Name   string // for convert -to
	Title  string // for people: "canonical text"
	Ending string // of files, with its dot
	Binary bool
	// Fits says by its content whether a bundle of the dialect is in this form. It is nil for a form that
	// everything fits that is in none of the forms with Fits.
	Fits func(text []byte) bool
	// Format lays out a bundle in this form canonically. If the bundle does not parse,
	// the error is a *diag.List. Text keeps its comments.
	Format func(name string, src []byte) ([]byte, error)
	// Convert writes a bundle of the same dialect, in any form, in this form.
	Convert func(src Source, opt Options) ([]byte, *diag.List)
	// Anew means that Convert also rewrites bundles in this form; without it they are only laid out.
	Anew bool
	// Write writes a loaded program of any dialect in this form. If Expanded is set, package expand
	// must have processed the program, so that it has only operations of Mu.
	Expanded bool
	Write    func(p *ir.Program) ([]byte, error)
}

// Stage finds a stage of checking by its name. The error lists the stages of this dialect, or of
// others in a registry.
func (d *Dialect) Stage(name string, r Registry) (*Stage, error) {
	for i := range d.Stages {
		if d.Stages[i].Name == name {
			return &d.Stages[i], nil
		}
	}
	if len(d.Stages) > 0 {
		var known []string
		for _, s := range d.Stages {
			known = append(known, s.Name)
		}
		return nil, fmt.Errorf("unknown stage %q: dialect %s has %s%s", name, d.Name, d.stageNames(), lex.DidYouMean(name, known))
	}
	text := fmt.Sprintf("dialect %s has no stages", d.Name)
	for _, o := range r {
		if len(o.Stages) > 0 {
			text += fmt.Sprintf("; dialect %s has %s", o.Name, o.stageNames())
		}
	}
	return nil, errors.New(text)
}

func (d *Dialect) stageNames() string {
	var names []string
	for _, s := range d.Stages {
		names = append(names, s.Name)
	}
	n := len(names) - 1
	if n < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n], ", ") + " and " + names[n]
}

// Form finds a form of the dialect by its name, nil if there is none.
func (d *Dialect) Form(name string) *Form {
	for i := range d.Forms {
		if d.Forms[i].Name == name {
			return &d.Forms[i]
		}
	}
	return nil
}

// FormOf finds the form of a bundle of the dialect: one whose Fits says so, or of those that fit
// its content one with the ending of its name, or the first.
func (d *Dialect) FormOf(src Source) *Form {
	// Every binary form begins with a control character, and no text does.
	binary := len(src.Text) > 0 && src.Text[0] < ' ' && !strings.ContainsRune("\t\n\v\f\r", rune(src.Text[0])) || len(src.Text) > 0 && src.Text[0] == 0x7f
	for i := range d.Forms {
		if f := &d.Forms[i]; f.Fits != nil && f.Fits(src.Text) {
			return f
		}
	}
	var first *Form
	for i := range d.Forms {
		f := &d.Forms[i]
		switch {
		case f.Binary != binary, f.Fits != nil:
		case f.Ending == filepath.Ext(src.Name):
			return f
		case first == nil:
			first = f
		}
	}
	if first == nil {
		return &d.Forms[0]
	}
	return first
}

// Evidence says how likely it is that a bundle is of a dialect.
type Evidence int

// The kinds of evidence.
const (
	None     Evidence = iota // it is of another dialect, or nothing indicates this one
	Possible                 // nothing speaks against it
	Certain                  // it has what no other dialect has
)

// A Registry is a list of dialects. Earlier ones are preferred.
type Registry []*Dialect

// Names lists the names of the dialects.
func (r Registry) Names() []string {
	var names []string
	for _, d := range r {
		names = append(names, d.Name)
	}
	return names
}

// Named finds a dialect by its name, nil if there is none.
func (r Registry) Named(name string) *Dialect {
	for _, d := range r {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Form finds a form of any dialect by its name.
func (r Registry) Form(name string) (*Dialect, *Form) {
	for _, d := range r {
		for i := range d.Forms {
			if d.Forms[i].Name == name {
				return d, &d.Forms[i]
			}
		}
	}
	return nil, nil
}

// FormNames lists the names of all forms.
func (r Registry) FormNames() []string {
	var names []string
	for _, d := range r {
		for _, f := range d.Forms {
			names = append(names, f.Name)
		}
	}
	return names
}

// Endings lists the endings of files in all forms, with their dots, without duplicates.
func (r Registry) Endings() []string {
	var endings []string
	for _, d := range r {
		for _, f := range d.Forms {
			if !slices.Contains(endings, f.Ending) {
				endings = append(endings, f.Ending)
			}
		}
	}
	return endings
}

// Archives lists the forms of archives.
func (r Registry) Archives() []*Archive {
	var list []*Archive
	for _, d := range r {
		if d.Archive != nil {
			list = append(list, d.Archive)
		}
	}
	return list
}

// Of finds the dialect of a bundle by the ending of its name and, if several
// dialects or none have that ending, by its content. Of dialects with equal evidence
// it takes the first, even if there is no evidence: its diagnostics are the most
// useful to the author.
func (r Registry) Of(src Source) *Dialect {
	ending := filepath.Ext(src.Name)
	among := r
	if own := slices.DeleteFunc(slices.Clone(r), func(d *Dialect) bool {
		return !slices.ContainsFunc(d.Forms, func(f Form) bool { return f.Ending == ending })
	}); len(own) > 0 {
		among = own
	}
	best, most := among[0], None
	for _, d := range among {
		if len(among) == 1 || d.Recognize == nil {
			continue
		}
		if e := d.Recognize(src.Text); e > most {
			best, most = d, e
		}
		if most == Certain { // no other can be better, and Recognize may take long
			break
		}
	}
	return best
}

// Reads reports whether a text is a bundle of any dialect (Dialect.Reads).
func (r Registry) Reads(text []byte) bool {
	return slices.ContainsFunc(r, func(d *Dialect) bool { return d.Reads != nil && d.Reads(text) })
}

// Choose finds the dialect of a program: the one called name or, if name is "", the
// one that all its bundles are in. It returns an error if there is none.
func (r Registry) Choose(name string, srcs []Source) (*Dialect, error) {
	var d *Dialect
	if name != "" {
		if d = r.Named(name); d == nil {
			return nil, fmt.Errorf("unknown dialect %q: want %s%s", name, enumerate(r.Names()), lex.DidYouMean(name, r.Names()))
		}
		if d.Load == nil {
			return nil, fmt.Errorf("this version does not read dialect %s yet", name)
		}
		return d, d.units(srcs)
	}
	for i, s := range srcs {
		own := r.Of(s)
		if own.Load == nil {
			return nil, fmt.Errorf("%s: this version does not read dialect %s yet (-dialect %s reads it as %s)", s.Name, own.Name, r[0].Name, r[0].Title)
		}
		if d != nil && own != d {
			return nil, fmt.Errorf("%s is in dialect %s and %s in %s: the bundles of a program are in one dialect", srcs[i-1].Name, d.Name, s.Name, own.Name)
		}
		d = own
	}
	if d == nil {
		d = r[0]
	}
	return d, d.units(srcs)
}

// units checks that only files of a dialect with modules have a module, and that no file is given
// twice, which would repeat all its declarations.
func (d *Dialect) units(srcs []Source) error {
	given := map[string]bool{}
	for _, s := range srcs {
		if name := filepath.Clean(s.Name); d.Modules && given[name] {
			return fmt.Errorf("%s is given twice", s.Name)
		} else {
			given[name] = true
		}
		if s.Unit != "" && !d.Modules {
			return fmt.Errorf("%s=%s: dialect %s has no modules that a file could be part of", s.Unit, s.Name, d.Name)
		}
	}
	return nil
}

// enumerate makes "a, b or c" from names.
func enumerate(names []string) string {
	n := len(names)
	if n < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
}
