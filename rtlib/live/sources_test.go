package live_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// refuseNamed loads a text that has errors under a name. In want, $ stands for the test's own names.
func (c *client) refuseNamed(name, text string, code mu.Code, want string) {
	c.Helper()
	err := c.LoadBundleNamed(name, text)
	var e *mu.Error
	if want = c.own(want); !errors.As(err, &e) || e.Code != code || e.Msg != want {
		c.Errorf("%s: error %v, want %s: %s", name, err, code, want)
	}
}

// Errors and traces call a text by the name that the client gives it.
func TestNames(t *testing.T) {
	c := newClient(t)
	c.refuseNamed("a.uir", c.own("\n.funcdef $f VERSION %v <@one> { %e(<@i64> %x): RET %nothing }"), mu.BadBundle, "load_bundle: a.uir:2:62: unknown name %nothing")
	c.refuseNamed("shell", c.own(".const $a <@i64> = 5 .const $a <@i64> = 6"), mu.Conflict, "load_bundle: shell:1:39: $a redefined (previous definition at shell:1:8)")
	if err := c.LoadBundleNamed("dir/b.uir", c.own("\n.funcdef $div VERSION %v <@one> { %e(<@i64> %x): %y = SDIV <@i64> %x @0\nRET %y }")); err != nil {
		t.Fatal(err)
	}
	c.refuseNamed("c", c.own(".const $k <@i64> = 5\n.const $div <@i64> = 5"), mu.Conflict, "load_bundle: c:2:8: $div redefined")
	f, err := c.FuncNamed(c.own("$div"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Call(f, 1)
	var e *rtlib.Error
	if !errors.As(err, &e) || !strings.HasSuffix(e.Report(), c.own("\t$div (dir/b.uir:2)\n")) {
		t.Errorf("error %v", err)
	}
}

// The ending of a name tells the dialect, also of a text whose content does not.
func TestEndings(t *testing.T) {
	c := newClient(t)
	c.refuseNamed("a.tvm", "@nonsense", mu.BadBundle, "load_bundle: a.tvm:1:1: bad character @")
	c.refuseNamed("a", "@nonsense", mu.ParseFailed, "load_bundle: a:1:1: wanted a definition such as .typedef, found @nonsense")
}

// TestTitles: reports about loaded functions have the names of their dialect.
func TestTitles(t *testing.T) {
	c := newClient(t)
	if err := c.LoadBundleNamed("a.tvm", `// TVM
%TestTitles.inner = function (%x : i64) > i64 { %v = (div #l7 %x); return %v; };
%TestTitles.outer = function (%x : i64) > i64 { %y = call %TestTitles.inner %x; return %y; };
`); err != nil {
		t.Fatal(err)
	}
	f, err := c.FuncNamed("@TestTitles.outer")
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Call(f, 0)
	var e *rtlib.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	var names []string
	for _, f := range e.Trace {
		names = append(names, f.Called())
	}
	if got := strings.Join(names, " "); got != "%TestTitles.inner %TestTitles.outer" || !strings.HasPrefix(e.Where, "%TestTitles.inner") {
		t.Errorf("at %s, trace %s", e.Where, got)
	}
}

// packed is a zip archive of members, name and text in turn.
func (c *client) packed(list ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(list); i += 2 {
		w, err := z.Create(list[i])
		if err == nil {
			_, err = w.Write([]byte(c.own(list[i+1])))
		}
		if err != nil {
			c.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		c.Fatal(err)
	}
	return b.String()
}

// An archive is loaded as a whole: bundles in the order of their names, each of which sees those before it, then
// images.
func TestArchives(t *testing.T) {
	c := newClient(t)
	bundles := []string{
		"b.uir", ".funcdef $get VERSION %v <@get> { %e():\n%x = LOAD <@i64> $cell\n%y = CALL <@one> $inc(%x) RET %y }",
		"a.uir", ".global $cell <@i64>\n.funcdef $inc VERSION %v <@one> { %e(<@i64> %x): %y = ADD <@i64> %x @1 RET %y }",
		"README", "not loaded",
	}
	c.refuseNamed("x.mu", c.packed(append(bundles, "c.uir", "\n.const $k <@nosuch> = 1")...), mu.BadBundle, "load_bundle: x.mu!c.uir:2:25: unknown type @nosuch")
	c.refuseNamed("x.mu", c.packed(append(bundles, "i.hail", "\n"+`.init $cell = "`)...), mu.ParseFailed, "load_hail: x.mu!i.hail:2:28: unexpected character \"")
	c.refuseNamed("x.mu", c.packed(bundles...)[:100], mu.ParseFailed, "load_bundle: x.mu: not a .mu archive: zip: not a valid zip file")
	if _, err := c.vm.ID(c.own("$inc")); err == nil {
		t.Error("there is something of an archive that was refused")
	}
	if err := c.LoadBundleText(c.packed(append(bundles, "i.hail", ".init $cell = 41")...)); err != nil {
		t.Fatal(err)
	}
	c.expect("42", "$get")
	c.refuseNamed("y.mu", c.packed("a.uir", ".global $more <@i64>", "i.hail", "\n.init $more = @nothing"), mu.BadHAIL, "load_hail: y.mu!i.hail:2:28: unknown name @nothing")
	if _, err := c.vm.ID(c.own("$more")); err != nil {
		t.Error(err)
	}
}

// A program in Mu loads an archive as well.
func TestArchiveInMu(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $load VERSION %v <$sig> { %e(<@uvm.meta.bytes.r> %b): COMMINST @uvm.meta.load_bundle (%b) RET () }
		.funcsig $sig = (@uvm.meta.bytes.r) -> ()`)
	text := c.packed("a.uir", ".const $k <@i64> = 5")
	ty, err := c.TypeNamed("@uvm.meta.bytes")
	ok(t, err)
	r, err := c.NewHybrid(ty, uint64(len(text)))
	ok(t, err)
	obj, err := c.IRef(r)
	ok(t, err)
	size, err := c.FieldIRef(obj, 0)
	ok(t, err)
	ok(t, c.Store(mu.NotAtomic, size, c.Int(int64(len(text)), 64)))
	at, err := c.VarPartIRef(obj)
	for i := range len(text) {
		ok(t, err)
		ok(t, c.Store(mu.NotAtomic, at, c.Int(int64(text[i]), 8)))
		at, err = c.ShiftIRef(at, 1)
	}
	f, err := c.FuncNamed(c.own("$load"))
	ok(t, err)
	_, err = c.Call(f, r)
	ok(t, err)
	_, err = c.ConstNamed(c.own("$k"))
	ok(t, err)
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
