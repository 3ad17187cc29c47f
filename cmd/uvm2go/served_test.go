package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/libc"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestServedCalls compiles calls of every function of the C library that is implemented in Go: with
// signatures that have the types of C, wider integers and narrower integers, with and without optional
// parameters, with variables and constants as arguments, with and without the result.
func TestServedCalls(t *testing.T) { buildServed(t, "-O1") }

// TestLongServedCalls does so without the optimising passes.
func TestLongServedCalls(t *testing.T) {
	longtest.Only(t)
	buildServed(t, "-O0")
}

func buildServed(t *testing.T, level string) {
	t.Helper()
	scripttest.OwnCache(t)
	bundle := filepath.Join(t.TempDir(), "served.uir")
	if err := os.WriteFile(bundle, []byte(servedCalls()), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{"build", level, "-o", filepath.Join(t.TempDir(), "served"), bundle}
	if status := runChild(t, args, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Errorf("%s: status %d\n%s", level, status, &errs)
	}
}

// servedCalls returns a bundle that contains all those calls but executes none of them.
func servedCalls() string {
	var b strings.Builder
	b.WriteString(`.typedef @void = void  .typedef @b = int<8>  .typedef @h = int<16>  .typedef @i = int<32>  .typedef @l = int<64>
.typedef @f = float  .typedef @d = double  .typedef @p = uptr<@void>
.const @c.b <@b> = -1  .const @c.h <@h> = -1  .const @c.i <@i> = -1  .const @c.l <@l> = -1
.const @c.f <@f> = 1.5f  .const @c.d <@d> = 1.5d  .const @c.p <@p> = 0xfffffff0
.funcsig @main.sig = () -> ()
.funcdef @main VERSION %v <@main.sig> { %e(): RET () }
`)
	for _, row := range libc.Table {
		sig := strings.TrimPrefix(row.Sig, "e")
		result, params := sig[:1], strings.Trim(sig[1:], "()")
		fixed, optional, _ := strings.Cut(params, "|")
		lists := []string{fixed + optional}
		if optional != "" {
			lists = append(lists, fixed)
		}
		if p, variadic := strings.CutSuffix(fixed, "*"); variadic {
			lists = []string{p, p + "bhilpdf", p + "d"}
		}
		k := 0
		for _, list := range lists {
			for _, classes := range []string{"bhil", "llll", "bbbb", "hhhh", "iiii"} {
				// Every integer except the result gets this width.
				as := strings.Map(func(c rune) rune {
					if i := strings.IndexRune("bhil", c); i >= 0 {
						return rune(classes[i])
					}
					return c
				}, list)
				to := result
				if i := strings.Index("bhil", result); i >= 0 {
					to = classes[i : i+1]
				}
				servedCall(&b, row.C, fmt.Sprintf("%s.%d", row.C, k), as, to)
				k++
			}
		}
	}
	return b.String()
}

// servedCall writes a function that calls the symbol with its parameters and with constants. Params has one letter for each
// parameter, as in libc.Row; result is a letter too, v for none.
func servedCall(b *strings.Builder, sym, name, params, result string) {
	var types, args, consts, decls string
	for i, c := range params {
		types += fmt.Sprintf(" @%c", c)
		decls += fmt.Sprintf(" <@%c> %%a%d", c, i)
		args += fmt.Sprintf(" %%a%d", i)
		consts += fmt.Sprintf(" @c.%c", c)
	}
	res, r1, r2 := "@"+result, "%x = ", "%y = "
	if result == "v" {
		res, r1, r2 = "", "", ""
	}
	fmt.Fprintf(b, ".funcsig @%s.s = (%s) -> (%s)  .typedef @%s.f = ufuncptr<@%s.s>  .const @%s.n <@%s.f> = EXTERN %q\n",
		name, types, res, name, name, name, name, sym)
	fmt.Fprintf(b, ".funcdef @%s VERSION %%v <@%s.s> { %%e(%s):\n", name, name, decls)
	fmt.Fprintf(b, "  %sCCALL #DEFAULT <@%s.f @%s.s> @%s.n (%s)\n", r1, name, name, name, args)
	fmt.Fprintf(b, "  %sCCALL #DEFAULT <@%s.f @%s.s> @%s.n (%s)\n", r2, name, name, name, consts)
	if result == "v" {
		b.WriteString("  RET ()\n}\n")
	} else {
		b.WriteString("  RET %x\n}\n")
	}
}
