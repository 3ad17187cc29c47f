package format

import (
	"errors"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
)

var tests = []struct{ name, src, want string }{
	{"empty", "", ""},
	{"blank", " \n\n\t\r\n", ""},
	{"comment alone", "\n // c \t\r\n\n\n", "// c\n"},
	{"form A", `type P align 8{field instance int32 x;field   static P &p ; field thread mci / Object&* o;}
function int32 f(P&,int32(int8 , P* )cdecl*)stdcall{register int32 x;register P& p;
block entry unwind h{x=field.get p(P : x);jump.cond x(h ,entry);}block h{eh.rethrow;}}`, `type P align 8
{
    field instance int32 x;
    field static P& p;
    field thread mci/Object&* o;
}
function int32 f(P&, int32(int8, P*) cdecl*) stdcall
{
    register int32 x;
    register P& p;
    block entry unwind h
    {
        x = field.get p (P:x);
        jump.cond x (h, entry);
    }
    block h
    {
        eh.rethrow;
    }
}
`},
	{"form B", `type T{ }
field global int32[8] g; field thread void( )cdecl h( m,n );field global int8{3}* s;
data d(1,-2 , 0x3); data e( ) ; entry  f ;thread exit m/f; module entry f;
function ssa nothrow void f(noescape T&){block 'entry'{volatile mem.set a ,b;x=load.i8a(1);x=load.f32a(nan,-1.0e+5);x = phi( );r = call(m/f);ffi(libc ,'a b');forward(a,b);y = load.size(int8{2}[3](int8));}}`,
		`type T
{
}
field global int32[8] g;
field thread void() cdecl h (m, n);
field global int8{3}* s;
data d (1, -2, 0x3);
data e ();
entry f;
thread exit m/f;
module entry f;
function ssa nothrow void f(noescape T&)
{
    block 'entry'
    {
        volatile mem.set a, b;
        x = load.i8a (1);
        x = load.f32a (nan, -1.0e+5);
        x = phi ();
        r = call (m/f);
        ffi (libc, 'a b');
        forward (a, b);
        y = load.size (int8{2}[3](int8));
    }
}
`},
	{"metadata", `[ a : b,'c d':e ]function void f([a:b]int8 , [c:d] noescape int8[]){[a:b]register int8 r;[]block b{[a:b]
nop;[a:b] volatile leave;}}
[a:b]

type T{[c:d]field int8 x;}`, `[a:b, 'c d':e] function void f([a:b] int8, [c:d] noescape int8[])
{
    [a:b] register int8 r;
    [] block b
    {
        [a:b]
        nop;
        [a:b] volatile leave;
    }
}
[a:b]
type T
{
    [c:d] field int8 x;
}
`},
	{"line breaks and blank lines", `

type T
{

field
int8 x;


field int8 y;

}


function
void f(
int8,
int8)
{

block entry
{
x = load.i8a (

1, 2,
3
);

leave;
}}`, `type T
{
    field int8 x;

    field int8 y;
}

function void f(
    int8,
    int8)
{
    block entry
    {
        x = load.i8a (
            1, 2,
            3
        );

        leave;
    }
}
`},
	{"comments", `// head

type T // T
// brace
{ // open

// above x
field // in
int8 x; // x
field int16 long; // long
// end
} // after
function void f() { // f
register int8 r; block entry { nop; // nop
x = load.i8a ( // list
1, // one
// two
2
// shut
); leave; } }
[a:b] // meta
// more
data d (1);
//line other:1
//last`, `// head

type T  // T
// brace
{  // open
    // above x
    field  // in
        int8 x;  // x
    field int16 long;  // long
    // end
}  // after
function void f()
{  // f
    register int8 r;
    block entry
    {
        nop;            // nop
        x = load.i8a (  // list
            1,  // one
            // two
            2
            // shut
        );
        leave;
    }
}
[a:b]  // meta
// more
data d (1);
//line other:1
//last
`},
	{"name of two lines", "type 'a\nb' { }", "type 'a\nb'\n{\n}\n"},
	{"byte order mark", "\xef\xbb\xbftype T { }", "type T\n{\n}\n"},
	{"line directive in a body", "function void f() { block entry {\n//line a.x:3:4\nnop; } }", "function void f()\n{\n    block entry\n    {\n//line a.x:3:4\nnop;\n    }\n}\n"},
	{"statements on the line of a directive", "function void f() { block entry {\n//line a.x:3:4\n  nop;  nop; }\nblock b { nop; } }", "function void f()\n{\n    block entry\n    {\n//line a.x:3:4\n  nop;  nop;\n    }\n//line :4\n    block b\n    {\n//line :4\n        nop;\n    }\n}\n"},
	{"line directive without a column", "function void f() { block entry {\n//line a.x:3\nnop; nop;\n\n\nnop;\nx\n= load.i8 (1); } }", "function void f()\n{\n    block entry\n    {\n//line a.x:3\n        nop;\n//line :3\n        nop;\n\n//line :6\n        nop;\n        x\n            = load.i8 (1);\n    }\n}\n"},
	{"comment like a line directive", "  //line a.x:3\ntype T { }", " //line a.x:3\ntype T\n{\n}\n"},
}

