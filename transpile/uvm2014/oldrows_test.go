package uvm2014_test

import (
	"bytes"
	"cmp"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
)

// An oldRow is a case of testdata/oldrows.txt: a bundle with a form that only old bundles have.
type oldRow struct {
	name, code string
	hex        bool     // the bundle is in the binary form
	fails      bool     // it is refused, with one error
	says       []string // its messages, LINE:COL first
	binary     string   // what becomes of it in the binary form
	exit       int
	prints     string
	inBinary   string // what it prints in the binary form, if not the same
}

// oldRows reads the cases. Each begins with === and its name; then follow what is expected, a line each, and
// after --- the bundle. The expectations are
//
//	says LINE:COL: MESSAGE       once for each warning, or for the error if it fails
//	binary: same                 converted, the bundle gives the same warnings
//	binary: without              converted, it has the form of today and gives no warning
//	binary: refused: MESSAGE     the form cannot be converted
//	fails                        it is refused
//	exit STATUS                  of the program, 0 if it is not given
//	prints LINE                  on standard output
//	binary prints LINE           instead, if converted
//
// A first line "hex" after --- says that the bundle is in the binary form, which has forms of its own.
func oldRows(t *testing.T) []oldRow {
	t.Helper()
	text, err := os.ReadFile("testdata/oldrows.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []oldRow
	for _, part := range strings.Split("\n"+string(text), "\n=== ")[1:] {
		part, _, _ = strings.Cut(part, "\n\n# ")
		head, code, ok := strings.Cut(part, "\n---\n")
		lines := strings.Split(head, "\n")
		if !ok {
			t.Fatalf("%s has no bundle", lines[0])
		}
		r := oldRow{name: lines[0]}
		r.code, r.hex = strings.CutPrefix(code, "hex\n")
		for _, line := range lines[1:] {
			word, rest, _ := strings.Cut(line, " ")
			switch word {
			case "says":
				r.says = append(r.says, rest)
			case "binary:":
				r.binary = rest
			case "fails":
				r.fails = true
			case "exit":
				if r.exit, err = strconv.Atoi(rest); err != nil {
					t.Fatal(err)
				}
			case "prints":
				r.prints += rest + "\n"
			case "binary":
				r.inBinary = strings.TrimPrefix(rest, "prints ") + "\n"
			default:
				t.Fatalf("%s: bad line %s", r.name, line)
			}
		}
		if r.hex {
			r.code = bundleOf(t, r.code)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestOldBundles has a case for each form that only old bundles have: which messages it gives, that it is refused if
// strict, what becomes of it in the binary form, and what the program does, in both forms.
func TestOldBundles(t *testing.T) {
	rows := oldRows(t)
	if len(rows) < 80 {
		t.Errorf("%d rows", len(rows))
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			p, msgs := load(false, r.code)
			if r.fails {
				r.messages(t, msgs, "")
				if p != nil {
					t.Error("it is accepted")
				}
				return
			}
			r.messages(t, msgs, "warning: ")
			if p == nil {
				return
			}
			r.runs(t, r.code, r.prints)
			r.strict(t)
			if r.hex {
				r.runs(t, string(convert(t, "uir2014", []byte(r.code))), r.prints)
			} else {
				r.converted(t)
			}
		})
	}
}

var (
	place = regexp.MustCompile(`(?m)^a\.uir:`)
	more  = regexp.MustCompile(` \(and \d+ more.*\)$`)
)

// messages compares the messages about a bundle with those wanted, whose kind is a prefix.
func (r *oldRow) messages(t *testing.T, msgs, kind string) {
	t.Helper()
	var got []string
	for line := range strings.Lines(msgs) {
		if said := strings.TrimSuffix(place.ReplaceAllString(line, ""), "\n"); said != strings.TrimSuffix(line, "\n") {
			at, text, _ := strings.Cut(said, ": ")
			text, ok := strings.CutPrefix(text, kind)
			if !ok {
				t.Errorf("%s: want a %s", line, kind)
			}
			got = append(got, at+": "+text)
		}
	}
	if !slices.Equal(got, r.says) {
		t.Errorf("got\nsays %s\nwant\nsays %s", strings.Join(got, "\nsays "), strings.Join(r.says, "\nsays "))
	}
}

// strict checks that the bundle is refused if strict, with errors that say the same as its warnings.
func (r *oldRow) strict(t *testing.T) {
	t.Helper()
	p, msgs := load(true, r.code)
	if (p == nil) != (len(r.says) > 0) || strings.Contains(msgs, "warning: ") {
		t.Errorf("strict: got %s", msgs)
	}
	for _, want := range r.says {
		if !strings.Contains(msgs, "a.uir:"+more.ReplaceAllString(want, "")+"\n") {
			t.Errorf("strict: want %s, got\n%s", want, msgs)
		}
	}
}

// runs checks what the program of a bundle does.
func (r *oldRow) runs(t *testing.T, code, prints string) {
	t.Helper()
	p, msgs := load(false, code)
	if p == nil {
		t.Fatal(msgs)
	}
	if p.Find("@main") == nil {
		return
	}
	var stdout, stderr bytes.Buffer
	status, err := interp.Run(p, interp.Config{Stdout: &stdout, Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	if status != r.exit || stdout.String() != prints {
		t.Errorf("got exit %d\n%swant exit %d\n%s%s", status, stdout.String(), r.exit, prints, stderr.String())
	}
}

// converted checks the bundle in the binary form.
func (r *oldRow) converted(t *testing.T) {
	t.Helper()
	out, diags := uvm2014.Dialect.Form("uirb").Convert(dialect.Source{Name: "a", Text: []byte(r.code)}, dialect.Options{})
	if diags.HasErrors() {
		if words, ok := strings.CutPrefix(r.binary, "refused: "); !ok || !strings.Contains(printed(diags), words) {
			t.Errorf("binary: refused: %swant %s", printed(diags), r.binary)
		}
		return
	}
	_, msgs := load(false, string(out))
	switch r.binary {
	case "without":
		if msgs != "" {
			t.Errorf("binary:\n%s", msgs)
		}
	case "same":
		got, want := texts(msgs), texts(strings.Join(r.says, "\n"))
		if !slices.EqualFunc(got, want, sameText) {
			t.Errorf("binary:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	default:
		t.Errorf("binary: accepted, want %s\n%s", r.binary, msgs)
	}
	roundTrip(t, []byte(r.code))
	r.runs(t, string(out), cmp.Or(r.inBinary, r.prints))
}

// texts are messages without their positions.
func texts(msgs string) []string {
	var l []string
	for line := range strings.Lines(msgs) {
		_, text, _ := strings.Cut(strings.TrimSuffix(place.ReplaceAllString(line, ""), "\n"), ": ")
		l = append(l, strings.TrimPrefix(text, "warning: "))
	}
	return l
}

var id = regexp.MustCompile(`@\d+`)

// sameText reports whether a message about a bundle in the binary form says what one about its text says. There types
// have IDs, where text has constructors.
func sameText(binary, text string) bool {
	var pattern strings.Builder
	for i, part := range id.Split(binary, -1) {
		if i > 0 {
			pattern.WriteString(".+")
		}
		pattern.WriteString(regexp.QuoteMeta(part))
	}
	return regexp.MustCompile("^" + pattern.String() + "$").MatchString(text)
}
