package tvm_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestConvert: a rewritten module means the same, has the layout of fmt, and is rewritten to itself.
func TestConvert(t *testing.T) {
	_, form := transpile.Dialects.Form("tvm")
	var files []string
	for _, p := range []string{"testdata/*.tvm", "../../examples/tvm/*/*.tvm", "../../cmd/uvmbench/kernels/*/*.tvm"} {
		list, err := filepath.Glob(p)
		if err != nil || len(list) == 0 {
			t.Fatal(p, err)
		}
		files = append(files, list...)
	}
	anew := func(src transpile.Source) transpile.Source {
		text, diags := form.Convert(src, dialect.Options{})
		if diags.HasErrors() {
			t.Fatalf("%s: %v", src.Name, diags.Err())
		}
		return transpile.Source{Name: src.Name, Text: text}
	}
	for _, f := range append(files, "odd.tvm") {
		text := []byte(odd)
		if f != "odd.tvm" {
			var err error
			if text, err = os.ReadFile(f); err != nil {
				t.Fatal(err)
			}
		}
		src := transpile.Source{Name: f, Text: text}
		once := anew(src)
		if twice := anew(once); !bytes.Equal(once.Text, twice.Text) {
			t.Errorf("%s: written anew twice, it is\n%s\nafter\n%s", f, twice.Text, once.Text)
		}
		if got, err := form.Format(f, once.Text); err != nil || !bytes.Equal(got, once.Text) {
			t.Errorf("%s: %v; laid out, it is\n%s", f, err, got)
		}
		if want, got := represented(t, src), represented(t, once); want != got {
			t.Errorf("%s: written anew, it is\n%s", f, once.Text)
		}
	}
}

var lines = regexp.MustCompile(`[\w./]+\.tvm:\d+(:\d+)?|\+\d+`)

// represented is the representation of a module, without positions.
func represented(t *testing.T, src transpile.Source) string {
	p, diags := transpile.Load([]transpile.Source{src}, transpile.Options{Package: "p"})
	if p == nil {
		t.Fatalf("%v\n%s", diags.Err(), src.Text)
	}
	var b bytes.Buffer
	if err := ir.Print(&b, p.IR); err != nil {
		t.Fatal(err)
	}
	return lines.ReplaceAllString(b.String(), "")
}

// odd has constructs that are rare in other modules.
const odd = `%a=array i8 #up4; %b = const #ix-1F; // c
%c = extern global i8; %d = global const export (pointer i8) (cast %c i8 upref_null); %e = local function cc_x86_stdcall sret (: llvm_byval llvm_inreg pointer i8, %x : pointer i64) > empty;
%f = function (%t : type | %p : llvm_inreg pointer %t) > (pointer %t) { br %l; landing_pad %k: unreachable; block %l: %q = cast %p %t; return %q; };
%g = odr function (%u : i8 , i16|) > llvm_inreg i32 { block %m: %z = phi i32: > #i1; br %n; block %n(%m): %y = phi (pointer i8): %m > %c; %r = load (%y); return (bitcast %r i32); };
%h = recursive () > struct; %i = recursive (%x : i32 | %y : type) > i32 > ((select true (#i3) #i2)); %j = base %D %O > (struct (pointer (function (member_ptr %O) > empty)));
%k = exists (%t : type, upref_type) > (pointer %t); %l = define pointer (function () > (pointer (function () > i8)));`
