package live_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Names that are put together when they are asked for have the IDs that they have when all are put together at once.
func TestLateNames(t *testing.T) {
	texts := map[string][]byte{"ten thousand": live.TenThousand(), "global names": []byte(`.typedef @i64 = int<64> .funcsig @s = (@i64) -> (@i64)
		.funcdef @f VERSION @f.one <@s> { @e(<@i64> %x): [%i] %y = ADD <@i64> %x %x BRANCH %b(%y)  %b(<@i64> %z): [@g.i] %a.b = ADD <@i64> %z %z RET %a.b }`)}
	files, _ := filepath.Glob("../../examples/*/*.uir")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = text
	}
	late := 0
	for name, text := range texts {
		p, _ := transpile.Load([]transpile.Source{{Name: "a.uir", Text: text}}, transpile.Options{})
		if p == nil {
			continue // one of several bundles
		}
		next := p.IR.NextID
		all := slices.DeleteFunc(p.IR.EntityNames(), func(n ir.EntityName) bool {
			next = max(next, n.ID+1)
			return n.Name == "" || n.ID < 65536
		})
		l, ok := p.IR.NameRows().Late()
		if !ok {
			continue
		}
		late++
		got := slices.Concat(l.Now, l.Rest.List())
		slices.SortFunc(got, func(a, b ir.EntityName) int { return int(a.ID) - int(b.ID) })
		got = slices.DeleteFunc(got, func(n ir.EntityName) bool { return n.Name == "" || n.ID < 65536 })
		if fmt.Sprint(got) != fmt.Sprint(all) || l.Next != next {
			t.Errorf("%s: next %d, want %d;\ngot  %v\nwant %v", name, l.Next, next, got, all)
		}
	}
	if late < 10 {
		t.Errorf("names of %d programs can be late", late)
	}
}

// A name of a bundle may be none that is put together later, and the other way round.
func TestLateConflicts(t *testing.T) {
	const f = `.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %y = ADD <@i64> %x @1 RET %y }`
	const inner = `.funcdef $f.v.q VERSION %v <@one> { %e(<@i64> %x): RET %x }`
	const outer = `.funcdef $f VERSION %v <@one> { %e(<@i64> %x): BRANCH %q.v.e(%x)  %q.v.e(<@i64> %x): RET %x }`
	const global = `.funcdef $f VERSION %v <@one> { $e(<@i64> %x): %y = ADD <@i64> %x @1 RET %y }`
	for i, tt := range []struct {
		first, second string
		redefined     []string
	}{
		{f, `.const $f.v.e.x <@i64> = 5`, []string{"$f.v.e.x redefined"}},
		{f, `.const $f.v <@i64> = 5`, []string{"$f.v redefined"}},
		{f, `.const $f.v.e.z <@i64> = 5 .const $f.v.e.x.y <@i64> = 5 .const $f.v.x <@i64> = 5`, nil},
		{`.const $f.v.e.y <@i64> = 5`, f, []string{"$f.v.e.y redefined"}},
		{`.const $f.v.e <@i64> = 5 .const $f.v.e.y <@i64> = 5`, f, []string{"$f.v.e redefined", "$f.v.e.y redefined"}},
		{`.const $f.v.e.z <@i64> = 5 .const $f.v.e.x.y <@i64> = 5 .const $f.v.x <@i64> = 5`, f, nil},
		{outer, inner, []string{"$f.v.q.v.e redefined", "$f.v.q.v.e.x redefined"}},
		{inner, outer, []string{"$f.v.q.v.e redefined", "$f.v.q.v.e.x redefined"}},
		{global, `.const $e.x <@i64> = 5`, []string{"$e.x redefined"}},
		{`.const $e.y <@i64> = 5`, global, []string{"$e.y redefined"}},
		{f, global, []string{"$f.v redefined"}},
	} {
		c := newClient(t)
		own := func(text string) string { return strings.ReplaceAll(text, "$", fmt.Sprintf("$n%d.", i)) }
		c.load(own(tt.first))
		if tt.redefined != nil {
			for k, w := range tt.redefined {
				tt.redefined[k] = own(w)
			}
			c.refuse(own(tt.second), mu.Conflict, tt.redefined...)
			continue
		}
		c.load(own(tt.second))
		for _, name := range []string{"$f.v.e", "$f.v.e.x", "$f.v.e.y", "$f.v.e.z", "$f.v.e.x.y", "$f.v.x", "$f", "$f.v"} {
			name = c.own(own(name))
			id, err := c.vm.ID(name)
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
			if got, err := c.vm.Name(id); got != name {
				t.Errorf("%d: %d is the ID of %s, and its name is %s, %v", i, id, name, got, err)
			}
		}
		for _, name := range []string{"$f.v.e.w", "$f.v.y", "$f.v.e.x.", "$f.e"} {
			if id, err := c.vm.ID(c.own(own(name))); err == nil {
				t.Errorf("%d: %s has ID %d", i, name, id)
			}
		}
	}
}

// Several goroutines may be the first to ask for names, while bundles are loaded.
func TestLateTogether(t *testing.T) {
	c := newClient(t)
	text := `.funcdef $f%d VERSION %%v <@one> { %%e(<@i64> %%x): %%y = ADD <@i64> %%x @1 RET %%y }`
	c.load(fmt.Sprintf(text, 0))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 100 {
				name := c.own(fmt.Sprintf("$f%d.v.e.y", i))
				id, err := c.vm.ID(name)
				if err != nil {
					continue // not loaded yet
				}
				if got, err := c.vm.Name(id); got != name || err != nil {
					t.Errorf("%d is the ID of %s, and its name is %s, %v", id, name, got, err)
				}
			}
		})
	}
	for i := 1; i < 100; i++ {
		c.load(fmt.Sprintf(text, i))
	}
	wg.Wait()
}

// TestUnnamed asks for the names of things that have none: it is "", not an error, and no other name is. Names of the second
// function are put together when it is loaded, because another begins like them.
func TestUnnamed(t *testing.T) {
	c := newClient(t)
	c.load(`.global $g.v.other <@i64>`)
	for _, f := range []string{"$f", "$g"} {
		c.load(`.funcdef ` + f + ` VERSION %v <@one> { %e(<@i64> %x): TRAP <> KEEPALIVE(%x)  [%named] TRAP <>  RET %x }`)
		name := c.own(f + ".v.e.named")
		id, err := c.vm.ID(name)
		if err != nil {
			t.Fatal(err)
		}
		for at, want := range map[mu.ID]string{id: name, id - 1: "", id + 1: ""} {
			if got, err := c.vm.Name(at); err != nil || got != want {
				t.Errorf("%s: ID %d has name %q, error %v, want %q", f, at, got, err, want)
			}
		}
	}
	if name, err := c.vm.Name(1 << 30); err == nil {
		t.Errorf("an ID of nothing has the name %q", name)
	}
}
