package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/libc"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestServedValues checks that functions of the C library implemented in Go have the same results and set the same
// errno in a program and on the interpreter, which has its own implementations: libm, numbers in text, characters, printf.
func TestServedValues(t *testing.T) {
	scripttest.OwnCache(t)
	t.Setenv("CGO_ENABLED", "0")
	bundle := filepath.Join(t.TempDir(), "values.uir")
	if err := os.WriteFile(bundle, []byte(servedValues()), 0o666); err != nil {
		t.Fatal(err)
	}
	var outs [2]bytes.Buffer
	for i, args := range [][]string{{"run", bundle}, {"run", "-interp", bundle}} {
		var errs bytes.Buffer
		if status := runChild(t, args, &outs[i], &errs); status != 0 || errs.Len() > 0 {
			t.Fatalf("%v: status %d\n%s", args, status, &errs)
		}
	}
	want, got := strings.Split(outs[0].String(), "\n"), strings.Split(outs[1].String(), "\n")
	if len(want) < 1500 || len(got) != len(want) {
		t.Fatalf("%d lines, the interpreter prints %d", len(want), len(got))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("built: %s\ninterpreted: %s", want[i], got[i])
		}
	}
}

// values builds a bundle of calls.
type values struct {
	b     strings.Builder // functions
	decls strings.Builder
	r     *rand.Rand
	known map[string]bool
	names []string // names of the functions
	calls int
}

// servedValues returns a bundle that makes calls and prints their results.
func servedValues() string {
	v := &values{r: rand.New(rand.NewPCG(5, 6)), known: map[string]bool{}}
	for _, row := range libc.Table {
		sig := strings.TrimPrefix(row.Sig, "e")
		switch {
		case slices.Contains([]string{"d(d)", "d(dd)", "d(di)", "f(f)", "f(ff)", "f(fi)", "i(i)", "l(l)"}, sig) && row.Flags&libc.Pure != 0:
			v.function(row.C, func() {
				for range 9 {
					v.call(row.C, sig, sig[2:len(sig)-1])
				}
			})
		case slices.Contains([]string{"i(p)", "l(p)", "d(p)", "l(ppi)", "d(pp)"}, sig) && (strings.HasPrefix(row.C, "ato") || strings.HasPrefix(row.C, "strto")):
			v.function(row.C, func() {
				for range 40 {
					v.text(v.numeral())
					v.call(row.C, sig, strings.Replace(strings.Replace(sig[2:len(sig)-1], "p", "t", 1), "p", "n", 1))
				}
			})
		}
	}
	for k := range 12 {
		v.function(fmt.Sprintf("printf%d", k), func() {
			for range 30 {
				format, class := v.format()
				v.text(format + "|\n")
				v.call("printf", "i(p"+class+")", "t"+class)
			}
		})
	}
	var main strings.Builder
	for _, n := range v.names {
		fmt.Fprintf(&main, "  CALL <@v_v> @do.%s ()\n", n)
	}
	return `.typedef @void = void  .typedef @i = int<32>  .typedef @l = int<64>  .typedef @f = float  .typedef @d = double
.typedef @p = uptr<@void>  .typedef @Pi = uptr<@i>  .typedef @T = array<@l 8>  .typedef @PT = uptr<@T>
.const @null <@p> = 0  .const @zero <@i> = 0  .const @64 <@l> = 64
.funcsig @v_v = () -> ()  .funcsig @take.s = () -> (@i)  .funcsig @text.s = (@T) -> (@p)
.funcsig @loc.s = () -> (@Pi)  .typedef @loc.f = ufuncptr<@loc.s>  .const @errno <@loc.f> = EXTERN "__errno_location"
.funcsig @m.s = (@l) -> (@p)  .typedef @m.f = ufuncptr<@m.s>  .const @malloc <@m.f> = EXTERN "malloc"
.funcdef @take VERSION %v <@take.s> { %e():
  %p = CCALL #DEFAULT <@loc.f @loc.s> @errno ()
  %r = LOAD PTR <@i> %p
  STORE PTR <@i> %p @zero
  RET %r
}
.funcdef @text VERSION %v <@text.s> { %e(<@T> %t):
  %p = CCALL #DEFAULT <@m.f @m.s> @malloc (@64)
  %q = PTRCAST <@p @PT> %p
  STORE PTR <@T> %q %t
  RET %p
}
.funcdef @main VERSION %v <@v_v> { %e():
` + main.String() + "  RET ()\n}\n" + v.decls.String() + v.b.String()
}

func (v *values) function(name string, body func()) {
	v.names = append(v.names, name)
	fmt.Fprintf(&v.b, ".funcdef @do.%s VERSION %%v <@v_v> { %%e():\n", name)
	body()
	v.b.WriteString("  RET ()\n}\n")
}

// text sets the text that is passed to the next call.
func (v *values) text(s string) {
	b := append([]byte(s), make([]byte, 64-len(s))...)
	v.calls++
	var names []string
	for i := 0; i < 64; i += 8 {
		n := fmt.Sprintf("@w%d.%d", v.calls, i)
		fmt.Fprintf(&v.decls, ".const %s <@l> = %#x ", n, binary.LittleEndian.Uint64(b[i:]))
		names = append(names, n)
	}
	fmt.Fprintf(&v.decls, ".const @t%d <@T> = { %s } // %q\n", v.calls, strings.Join(names, " "), s)
	fmt.Fprintf(&v.b, "  %%t%d = CALL <@text.s> @text (@t%d)\n", v.calls, v.calls)
}

