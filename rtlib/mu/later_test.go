package mu_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// cell reads the global cell @cell.
func cell(t testing.TB, c *mu.Ctx) int64 {
	t.Helper()
	loc := must[mu.IRef](t)(c.GlobalNamed("@cell"))
	return must[mu.Value](t)(c.Load(mu.SeqCst, loc)).(mu.Int).Int64()
}

// version is the name of the version of a stack's top frame, "-" for none.
func version(t testing.TB, c *mu.Ctx, s mu.StackRef) string {
	t.Helper()
	cur := must[mu.Cursor](t)(c.NewCursor(s))
	defer c.CloseCursor(cur)
	id := must[mu.ID](t)(c.CurFuncVer(cur))
	if id == 0 {
		return "-"
	}
	return must[string](t)(c.Name(id))
}

var loaded sync.Once // a bundle can be loaded only once, also with -count

// TestLoadBundle loads later bundles (docs/language.md, "Later bundles").
func TestLoadBundle(t *testing.T) {
	first := false
	loaded.Do(func() { first = true })
	if !first {
		t.Skip("the bundles are loaded")
	}
	c := open(t)
	names := []string{"@later.cell", "@k3", "@thrice", "@thrice.v1", "@changes.v2", "@changes.v2.entry", "@changes.v2.entry.y",
		"@later.pair", "@missing.v1.entry.here"}
	for _, n := range names {
		_, err := c.ID(n)
		wantCode(t, err, mu.NoName)
	}
	hidden := must[mu.ID](t)(c.ID("@changes")) + 1
	for range 200 { // IDs of hidden entities are not found
		if name, err := c.Name(hidden); err == nil && name == "@changes.v2" {
			t.Errorf("ID %d is %s", hidden, name)
		}
		hidden++
	}
	wantCode(t, c.LoadBundle("nothing.uir"), mu.DynCode)
	wantCode(t, c.LoadBundle(".global @x <@i64>"), mu.DynCode)
	wantCode(t, c.LoadBundle("after.uir"), mu.BadBundle)

	// Made before: a stack, a stack of an undefined function, a pushed frame.
	made := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@changed_store")))
	lazy := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@missing_store")))
	edited := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@changed_store")))
	push(t, c, edited, "@changes")
	exposed := must[mu.UFuncPtr](t)(c.Expose(fn(t, c, "@changes"), 0))
	if v := version(t, c, made) + version(t, c, lazy); v != "@changed_store.v1-" {
		t.Errorf("versions %s", v)
	}

	text, err := os.ReadFile("internal/fixture/demo/later.uir")
	if err != nil {
		t.Fatal(err)
	}
	var sites []string
	done := false
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		sites = append(sites, site)
		switch site {
		case "@changes.v1.entry.old":
			if !done {
				done = true
				if err := tc.LoadBundle(string(text)); err != nil {
					t.Error(err)
				}
			}
			if v := version(t, tc, s); v != "@changes.v1" {
				t.Errorf("the frame is of %s", v)
			}
		case "": // the hidden trap of @missing_store
			if f, _ := frames(t, tc, s); fmt.Sprint(f) != "[@missing_store]" {
				t.Errorf("frames %s", f)
			}
		}
		return mu.PassValues{Stack: s}
	})
	// The activation continues; the next call is of the new version.
	want(t, call(t, c, "@calls_changes", 5), (5+1)*3)
	want(t, call(t, c, "@calls_changes", 5), 5*9)
	want(t, call(t, c, "@changes", 5), 15)
	want(t, call(t, c, "@missing", 5), 3)
	if r := must[[]mu.Value](t)(c.Call(fn(t, c, "@through"), exposed, c.Int(5, 64))); r[0].(mu.Int).Int64() != 15 {
		t.Errorf("called by native code: %d", r[0].(mu.Int).Int64())
	}
	if fmt.Sprint(sites) != "[@changes.v1.entry.old @missing.v1.entry.here]" {
		t.Errorf("traps %s", sites)
	}
	wantCode(t, c.LoadBundle(string(text)), mu.Conflict)
	wantCode(t, c.LoadBundle("later.uir"), mu.Conflict)
	for _, n := range names {
		id := must[mu.ID](t)(c.ID(n))
		if got := must[string](t)(c.Name(id)); got != n {
			t.Errorf("%s is called %s", n, got)
		}
	}
	must[mu.Type](t)(c.TypeNamed("@later.pair"))
	at := must[mu.IRef](t)(c.GlobalNamed("@later.cell"))
	if v := must[mu.Value](t)(c.Load(mu.NotAtomic, at)).(mu.Int).Int64(); v != 5 {
		t.Errorf("@later.cell is %d", v)
	}

	if err := c.Collect(); err != nil {
		t.Fatal(err)
	}
	run := func(s mu.StackRef, wantVersion string, wantCell int64) {
		t.Helper()
		if v := version(t, c, s); v != wantVersion {
			t.Errorf("version %s, want %s", v, wantVersion)
		}
		must[mu.ThreadRef](t)(c.NewThread(s, mu.Ref{}, mu.PassValues{Values: ints(c, 7)}))
		wait(t, c)
		if v := cell(t, c); v != wantCell {
			t.Errorf("cell %d, want %d", v, wantCell)
		}
	}
	sites = nil
	run(made, "@changed_store.v1", 7)
	run(must[mu.StackRef](t)(c.NewStack(fn(t, c, "@changed_store"))), "@changed_store.v2", -1)
	run(edited, "@changes.v1", 8)
	run(lazy, "-", 100)
	run(must[mu.StackRef](t)(c.NewStack(fn(t, c, "@missing_store"))), "@missing_store.v1", 100)
	if fmt.Sprint(sites) != "[@changes.v1.entry.old ]" {
		t.Errorf("traps %q", sites)
	}
	if err := c.LoadBundle("after.uir"); err != nil {
		t.Error(err)
	}
	want(t, call(t, c, "@changes", 6), 5) // the number that @thrice.v1 stored last
}

// TestLoadedByAll: a thread that has seen a version never enters an older one, and a thread
// that learns of it enters it (docs/language.md, "Later bundles").
func TestLoadedByAll(t *testing.T) {
	c := open(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			d := c.VM().NewContext()
			defer d.Close()
			want(t, call(t, d, "@await", 1000), 1000)
		})
	}
	if err := c.LoadBundle("number.uir"); err != nil {
		wantCode(t, err, mu.Conflict) // with -count
	}
	want(t, call(t, c, "@number"), 10)
	wg.Wait()
}
