package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/internal/lexis/made"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
)

func runConvert(e *env, args []string) int {
	fs := newFlags("convert")
	to := fs.String("to", "", "`form` to convert to: "+strings.Join(transpile.Dialects.FormNames(), ", "))
	var opt transpile.Options
	fs.StringVar(&opt.Dialect, "dialect", "", "`dialect` of the bundle (default: by the file's ending and content)")
	fs.BoolVar(&opt.Strict, "strict", false, "treat accepted deviations from the typing rules as errors")
	var after list
	fs.Var(&after, "after", "`bundle` that is loaded before (repeatable)")
	out := fs.String("o", "", "write to `FILE` instead of standard output; a FILE that exists must be a bundle, or empty")
	e.verboseFlag(fs)
	files, status, done := e.parseFlags(fs, "convert -to FORM [-o FILE] BUNDLE", args)
	if done {
		return status
	}
	target, form := transpile.Dialects.Form(*to)
	switch {
	case *to == "":
		return e.errorf("convert: -to is missing (uvm2go convert -h shows the usage)")
	case form == nil:
		return e.errorf("convert: unknown form %q: want %s%s", *to, strings.Join(transpile.Dialects.FormNames(), ", "), lex.DidYouMean(*to, transpile.Dialects.FormNames()))
	case len(files) != 1:
		return e.errorf("convert: want one bundle, got %d", len(files))
	}
	if *out != "" {
		if err := aBundle.Check(*out); err != nil {
			return e.errorf("%v", err)
		}
		opt.Folder = filepath.Dir(*out)
	}
	src, err := e.readText(files[0])
	if err != nil {
		return e.errorf("%v", err)
	}
	var before []transpile.Source
	for _, f := range after.vals {
		s, err := e.readText(f)
		if err != nil {
			return e.errorf("%v", err)
		}
		before = append(before, s)
	}
	text, status := e.converted(src, before, target, form, opt)
	if status != statusOK {
		return status
	}
	if *out == "" {
		e.stdout.Write(text)
		return statusOK
	}
	if err := transpile.ReplaceFile(*out, text); err != nil {
		return e.errorf("%v", err)
	}
	return statusOK
}

// aBundle has the files that convert replaces.
var aBundle = made.New("a bundle", func(r io.Reader) bool {
	text, err := io.ReadAll(r)
	return err == nil && transpile.Dialects.Reads(text)
})

// readable reports whether a bundle can be read in a dialect without errors.
func readable(src transpile.Source, d *dialect.Dialect, opt transpile.Options) bool {
	opt.Dialect = d.Name
	p, _ := transpile.Load([]transpile.Source{src}, opt)
	return p != nil
}

// converted returns a bundle converted to another form, of the dialect target. The bundle is loaded after
// those in before. converted prints errors itself.
func (e *env) converted(src transpile.Source, before []transpile.Source, target *dialect.Dialect, to *dialect.Form, opt transpile.Options) ([]byte, int) {
	from, err := transpile.Dialects.Choose(opt.Dialect, []transpile.Source{src})
	if err != nil {
		return nil, e.errorf("%v", err)
	}
	own := from.Form(to.Name)
	switch {
	case own != nil && own == from.FormOf(src) && own.Format != nil && !own.Anew:
		out, status := e.formatted(from.Name, src)
		if opt.Folder != "" {
			out = diag.Moved(src.Name, out, opt.Folder)
		}
		return out, status
	case own == nil && to.Write == nil && opt.Dialect == "" && readable(src, target, opt):
		// a bundle of only types and constants means the same in both dialects
		return e.converted(src, before, target, to, transpile.Options{Dialect: target.Name, Strict: opt.Strict, Folder: opt.Folder})
	case own != nil && own.Convert != nil:
		done := e.step("converting " + src.Name)
		out, diags := own.Convert(src, dialect.Options{Strict: opt.Strict, Before: before, Folder: opt.Folder})
		done()
		if err := e.report(diags); err != nil {
			return nil, e.errorf("%v", err)
		}
		if diags.HasErrors() {
			return nil, statusInput
		}
		return out, statusOK
	case len(before) > 0:
		return nil, e.errorf("convert: -after is for bundles whose form has IDs, such as uirb")
	case to.Write == nil:
		return nil, e.errorf("convert: this version cannot write form %s from dialect %s", to.Name, from.Name)
	}
	p, status := e.loadSources(&input{opt: opt}, []transpile.Source{src})
	if p == nil {
		return nil, status
	}
	out, err := p.Write(to)
	if err != nil {
		return nil, e.inputError(fmt.Errorf("%s: %w", src.Name, err))
	}
	return out, statusOK
}
