//go:build cgo && amd64 && !windows

package ffi

import (
	"reflect"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// TestPrepare: where the scalars of signatures lie in the buffer of a call (libffi's manual; the ABI of System V).
func TestPrepare(t *testing.T) {
	if late.dlopen = Symbol("dlopen"); late.dlopen == 0 {
		t.Skip("no dlopen")
	}
	if err := opened(); err != nil {
		t.Skip(err)
	}
	for _, k := range []struct {
		desc    string
		in, out []uintptr // offsets, counted from the first parameter and from the result
		widened bool
	}{
		{">", nil, nil, false},
		{"b>b", []uintptr{0}, []uintptr{0}, true},
		{"ld>f", []uintptr{0, 8}, []uintptr{0}, false},
		{"{ii}i>{ii}", []uintptr{0, 4, 8}, []uintptr{0, 4}, false},
		{"{bh}>{b}", []uintptr{0, 2}, []uintptr{0}, false},
		{"{di[3b]}hf>{[2{bl}]b}", []uintptr{0, 8, 12, 13, 14, 16, 24}, []uintptr{0, 8, 16, 24, 32}, false},
		{"b{}i{{}h}>{}", []uintptr{0, 8, 16}, nil, false},
		{"{[0i]b}>l", nil, []uintptr{0}, true}, // see below
	} {
		c, err := prepare(&core.CSig{Desc: k.desc}, 1<<31)
		if k.desc == "{[0i]b}>l" {
			if err == nil || !strings.Contains(err.Error(), "a struct of 4 bytes, aligned to 4, which libffi passes like one of 1 bytes") {
				t.Errorf("%s: %v", k.desc, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", k.desc, err)
			continue
		}
		s := c.(*signature)
		first := s.result
		if len(s.args) > 0 {
			first = s.args[0]
		}
		if in, out := offsets(s.in, first), offsets(s.out, s.result); !reflect.DeepEqual(in, k.in) || !reflect.DeepEqual(out, k.out) || s.widened != k.widened {
			t.Errorf("%s: parameters at %d, result at %d, widened %v; want %d, %d, %v", k.desc, in, out, s.widened, k.in, k.out, k.widened)
		}
	}
}

func offsets(parts []part, from uintptr) (l []uintptr) {
	for _, p := range parts {
		l = append(l, p.offset-from)
	}
	return l
}

// TestSplit: the halves of a struct are parameters if its integer half takes the last register for integers.
func TestSplit(t *testing.T) {
	if late.dlopen = Symbol("dlopen"); late.dlopen == 0 || opened() != nil {
		t.Skip("no libffi")
	}
	for desc, want := range map[string]int{
		"dlllll{id}>": 8, "dllll{id}>": 6, "dllllll{id}>": 8, "dlllll{di}>": 7, "dlllll{ii}>": 7, "dlllll{iif}>": 8,
		"dllll{id}>{lll}": 7, "ddddddddlllll{id}>": 14, "dlllll{[2i]d}l>": 9, "dlllll{idd}>": 7, "l{ll}{ll}{hf}{hbd}>": 5, "l{ll}{ll}{hif}>": 5,
	} {
		c, err := prepare(&core.CSig{Desc: desc}, 1<<31)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(c.(*signature).args); n != want {
			t.Errorf("%s: %d parameters, want %d", desc, n, want)
		}
	}
}

// TestSymbol finds functions of the C library, and no others.
func TestSymbol(t *testing.T) {
	if Symbol("qsort") == 0 || Symbol("no_such_function") != 0 {
		t.Errorf("qsort is at %#x, no_such_function at %#x", Symbol("qsort"), Symbol("no_such_function"))
	}
}
