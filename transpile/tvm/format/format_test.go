package format

import (
	"errors"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

func TestSource(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"empty", "\n\n", ""},
		{"global", "%a=define   add( neg #i1 )#i2 ;%b = global const  export type\n%a ;", "%a = define add (neg #i1) #i2;\n%b = global const export type\n  %a;\n"},
		{"blank lines", "%a = define i32;\n\n\n\n%b = define i32;\n", "%a = define i32;\n\n%b = define i32;\n"},
		{"function", "%f=export function(%t:type|:llvm_byval pointer %t,i32)>empty{\n\n%x=phi(pointer i32):>%a,%b>(add #i1 #i2);br %b;block   %b ( %c ) : return %x ; } ;",
			"%f = export function (%t : type | : llvm_byval pointer %t, i32) > empty {\n  %x = phi (pointer i32): > %a, %b > (add #i1 #i2);\n  br %b;\nblock %b(%c):\n  return %x;\n};\n"},
		{"breaks", "%a = define struct\ni32\n(struct i64\n) ;", "%a = define struct\n  i32\n  (struct i64\n);\n"},
		{"comments", "// first\n%f = function () > empty { // opens\n/* block */ return empty_v; // returns\n  // last\n};// after\n%a = define // here\ni32; // one\n%bc = define i64; // two",
			"// first\n%f = function () > empty {  // opens\n  /* block */\n  return empty_v;  // returns\n  // last\n};           // after\n%a = define  // here\n  i32;  // one\n%bc = define i64;  // two\n"},
		{"phantoms", "%f = function (|) > empty;%g=function(i32|)>empty;", "%f = function (|) > empty;\n%g = function (i32 |) > empty;\n"},
	} {
		got, err := Source("t.tvm", []byte(tt.src))
		if string(got) != tt.want || err != nil {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, got, tt.want)
		}
		again, err := Source("t.tvm", got)
		if string(again) != string(got) || err != nil {
			t.Errorf("%s again: %v\n%s\nwas\n%s", tt.name, err, again, got)
		}
	}
	var list *diag.List
	if _, err := Source("t.tvm", []byte("%a = ;")); !errors.As(err, &list) {
		t.Errorf("%v", err)
	}
}

func FuzzSource(f *testing.F) {
	f.Add("%f = function (%t : type | x) > i32 { // c\n %a = phi i32: > #i1; block %b(%c): /* d\n */ return (add #i1 #i2); };")
	f.Fuzz(func(t *testing.T, src string) {
		once, err := Source("t.tvm", []byte(src))
		if err != nil {
			return
		}
		twice, err := Source("t.tvm", once)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%v\n%s\nbecomes\n%s", err, once, twice)
		}
	})
}
