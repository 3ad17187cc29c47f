package archive

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/dialect"
)

// A member is a member of a zip archive that a test makes.
type member struct {
	name, text string
	mode       fs.FileMode
}

func zipped(t testing.TB, list ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range list {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		if m.mode != 0 {
			h.SetMode(m.mode)
		}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte(m.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var form = &Form{Ending: ".mu", Bundle: ".uir", Image: ".hail", Info: ".info"}

func openText(text []byte, limit uint64) (*Archive, error) {
	return open(form, Source{Name: "x.mu", Text: text}, limit)
}

// TestArchive opens archives as the tools of existing clients make them.
func TestArchive(t *testing.T) {
	for _, libs := range []struct {
		json string
		want []string
	}{
		{`[]`, nil}, {`""`, nil}, {`null`, nil},
		{`["libm.so.6", "/a/b.so"]`, []string{"libm.so.6", "/a/b.so"}},
		{`"libutil.so.1:libc.so.6:/some/path/lib.so"`, []string{"libutil.so.1", "libc.so.6", "/some/path/lib.so"}},
		{`":libc.so.6::"`, []string{"libc.so.6"}},
	} {
		text := zipped(t, member{name: "sub/"}, member{name: "sub/b.uir", text: "b"}, member{name: "a.uir", text: "a"}, member{name: "x.hail", text: "h"},
			member{name: "README", text: "-"}, member{name: "z.info", text: `{"entrypoint": "@go", "libdeps": ` + libs.json + `, "more": {}}`})
		a, err := openText(text, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s %s %s %s", a.Bundles, a.Images, a.Entry, a.Info)
		if want := "[{x.mu!a.uir a } {x.mu!sub/b.uir b }] [{x.mu!x.hail h }] @go x.mu!z.info"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if !slices.Equal(a.Libs, libs.want) {
			t.Errorf("libdeps %s: got %q, want %q", libs.json, a.Libs, libs.want)
		}
	}
}

// TestArchiveErrors checks that errors name the reason and the member.
func TestArchiveErrors(t *testing.T) {
	good := member{name: "a.uir", text: "// nothing\n"}
	info := func(s string) []byte { return zipped(t, good, member{name: "x.info", text: s}) }
	broken := zipped(t, good)
	for i := range broken {
		if bytes.HasPrefix(broken[i:], []byte("PK\x07\x08")) { // the checksum follows
			broken[i+4]++
		}
		if bytes.HasPrefix(broken[i:], []byte("PK\x01\x02")) {
			broken[i+16]++
		}
	}
	for _, tt := range []struct {
		about string
		text  []byte
		want  string
	}{
		{"no zip", []byte(".typedef @i = int<8>"), "x.mu: not a .mu archive: zip: not a valid zip file"},
		{"nothing", nil, "x.mu: not a .mu archive: zip: not a valid zip file"},
		{"cut off", zipped(t, good)[:60], "x.mu: not a .mu archive: zip: not a valid zip file"},
		{"damaged", broken, "x.mu!a.uir: zip: checksum error"},
		{"no bundle", zipped(t, member{name: "a.txt"}), "x.mu: the archive has no .uir bundle"},
		{"no member", zipped(t), "x.mu: the archive has no .uir bundle"},
		{"a name twice", zipped(t, good, good), "x.mu!a.uir: two members have this name"},
		{"a name that climbs", zipped(t, good, member{name: "../b.uir"}), `x.mu!"../b.uir": the name of a member must be a path within the archive`},
		{"a name that climbs later", zipped(t, good, member{name: "b/../../c"}), `x.mu!"b/../../c": the name of a member must be a path within the archive`},
		{"from the root", zipped(t, good, member{name: "/etc/b.uir"}), `x.mu!"/etc/b.uir": the name of a member must be a path within the archive`},
		{"of Windows", zipped(t, good, member{name: `..\b.uir`}), `x.mu!"..\\b.uir": the name of a member must be a path within the archive`},
		{"of a drive", zipped(t, good, member{name: `C:b.uir`}), `x.mu!"C:b.uir": the name of a member must be a path within the archive`},
		{"a link", zipped(t, good, member{name: "b.uir", text: "/etc/passwd", mode: fs.ModeSymlink | 0o777}), "x.mu!b.uir: not an ordinary file"},
		{"too large together", zipped(t, member{name: "a.uir", text: strings.Repeat(" ", 600)}, member{name: "b.uir", text: strings.Repeat(" ", 500)}),
			"x.mu!b.uir: the archive unpacks to more than 1000 bytes; unpack it and give its files one by one"},
		{"too large alone", zipped(t, member{name: "a.uir", text: strings.Repeat(" ", 1001)}), "x.mu!a.uir: the archive unpacks to more than 1000 bytes; unpack it and give its files one by one"},
		{"two of .info", zipped(t, good, member{name: "x.info", text: "{}"}, member{name: "y.info", text: "{}"}), "x.mu!y.info: a second .info, beside x.mu!x.info"},
		{"a list", info(`[]`), "x.mu!x.info: want a JSON object, got a JSON array"},
		{"half", info(`{"entrypoint": `), "x.mu!x.info: bad JSON at byte 15: unexpected end of JSON input"},
		{"an entry", info(`{"entrypoint": 1}`), "x.mu!x.info: entrypoint: want a string, got a JSON number"},
		{"libraries", info(`{"libdeps": {}}`), "x.mu!x.info: libdeps: want a list of strings, or one string separated by colons"},
		{"a library", info(`{"libdeps": [1]}`), "x.mu!x.info: libdeps: want a list of strings, or one string separated by colons"},
	} {
		if _, err := openText(tt.text, 1000); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.about, err, tt.want)
		}
	}
	// Other members are not unpacked.
	a, err := openText(zipped(t, good, member{name: "film.bin", text: strings.Repeat("x", 5000)}), 1000)
	if err != nil || len(a.Bundles) != 1 {
		t.Errorf("with a large member beside: %v", err)
	}
}

// The limit grows with the archive, between two bounds. The error names the member that exceeds it.
func TestArchiveLimit(t *testing.T) {
	for _, tt := range []struct {
		size int
		want uint64
	}{{0, 1 << 20}, {1 << 16, 1 << 20}, {1<<16 + 1, 1<<20 + 16}, {4 << 20, 64 << 20}, {6 << 20, 64 << 20}} {
		if got := unpackLimit(tt.size); got != tt.want {
			t.Errorf("an archive of %d bytes: got %d, want %d", tt.size, got, tt.want)
		}
	}
	noise := make([]byte, 100_000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	large := func(n int) (int, error) {
		text := zipped(t, member{name: "a.uir", text: string(noise)}, member{name: "b.uir", text: strings.Repeat(" ", n)})
		_, err := Open(form, Source{Name: "x.mu", Text: text})
		return len(text), err
	}
	if n, err := large(15*100_000 - 1<<16); err != nil {
		t.Errorf("%d bytes: %v", n, err)
	}
	n, err := large(16 * 102_000)
	want := fmt.Sprintf("x.mu!b.uir: the archive unpacks to more than %d bytes; unpack it and give its files one by one", 16*n)
	if err == nil || err.Error() != want {
		t.Errorf("%d bytes: got %v, want %s", n, err, want)
	}
}

// TestArchiveMemory checks the number of bytes that are allocated to unpack an archive: those of the text, and
// those that package zip needs.
func TestArchiveMemory(t *testing.T) {
	const size = 8 << 20
	src := Source{Name: "x.mu", Text: zipped(t, member{name: "a.uir", text: strings.Repeat("// nothing\n", size/11)})}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a, err := open(form, src, size)
	runtime.ReadMemStats(&after)
	if err != nil || len(a.Bundles) != 1 {
		t.Fatal(err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > size+1<<20 {
		t.Errorf("%d bytes for a text of %d", n, size)
	}
}

// FuzzArchive: every archive is either opened, with at most the limit of bytes, or refused with an error
// that names it.
func FuzzArchive(f *testing.F) {
	good := member{name: "a.uir", text: ".typedef @i = int<8>\n"}
	f.Add(zipped(f, good))
	f.Add(zipped(f, good, good))
	f.Add(zipped(f, good, member{name: "x.info", text: `{"entrypoint": "@go", "libdeps": "libc.so.6:libm.so.6"}`}))
	f.Add(zipped(f, good, member{name: "d/"}, member{name: "d/b.hail", text: ".new $x <@i>"}, member{name: "../x"}))
	f.Add(zipped(f, member{name: "a.uir", text: strings.Repeat(" ", 100000)}))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	const limit = 1 << 16
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := openText(text, limit)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.mu") || !strings.Contains(err.Error(), ": ") {
				t.Errorf("the error names no archive: %v", err)
			}
			return
		}
		if len(a.Bundles) == 0 {
			t.Error("no bundle")
		}
		total := 0
		seen := map[string]bool{}
		for _, s := range append(a.Bundles, a.Images...) {
			total += len(s.Text)
			if seen[s.Name] || !fs.ValidPath(strings.TrimPrefix(s.Name, "x.mu!")) {
				t.Errorf("member %q", s.Name)
			}
			seen[s.Name] = true
		}
		if total > limit {
			t.Errorf("unpacked to %d bytes", total)
		}
		if slices.Contains(a.Libs, "") {
			t.Errorf("libraries %q", a.Libs)
		}
	})
}

// TestOf: a source is recognized as an archive by the ending of its name, or by its content.
func TestOf(t *testing.T) {
	other := &Form{Ending: ".pack", Bundle: ".x", Image: ".image", Info: ".json"}
	r := dialect.Registry{{Name: "a", Archive: form}, {Name: "b"}, {Name: "c", Archive: other}}
	text := string(zipped(t, member{name: "a.x", text: "a"}, member{name: "a.uir", text: "b"}))
	for _, tt := range []struct {
		name, text string
		want       *Form
	}{{"a.mu", "", form}, {"a.pack", text, other}, {"a.zip", text, form}, {"a.uir", "x", nil}, {"a", "PK", nil}} {
		if got := Of(r, Source{Name: tt.name, Text: []byte(tt.text)}); got != tt.want {
			t.Errorf("%s is %+v, want %+v", tt.name, got, tt.want)
		}
	}
	if got := Of(r[1:2], Source{Name: "a.mu", Text: []byte(text)}); got != nil {
		t.Errorf("without archives, %+v", got)
	}
	a, err := Open(other, Source{Name: "a.pack", Text: []byte(text)})
	if err != nil || len(a.Bundles) != 1 || a.Bundles[0].Name != "a.pack!a.x" {
		t.Errorf("opened %+v, %v", a, err)
	}
}
