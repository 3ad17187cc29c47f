package live_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// seedTexts are loaded one after the other where --- divides them; $ stands for a prefix that is new for each run.
var seedTexts = []string{
	`.const $c <@i64> = 5 .global $g <@i64> .funcdef $f VERSION %v <@one> { %e(<@i64> %x): %y = ADD <@i64> %x $c STORE <@i64> $g %y RET %y }
	---
	.funcdef $f VERSION %w <@one> { %e(<@i64> %x): %y = LOAD <@i64> $g RET %y }
	---
	.funcdecl $f <@two>`,
	`.typedef $p = struct<@i64 $q> .typedef $q = ref<$p> .global $g <$p>
	---
	.typedef $h = hybrid<@i32 $p> .funcdef $f VERSION %v <@get> { %e(): %o = NEWHYBRID <$h @i64> @7 %r = GETIREF <$h> %o
		%p = GETVARPARTIREF <$h> %r %s = GETFIELDIREF <$p 0> %p %x = LOAD SEQ_CST <@i64> %s RET %x }`,
	`.funcdecl $odd <@one>
	.funcdef $even VERSION %v <@one> { %e(<@i64> %x): %z = EQ <@i64> %x @0 BRANCH2 %z %yes() %no(%x)
		%yes(): RET @1
		%no(<@i64> %x): %y = SUB <@i64> %x @1 TAILCALL <@one> $odd(%y) }
	---
	.funcdef $odd VERSION %v <@one> { %e(<@i64> %x): SWITCH <@i64> %x %no(%x) { @0 %yes() }
		%yes(): RET @0
		%no(<@i64> %x): %y = CALL <@one> $even(%x) EXC(%ok(%y) %bad()) KEEPALIVE(%x)
		%ok(<@i64> %y): RET %y
		%bad() [%exc]: THROW %exc }`,
	`.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %k = COMMINST @uvm.native.get_cookie RET %k } .expose $x = $f #DEFAULT @7
	---
	.funcdef $g VERSION %v <@one> { %e(<@i64> %x): %y = CCALL #DEFAULT <@u1 @one> $x(%x) [%t] TRAP <> KEEPALIVE(%y) RET %y }
	.typedef $fp = ufuncptr<$sig> .funcsig $sig = (@i32) -> (@i32) .const $abs <$fp> = EXTERN "abs"`,
	`.typedef $v = vector<@double 3> .const $d <@double> = 2.5d .const $c <$v> = {$d $d $d} .typedef $i1s = vector<@i1 3>
	.funcdef $f VERSION %v <@get> { %e(): %s = FADD <$v> $c $c %x = EXTRACTELEMENT <$v @i32> %s $one %n = FPTOSI <@double @i64> %x WPBRANCH 99 %a(%n) %b(%n)
		%a(<@i64> %n): RET %n
		%b(<@i64> %n): RET @0 } .const $one <@i32> = 1`,
	// of 2014
	`.typedef $t = int<64> .const $k <$t> = 5 .funcsig $s = $t ($t) .global $g <$t> .funcdef $f <$s> (%x) { %e: %y = ADD <$t> %x $k STORE <$t> $g %y RET <$t> %y }
	---
	.funcdef $f <$s> (%x) { %e: %y = LOAD <$t> $g RET <$t> %y } .const $k <$t> = 5 .global $g <int<64>>
	---
	.funcdef $h <$s> (%x) { %e: %y = CALL <$s> $f (%x) RET <$t> %y } .funcdecl $f <$s>
	---
	.funcdef $h VERSION %v9 <$s> { %e(<$t> %x): RET %x }`,
}

// kept is a function that no text defines again.
var kept = `.funcdef @keptByFuzz VERSION %v <@one> { %e(<@i64> %x): %y = MUL <@i64> %x @7 %z = ADD <@i64> %y @1 RET %z }`

var (
	globalName = regexp.MustCompile(`@[A-Za-z0-9_.-]+`)
	token      = regexp.MustCompile(`[@%$#]?[A-Za-z0-9_.$-]+|\S`)
	fuzzRun    atomic.Int64
)

// FuzzLoadText loads texts into a VM that runs. A text that is refused leaves nothing; what was there before
// works as before.
func FuzzLoadText(f *testing.F) {
	files, err := filepath.Glob("../../examples/*/*.uir")
	if err != nil || len(files) == 0 {
		f.Fatal("no examples: ", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		seedTexts = append(seedTexts, strings.ReplaceAll(strings.ReplaceAll(string(text), "@", "$"), "$uvm.", "@uvm."))
	}
	for i, text := range seedTexts {
		for changes := range uint8(4) {
			f.Add(text, uint64(i), changes)
		}
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64, changes uint8) {
		if strings.Contains(text, "keptByFuzz") {
			return
		}
		c := newClient(t)
		if _, err := c.vm.ID("@keptByFuzz"); err != nil {
			c.load(kept)
		}
		prefix := fmt.Sprintf("@fuzz%d.", fuzzRun.Add(1))
		for _, part := range strings.Split(mutated(text, rand.New(rand.NewPCG(seed, 1)), int(changes%8)), "---") {
			c.tryText(strings.ReplaceAll(part, "$", prefix))
		}
	})
}

// tryText loads a text that may have errors.
func (c *client) tryText(text string) {
	var fresh []string
	for _, name := range globalName.FindAllString(text, -1) {
		if _, err := c.vm.ID(name); err != nil {
			fresh = append(fresh, name)
		}
	}
	watch := time.AfterFunc(time.Minute, func() { panic("a text is not loaded in a minute:\n" + text) })
	err := c.LoadBundleText(text)
	watch.Stop()
	if err != nil {
		for _, name := range fresh {
			if _, known := c.vm.ID(name); known == nil {
				c.Errorf("%s is there after an error: %v", name, err)
			}
		}
	}
	c.expect("71", "@keptByFuzz", 10)
}

// mutated is a text in which some tokens are replaced by others of it, left out or doubled.
func mutated(text string, r *rand.Rand, changes int) string {
	for range changes {
		at := token.FindAllStringIndex(text, -1)
		if len(at) == 0 {
			break
		}
		i, other := at[r.IntN(len(at))], at[r.IntN(len(at))]
		put := text[other[0]:other[1]]
		switch r.IntN(4) {
		case 0:
			put = ""
		case 1:
			put = text[i[0]:i[1]] + " " + put
		}
		text = text[:i[0]] + put + text[i[1]:]
	}
	return text
}
