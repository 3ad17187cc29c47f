package libc

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// room is memory for a test, n bytes long and followed by an inaccessible page if the
// system supports it.
func room(t testing.TB, n uintptr) uintptr {
	t.Helper()
	size := (n + mem.PageSize - 1) &^ (mem.PageSize - 1)
	r, err := mem.Reserve(size+mem.PageSize, mem.PageSize)
	if err != nil {
		t.Fatal(err)
	}
	if !mem.Commit(r.Base, size) {
		t.Fatal("commit")
	}
	t.Cleanup(r.Release)
	return uintptr(r.Base) + size - n
}

// put stores a string without a zero at its end at p.
func put(p uintptr, s string) { copy(span("put", p, uint64(len(s))), s) }

func sign(x uint32) int {
	switch {
	case int32(x) < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

func TestMemory(t *testing.T) {
	const n = 300000
	a, b := room(t, n), room(t, n)
	r := rand.New(rand.NewPCG(1, 2))
	fillRandom := func() {
		for i := range uintptr(n) {
			*at[byte](a + i) = byte(r.Uint32())
			*at[byte](b + i) = byte(r.Uint32())
		}
	}
	fillRandom()
	for range 60 {
		ra, rb := span("", a, n), span("", b, n)
		wantA := bytes.Clone(ra)
		l := r.IntN(n)
		if r.IntN(2) == 0 {
			l = r.IntN(40)
		}
		x, y := r.IntN(n-l), r.IntN(n-l)
		var got uintptr
		switch r.IntN(3) {
		case 0:
			copy(wantA[x:x+l], rb[y:])
			got = Memcpy(a+uintptr(x), b+uintptr(y), uint64(l))
		case 1:
			copy(wantA[x:x+l], bytes.Clone(wantA[y:y+l]))
			got = Memmove(a+uintptr(x), a+uintptr(y), uint64(l))
		case 2:
			c := []uint32{0, 0x41, 0x1ff}[r.IntN(3)]
			copy(wantA[x:x+l], bytes.Repeat([]byte{byte(c)}, l))
			got = Memset(a+uintptr(x), c, uint64(l))
		}
		if got != a+uintptr(x) || !bytes.Equal(ra, wantA) {
			t.Fatalf("copy or set of %d bytes is wrong", l)
		}
	}
}

func TestMemcmp(t *testing.T) {
	a, b := room(t, 100), room(t, 100)
	for _, test := range []struct {
		x, y string
		want int
	}{
		{"", "", 0}, {"a", "a", 0}, {"a", "b", -1}, {"b", "a", 1}, {"\x80", "\x7f", 1}, {"a\x00b", "a\x00c", -1},
		{"0123456789abcdefX", "0123456789abcdefY", -1},
	} {
		put(a, test.x)
		put(b, test.y)
		if got := sign(Memcmp(a, b, uint64(len(test.x)))); got != test.want {
			t.Errorf("memcmp(%q, %q): got %d, want %d", test.x, test.y, got, test.want)
		}
	}
	if Memcmp(a, b, 0) != 0 || Memcmp(0, 0, 0) != 0 {
		t.Error("memcmp of nothing")
	}
}

// TestStrings puts the end of all strings at an inaccessible page: no function may read
// past the end.
func TestStrings(t *testing.T) {
	str := func(s string) uintptr {
		p := room(t, uintptr(len(s))+1)
		put(p, s+"\x00")
		return p
	}
	words := []string{"", "a", "b", "ab", "abc", "abcdefg", "abcdefgh", "abcdefghi", "abcdefgh\xff", "\x80", "\x7f", "aaaaaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaaaaac"}
	for _, x := range words {
		px := str(x)
		if got := Strlen(px); got != uint64(len(x)) {
			t.Errorf("strlen(%q): got %d", x, got)
		}
		for n := range uint64(12) {
			if got, want := Strnlen(px, n), min(n, uint64(len(x))); got != want {
				t.Errorf("strnlen(%q, %d): got %d, want %d", x, n, got, want)
			}
		}
		for _, y := range words {
			py := str(y)
			if got, want := sign(Strcmp(px, py)), bytes.Compare([]byte(x), []byte(y)); got != want {
				t.Errorf("strcmp(%q, %q): got %d, want %d", x, y, got, want)
			}
			for n := range 12 {
				cut := func(s string) []byte { return []byte(s)[:min(n, len(s))] }
				if got, want := sign(Strncmp(px, py, uint64(n))), bytes.Compare(cut(x), cut(y)); got != want {
					t.Errorf("strncmp(%q, %q, %d): got %d, want %d", x, y, n, got, want)
				}
			}
			at := uintptr(0)
			if i := bytes.Index([]byte(x), []byte(y)); i >= 0 {
				at = px + uintptr(i)
			}
			if got := Strstr(px, py); got != at {
				t.Errorf("strstr(%q, %q): got %#x, want %#x", x, y, got, at)
			}
		}
		for _, c := range []byte{0, 'a', 'c', 0xff, 'z'} {
			first, last := uintptr(0), uintptr(0)
			for i, d := range []byte(x + "\x00") {
				if d == c {
					last = px + uintptr(i)
					if first == 0 {
						first = last
					}
				}
			}
			// The conversion to unsigned char drops higher bits.
			if got := Strchr(px, uint32(c)|0x300); got != first {
				t.Errorf("strchr(%q, %q): got %#x, want %#x", x, c, got, first)
			}
			if got := Strrchr(px, uint32(c)); got != last {
				t.Errorf("strrchr(%q, %q): got %#x, want %#x", x, c, got, last)
			}
			if got := Memchr(px, uint32(c), uint64(len(x))+1); got != first {
				t.Errorf("memchr(%q, %q): got %#x, want %#x", x, c, got, first)
			}
			if first != 0 { // C allows a length beyond the memory when the byte is found
				if got := Memchr(px, uint32(c), math.MaxUint64/2); got != first {
					t.Errorf("memchr(%q, %q, huge): got %#x, want %#x", x, c, got, first)
				}
			}
		}
		if got := Memchr(px, 'z', uint64(len(x))+1); got != 0 {
			t.Errorf("memchr(%q, 'z'): got %#x", x, got)
		}
	}
	long := str(string(bytes.Repeat([]byte("x"), 100000)))
	if got := Strlen(long); got != 100000 {
		t.Errorf("strlen of 100000: got %d", got)
	}
}

func TestStringWriters(t *testing.T) {
	src, buf := room(t, 6), room(t, 32)
	put(src, "hello\x00")
	reset := func(s string) {
		put(buf, string(bytes.Repeat([]byte("#"), 32)))
		put(buf, s)
	}
	for _, test := range []struct {
		name   string
		before string
		got    func() uintptr
		want   string
	}{
		{"strcpy", "", func() uintptr { return Strcpy(buf, src) }, "hello\x00####"},
		{"strncpy 3", "", func() uintptr { return Strncpy(buf, src, 3) }, "hel#######"},
		{"strncpy 5", "", func() uintptr { return Strncpy(buf, src, 5) }, "hello#####"},
		{"strncpy 8", "", func() uintptr { return Strncpy(buf, src, 8) }, "hello\x00\x00\x00##"},
		{"strncpy 0", "", func() uintptr { return Strncpy(buf, src, 0) }, "##########"},
		{"strcat", "ab\x00", func() uintptr { return Strcat(buf, src) }, "abhello\x00##"},
		{"strncat 2", "ab\x00", func() uintptr { return Strncat(buf, src, 2) }, "abhe\x00#####"},
		{"strncat 9", "ab\x00", func() uintptr { return Strncat(buf, src, 9) }, "abhello\x00##"},
		{"strncat 0", "ab\x00", func() uintptr { return Strncat(buf, src, 0) }, "ab\x00#######"},
	} {
		reset(test.before)
		if got := test.got(); got != buf {
			t.Errorf("%s: got %#x, want the destination", test.name, got)
		}
		if got := string(span("", buf, 10)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	p := Strdup(0, src)
	if got := string(span("", p, 6)); got != "hello\x00" {
		t.Errorf("strdup: got %q", got)
	}
	Free(p)
}

// caught runs f and returns its panic.
func caught(f func()) (r any) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { r = recover() }()
	f()
	return nil
}

func TestFaults(t *testing.T) {
	p := room(t, 16)
	for name, f := range map[string]func(){
		"memcpy to NULL":         func() { Memcpy(0, p, 1) },
		"memcpy from NULL":       func() { Memcpy(p, 0, 1) },
		"memset near NULL":       func() { Memset(100, 1, 1) },
		"strlen of NULL":         func() { Strlen(0) },
		"strcmp with NULL":       func() { Strcmp(p, 0) },
		"puts of NULL":           func() { Puts(0, 8) },
		"memcpy of too much":     func() { Memcpy(p, p, math.MaxUint64) },
		"strtol of NULL":         func() { Strtol(0, 0, 0, 10) },
		"free of no block":       func() { Free(p) },
		"free of an odd address": func() { Free(p + 3) },
		"realloc of no block":    func() { Realloc(0, p, 9) },
	} {
		if caught(f) == nil {
			t.Errorf("%s: no panic", name)
		}
	}
	if mem.Lazy { // the next page faults
		if caught(func() { Memset(p, 1, 17) }) == nil {
			t.Error("memset past the end: no panic")
		}
	}
	for name, f := range map[string]func(){
		"memcpy":  func() { Memcpy(0, 0, 0) },
		"memset":  func() { Memset(0, 1, 0) },
		"strncmp": func() { Strncmp(0, 0, 0) },
		"memchr":  func() { Memchr(0, 0, 0) },
		"free":    func() { Free(0) },
	} {
		if r := caught(f); r != nil {
			t.Errorf("%s of nothing: %v", name, r)
		}
	}
}

func TestClasses(t *testing.T) {
	last := uint64(0)
	for c := range uint32(classCount) {
		s := classSize(c)
		if s <= last || s%align != 0 {
			t.Fatalf("class %d holds %d, the one before %d", c, s, last)
		}
		if classOf(last+1) != c || classOf(s) != c {
			t.Fatalf("class %d: classOf(%d) is %d, classOf(%d) is %d", c, last+1, classOf(last+1), s, classOf(s))
		}
		last = s
	}
	if last != maxSmall {
		t.Fatalf("the last class holds %d, want %d", last, maxSmall)
	}
}

// TestWholePages checks which sizes become whole large pages: those of which it wastes a quarter at most.
func TestWholePages(t *testing.T) {
	const page = mem.HugePage
	for _, c := range [][2]uintptr{
		{1, 1}, {page * 3 / 4, page * 3 / 4}, {page * 4 / 5, page * 4 / 5}, {page*4/5 + 1, page}, {page, page}, {page + 1, page + 1}, {page * 2 * 4 / 5, page * 2 * 4 / 5},
		{page*2*4/5 + 1, page * 2}, {page*2 + 1, page*2 + 1}, {page*4 + 1, page * 5}, {^uintptr(0) - 5, ^uintptr(0) - 5},
	} {
		if got := wholePages(c[0]); got != c[1] {
			t.Errorf("%d bytes become %d, want %d", c[0], got, c[1])
		}
	}
}

func TestMalloc(t *testing.T) {
	e := NewErrno()
	defer e.Free()
	r := rand.New(rand.NewPCG(3, 4))
	type block struct {
		p    uintptr
		n    uint64
		mark byte
	}
	var live []block
	check := func(b block) {
		t.Helper()
		for _, c := range span("", b.p, b.n) {
			if c != b.mark {
				t.Fatalf("block of %d at %#x was overwritten", b.n, b.p)
			}
		}
	}
	size := func() uint64 {
		n := uint64(r.IntN(300))
		switch r.IntN(40) {
		case 0:
			n = uint64(r.IntN(300000))
		case 1, 2:
			n = uint64(r.IntN(20000))
		}
		return n
	}
	for i := range 20000 {
		mark := byte(i)
		switch k := r.IntN(len(live) + 1); {
		case k == len(live) || r.IntN(5) < 2:
			n := size()
			p := Malloc(e, n)
			if r.IntN(3) == 0 {
				Free(p)
				if p = Calloc(e, n, 1); p != 0 && bytes.Count(span("", p, n), []byte{0}) != int(n) {
					t.Fatal("calloc gave memory that is not zero")
				}
			}
			if p == 0 || p%align != 0 || UsableSize(p) < n {
				t.Fatalf("malloc(%d): %#x", n, p)
			}
			Memset(p, uint32(mark), n)
			live = append(live, block{p, n, mark})
		case r.IntN(2) == 0:
			b := &live[k]
			n := size() + 1
			check(*b)
			q := Realloc(e, b.p, n)
			check(block{q, min(n, b.n), b.mark})
			Memset(q, uint32(mark), n)
			*b = block{q, n, mark}
		default:
			check(live[k])
			Free(live[k].p)
			live[k] = live[len(live)-1]
			live = live[:len(live)-1]
		}
	}
	for _, b := range live {
		check(b)
		Free(b.p)
	}
	if e.Get() != 0 {
		t.Errorf("errno %d", e.Get())
	}
}

func TestMallocEdges(t *testing.T) {
	e := NewErrno()
	defer e.Free()
	p, q := Malloc(e, 0), Malloc(e, 0)
	if p == 0 || q == 0 || p == q {
		t.Errorf("malloc(0) twice: %#x, %#x", p, q)
	}
	Free(q)
	if got := Realloc(e, p, 0); got != 0 {
		t.Errorf("realloc to 0: %#x", got)
	}
	if p = Realloc(e, 0, 10); p == 0 {
		t.Error("realloc of NULL")
	}
	Free(p)
	if r, ok := caught(func() { Free(p) }).(*Misuse); !ok || r.Error() != "free: block was freed already" {
		t.Errorf("double free: %v", r)
	}
	big := Malloc(e, 1<<20)
	Memset(big, 1, 1<<20)
	Free(big)
	if caught(func() { Free(big) }) == nil {
		t.Error("double free of a large block: no panic")
	}
	for _, f := range []func() uintptr{
		func() uintptr { return Malloc(e, math.MaxUint64) },
		func() uintptr { return Malloc(e, 1<<62) },
		func() uintptr { return Calloc(e, 1<<33, 1<<33) },
		func() uintptr { return Calloc(e, math.MaxUint64, 1) },
	} {
		e.Set(0)
		if p := f(); p != 0 || e.Get() != eNOMEM {
			t.Errorf("impossible request: %#x, errno %d", p, e.Get())
		}
	}
	p = Malloc(e, 10)
	if Realloc(e, p, math.MaxUint64) != 0 || UsableSize(p) < 10 {
		t.Error("realloc that fails must leave the block")
	}
	Free(p)
}

// TestMallocThreads frees on one thread what another allocated.
func TestMallocThreads(t *testing.T) {
	ch := make(chan uintptr, 64)
	var wg sync.WaitGroup
	for id := range 2 {
		wg.Go(func() {
			for i := range 20000 {
				n := uint64(i%500 + 8)
				p := Malloc(0, n)
				Memset(p, uint32(id+1), n)
				*at[uint64](p) = n
				ch <- p
				q := <-ch
				m := *at[uint64](q)
				for _, c := range span("", q+8, m-8) {
					if c != 1 && c != 2 {
						t.Errorf("block holds %d", c)
						return
					}
				}
				Free(q)
			}
		})
	}
	wg.Wait()
}

func BenchmarkMalloc(b *testing.B) {
	b.Run("64", func(b *testing.B) {
		for b.Loop() {
			Free(Malloc(0, 64))
		}
	})
	b.Run("1M", func(b *testing.B) {
		for b.Loop() {
			Free(Malloc(0, 1<<20))
		}
	})
}

func BenchmarkMemory(b *testing.B) {
	p, q := room(b, 1<<16), room(b, 1<<16)
	b.Run("memcpy16", func(b *testing.B) {
		for b.Loop() {
			Memcpy(p, q, 16)
		}
	})
	b.Run("memset64K", func(b *testing.B) {
		for b.Loop() {
			Memset(p, 1, 1<<16)
		}
	})
	Memset(p, 'x', 1<<16)
	Memset(q, 'x', 1<<16)
	*at[byte](p + 1<<16 - 1) = 0
	*at[byte](q + 1<<16 - 1) = 0
	b.Run("strlen64K", func(b *testing.B) {
		for b.Loop() {
			Strlen(p)
		}
	})
	b.Run("strcmp64K", func(b *testing.B) {
		for b.Loop() {
			Strcmp(p, q)
		}
	})
}

func TestMain(m *testing.M) {
	if f := os.Getenv("NATIVE_CHILD"); f != "" {
		children[f]()
		return
	}
	os.Exit(m.Run())
}
