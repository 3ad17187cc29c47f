package core

import (
	"errors"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// TestAgree breaks each table of a program in each way that is detected at the start of the program.
func TestAgree(t *testing.T) {
	sound := func() *Program {
		p := testProgram()
		p.Frames = []FrameSite{{Func: &fEcho, Results: long}}
		p.Thunks = []Thunk{{Params: long, Results: ref, New: func(Self) unsafe.Pointer { return nil }}}
		p.Entities = []Entity{{ID: 1, Kind: TypeEntity, Type: &VType{Kind: VInt}},
			{ID: 2, Kind: FuncEntity, Type: &VType{}, Func: &fEcho, CSig: &CSig{Desc: "{i[3d]}p>{l}", Args: 5, Results: 1}}}
		p.Later = []LaterBundle{{Name: "a", Needs: []Need{{Name: "@x", In: []uint32{0}}}}}
		p.Hidden = []HiddenEntity{{ID: 3, In: []uint32{0}}}
		p.Exposes = []*Exposure{{Func: &fEcho, Sig: &CSig{Desc: "bhilfdp>", Args: 7}}}
		p.Externs = []Extern{{Name: "close", Addr: new(uintptr)}}
		return p
	}
	if err := sound().agree(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(p *Program){
		"agreement 0":                      func(p *Program) { p.Agreement = 0 },
		`value list 1, "x64"`:              func(p *Program) { p.Lists[1].Desc = "x64" },
		`value list 1, "i64 "`:             func(p *Program) { p.Lists[1].Desc = "i64 " },
		`value list 2, "r", has 1 words`:   func(p *Program) { p.Lists[2].W = 1 },
		`value list 5, "[40r]", is longer`: func(p *Program) { p.Lists[5] = List{Desc: "[40r]", R: 40} },
		"function 0 refers":                func(p *Program) { f := fEcho; f.Results = 99; p.Funcs[0] = &f },
		"function 1 refers":                func(p *Program) { f := fEcho; f.Site = 2; p.Funcs[1] = &f },
		"function 2 refers":                func(p *Program) { p.Funcs[2] = nil },
		"place 1 of frames refers":         func(p *Program) { p.Frames[0].Results = 6 },
		"signature class 0 refers":         func(p *Program) { p.Thunks[0].New = nil },
		"names of functions are not sorted": func(p *Program) {
			p.FuncNames = []FuncName{{Go: "b"}, {Go: "a"}}
		},
		"entity 1 is of kind 200":       func(p *Program) { p.Entities[0].Kind = 200 },
		"entity 1 is of kind 1":         func(p *Program) { p.Entities[0].Kind = ConstEntity },
		"@x is in a bundle":             func(p *Program) { p.Later[0].Needs[0].In[0] = 1 },
		"entity 3 is in a bundle":       func(p *Program) { p.Hidden[0].In[0] = 1 },
		`C signature "bhilqdp>"`:        func(p *Program) { p.Exposes[0].Sig.Desc = "bhilqdp>" },
		`C signature "bhilfdp" `:        func(p *Program) { p.Exposes[0].Sig.Desc = "bhilfdp" },
		`C signature "{i[3d]p>{l}"`:     func(p *Program) { p.Entities[1].CSig.Desc = "{i[3d]p>{l}" },
		`takes 4 words and gives 1`:     func(p *Program) { p.Entities[1].CSig.Args = 4 },
		"native symbol 0 has no name":   func(p *Program) { p.Externs[0].Name = "" },
		"an exposed function has no re": func(p *Program) { p.Exposes[0].Func = nil },
	} {
		p := sound()
		spoil(p)
		err := p.agree()
		if err == nil || !errors.Is(err, errAgreement) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestCountClasses(t *testing.T) {
	for desc, want := range map[string][2]int{
		"": {0, 0}, "i1": {1, 0}, "i65 i128": {4, 0}, "f d p c": {4, 0}, "t": {1, 1}, "r {ri64[3{tf}]} p": {8, 5},
	} {
		if w, r, ok := countClasses(desc); !ok || w != want[0] || r != want[1] {
			t.Errorf("%q: got %d, %d, %v, want %v", desc, w, r, ok, want)
		}
	}
	for _, desc := range []string{"i", "i0", "i129", "i64  r", "i64r", " r", "q", "{r", "{r q}", "[r]", "[2", "[2r", "}"} {
		if w, r, ok := countClasses(desc); ok {
			t.Errorf("%q: got %d, %d", desc, w, r)
		}
	}
}

const imageVariable = "RTLIB_TEST_IMAGE" // objects|initialisers

func init() {
	cases["image"] = func(t *Ctx) int {
		objects, inits, _ := strings.Cut(os.Getenv(imageVariable), "|")
		BuildImage(t, packages[0].Types, objects, inits, []uintptr{1}, nil)
		return 7
	}
}

// TestBadImage: a row of the heap image that is not of the form that the runtime reads ends the program.
func TestBadImage(t *testing.T) {
	const two = "0 0\n1 0\n"
	for _, c := range []struct{ image, want string }{
		{two + "|o0 0 0 w8 5\no1 0 0 r 0\no1 8 8 s 0\n", ""},
		{two + "|o0 0 0 w8 5\no1 0 0 w3 0\n", `initialiser row 2: unknown operation "w3"`},
		{two + "|o0 0 0\n", "initialiser row 1: fewer words"},
		{two + "|o0 0 0 w8\n", "initialiser row 1: fewer words"},
		{two + "|o0 0 0 w8 5 6\n", "initialiser row 1: more words"},
		{two + "|o0 0 0 w8 x\n", `initialiser row 1: bad number "x"`},
		{two + "|o0 0 0 r -1\n", `initialiser row 1: bad number "-1"`},
		{two + "|q0 0 0 w8 5\n", `initialiser row 1: bad place "q0"`},
		{two + "|o2 0 0 w8 5\n", "initialiser row 1: number 2 of a table of 2"},
		{two + "|g0 0 0 w8 5\n", "initialiser row 1: number 0 of a table of 0"},
		{two + "|o1 0 0 r 2\n", "initialiser row 1: number 2"},
		{two + "|o1 8 8 s 1\n", "initialiser row 1: number 1"},
		{two + "|o1 8 8 x 0\n", "initialiser row 1: number 0"},
		{two + "|o1 8 8 f 99\n", "initialiser row 1: number 99"},
		{"0\n|", "object row 1: fewer words"},
		{"9 0\n|", "object row 1: number 9"},
		{"0 0 0\n|", "object row 1: more words"},
	} {
		got := runProgram(t, "image", imageVariable+"="+c.image)
		if c.want == "" {
			if got.status != 7 {
				t.Errorf("%q: status %d\n%s", c.image, got.status, got.stderr)
			}
		} else if got.status != statusInternal || !strings.Contains(got.stderr, "uvm: internal error: the generated code does not fit") || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%q: status %d, standard error\n%s\nwant %q", c.image, got.status, got.stderr, c.want)
		}
	}
}

// TestKindNames: each kind of error has a name.
func TestKindNames(t *testing.T) {
	for k, name := range kindNames {
		if name == "" {
			t.Errorf("kind %d", k)
		}
	}
}