// call adds a call of a function with arguments of the given classes: those of libc.Row, t for the text, n for NULL.
func (v *values) call(sym, sig, classes string) {
	text := v.calls
	v.calls++
	if !v.known[sym+sig] {
		v.known[sym+sig] = true
		var params string
		for _, c := range sig[2 : len(sig)-1] {
			params += fmt.Sprintf(" @%c", c)
		}
		fmt.Fprintf(&v.decls, ".funcsig @%s%s.s = (%s) -> (@%c)  .typedef @%s%s.f = ufuncptr<@%s%s.s>  .const @%s%s <@%s%s.f> = EXTERN %q\n",
			sym, sigName(sig), params, sig[0], sym, sigName(sig), sym, sigName(sig), sym, sigName(sig), sym, sigName(sig), sym)
	}
	var args []string
	for i, c := range classes {
		n := fmt.Sprintf("@c%d.%d", v.calls, i)
		switch c {
		case 't':
			n = fmt.Sprintf("%%t%d", text)
		case 'n':
			n = "@null"
		case 'd':
			fmt.Fprintf(&v.decls, ".const %s <@d> = bitsd(%#x)\n", n, math.Float64bits(v.number()))
		case 'f':
			fmt.Fprintf(&v.decls, ".const %s <@f> = bitsf(%#x)\n", n, math.Float32bits(float32(v.number())))
		case 'i':
			x := int64(int32(v.r.Uint32()) >> v.r.IntN(32))
			if strings.HasSuffix(sig, "pi)") || strings.HasPrefix(sym, "is") || strings.HasPrefix(sym, "to") {
				x = int64([]int{0, 10, 16, 8, 2, 36, 1, 37, 'a', 'Z', '0', ' ', 127, 200}[v.r.IntN(14)])
			}
			fmt.Fprintf(&v.decls, ".const %s <@i> = %d\n", n, x)
		case 'l':
			fmt.Fprintf(&v.decls, ".const %s <@l> = %d\n", n, int64(v.r.Uint64())>>v.r.IntN(64))
		}
		args = append(args, n)
	}
	k, s := v.calls, sym+sigName(sig)
	fmt.Fprintf(&v.b, "  %%r%d = CCALL #DEFAULT <@%s.f @%s.s> @%s (%s)\n  %%e%d = CALL <@take.s> @take ()\n  [@%s.%d] TRAP <> KEEPALIVE(%%r%d %%e%d)\n",
		k, s, s, s, strings.Join(args, " "), k, sym, k, k, k)
}

// sigName returns a signature in a form that can be part of a name.
func sigName(sig string) string {
	return "." + strings.NewReplacer("(", ".", ")", "").Replace(sig)
}

func (v *values) number() float64 {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, math.MaxFloat64, 1e22, 710, -746, 1000, 0.1}
	switch v.r.IntN(4) {
	case 0:
		return special[v.r.IntN(len(special))]
	case 1:
		return v.r.NormFloat64() * 1e5
	case 2:
		return math.Ldexp(v.r.NormFloat64(), v.r.IntN(2000)-1000)
	}
	return v.r.NormFloat64() * 3
}

// numeral returns a random text that looks like a number.
func (v *values) numeral() string {
	alphabet := []string{" +-0123456789", " +-0x123abcz", "+-.0123456789eE", "0x.1fp+-3 in", "-infatyINFNA"}[v.r.IntN(5)]
	s := make([]byte, v.r.IntN(24))
	for i := range s {
		s[i] = alphabet[v.r.IntN(len(alphabet))]
	}
	switch v.r.IntN(8) {
	case 0:
		return fmt.Sprintf("%d.%de-%d", v.r.IntN(10), v.r.IntN(1e5), 305+v.r.IntN(25))
	case 1:
		return fmt.Sprintf("%s%d%d", []string{"", "-", " +"}[v.r.IntN(3)], v.r.Uint64(), v.r.IntN(100))
	case 2:
		return []string{"inf", "-Infinity", "nan", "nan(12)x", "infinit", "0x", "0x1.8p3", "1e", "1e+", "9223372036854775808", "-9223372036854775809", "1e400"}[v.r.IntN(12)]
	}
	return string(s)
}

// format returns a random conversion of printf and the class of its argument.
func (v *values) format() (format, class string) {
	s := "%"
	for _, c := range "-+ #0" {
		if v.r.IntN(4) == 0 {
			s += string(c)
		}
	}
	if v.r.IntN(2) == 0 {
		s += fmt.Sprint(v.r.IntN(30) + 1)
	}
	if v.r.IntN(2) == 0 {
		s += fmt.Sprintf(".%d", v.r.IntN(20))
	}
	if v.r.IntN(2) == 0 {
		return s + string("fFeEgGaA"[v.r.IntN(8)]), "d"
	}
	return s + []string{"", "l", "ll", "h", "hh", "z", "j"}[v.r.IntN(7)] + string("diuxXoc"[v.r.IntN(7)]), "l"
}