func TestSource(t *testing.T) {
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			got, err := Source("t.ial", []byte(tt.src))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			check(t, tt.src)
		})
	}
}

func TestErrors(t *testing.T) {
	_, err := Source("t.ial", []byte("type ;\ntype T { field; }"))
	var list *diag.List
	if !errors.As(err, &list) || list.Errors() != 2 || !strings.HasPrefix(err.Error(), "t.ial:1:6: ") {
		t.Fatalf("got %v", err)
	}
}

// pieces returns the tokens and the comments of a text.
func pieces(src string) (tokens, comments []string) {
	text := syntax.Scan(src)
	for _, t := range text.Tokens {
		tokens = append(tokens, src[t.Off:t.End])
	}
	for _, c := range text.Comments {
		if !strings.HasPrefix(src[c.Off:c.End], "//line :") { // those that the formatter adds
			comments = append(comments, src[c.Off:c.End])
		}
	}
	return tokens, comments
}

// check tests properties of formatting that hold for every file: it keeps tokens and comments,
// and formatting again changes nothing.
func check(t *testing.T, src string) {
	t.Helper()
	out, err := Source("t.ial", []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	once := string(out)
	tokens, comments := pieces(src)
	tokens1, comments1 := pieces(once)
	if !slices.Equal(tokens, tokens1) {
		t.Errorf("tokens of\n%s\nchange in\n%s", src, once)
	}
	if !slices.Equal(comments, comments1) {
		t.Errorf("comments %q\nbecome %q in\n%s", comments, comments1, once)
	}
	if out, err = Source("t.ial", []byte(once)); err != nil || string(out) != once {
		t.Errorf("formatted\n%s\nformatted again\n%s\n%v", once, out, err)
	}
}

// shuffle puts random white space and comments between the tokens of a text.
func shuffle(src string, rng *rand.Rand) string {
	gaps := []string{" ", " ", " ", " ", " ", "\n", "\n\n\n", "\r\n\t", " // c \r\n", "\n//d\n\n//e\n", " //\n"}
	tokens, _ := pieces(src)
	var b strings.Builder
	for _, tok := range tokens {
		b.WriteString(gaps[rng.Intn(len(gaps))])
		b.WriteString(tok)
	}
	return b.String()
}

func TestProperties(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, tt := range tests {
		for range 50 {
			if check(t, shuffle(tt.src, rng)); t.Failed() {
				return
			}
		}
	}
}

func FuzzSource(f *testing.F) {
	rng := rand.New(rand.NewSource(2))
	for _, tt := range tests {
		f.Add(tt.src)
		f.Add(shuffle(tt.src, rng))
	}
	f.Fuzz(func(t *testing.T, src string) {
		if _, err := Source("t.ial", []byte(src)); err == nil {
			check(t, src)
		}
	})
}
