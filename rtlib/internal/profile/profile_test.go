package profile

import (
	"bytes"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
)

// TestRewrite: a frame is replaced by several, and all others stay.
func TestRewrite(t *testing.T) {
	var made, out bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&made, 0); err != nil {
		t.Fatal(err)
	}
	var kept []string
	err := Rewrite(&out, made.Bytes(), func(f Frame) ([]Frame, bool) {
		if strings.HasSuffix(f.Func, ".TestRewrite") {
			return []Frame{{"@inner", "prog.uir", 7}, {"@outer", "prog.uir", 9}}, true
		}
		kept = append(kept, f.Func)
		return nil, false
	})
	if err != nil {
		t.Fatal(err)
	}
	var again []string
	at := -1
	err = Rewrite(new(bytes.Buffer), out.Bytes(), func(f Frame) ([]Frame, bool) {
		if f == (Frame{"@inner", "prog.uir", 7}) {
			at = len(again)
		} else if f == (Frame{"@outer", "prog.uir", 9}) && at == len(again) {
			at = -2
		} else {
			again = append(again, f.Func)
		}
		return nil, false
	})
	if err != nil {
		t.Fatal(err)
	}
	if at != -2 || !slices.Equal(kept, again) || len(kept) < 3 {
		t.Errorf("frames %q\nand then %q and the two new ones (%d)", kept, again, at)
	}
}

// TestWrite: frames of a profile that is made are read back.
func TestWrite(t *testing.T) {
	var out bytes.Buffer
	stack := []Frame{{"@T", "", 0}, {"@f", "prog.uir", 7}, {"@main", "prog.uir", 300}}
	samples := []Sample{{stack, []int64{1, 1000}}, {stack[1:], []int64{0, 5}}}
	if err := Write(&out, [][2]string{{"objects", "count"}, {"space", "bytes"}}, samples); err != nil {
		t.Fatal(err)
	}
	var read []Frame
	if err := Rewrite(new(bytes.Buffer), out.Bytes(), func(f Frame) ([]Frame, bool) {
		read = append(read, f)
		return nil, false
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(read, stack) {
		t.Errorf("frames %v, want %v", read, stack)
	}
}

// TestBroken: what is no profile is an error.
func TestBroken(t *testing.T) {
	var b bytes.Buffer
	if err := compress(&b, []byte{ofLocation<<3 | 2, 9, 1}); err != nil {
		t.Fatal(err)
	}
	for _, in := range [][]byte{nil, []byte("text"), b.Bytes()} {
		if err := Rewrite(new(bytes.Buffer), in, func(Frame) ([]Frame, bool) { return nil, false }); err == nil {
			t.Errorf("no error for %q", in)
		}
	}
}
