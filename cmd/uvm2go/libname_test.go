package main

import "testing"

// TestLinkableName: names of libraries that would be read as something else in a #cgo directive, by the go command or
// by the linker are refused. -Wl,-rpath,DIR splits at commas, and a line break ends a directive.
func TestLinkableName(t *testing.T) {
	for _, ok := range []string{"/a/libx.so", "/a b/libx.so.1.2", "/größe/lib-x+y_z@1~.a", "/a/(x)[1]=%!&.so"} {
		if err := linkableName(ok); err != nil {
			t.Errorf("%q: %v", ok, err)
		}
	}
	for name, want := range map[string]string{
		"/a\nb.so":         `"/a\nb.so": a linker cannot be given this name, because it has '\n'; use a link with another name, or rename the file or folder`,
		"/a,-z,x/b.so":     `"/a,-z,x/b.so": a linker cannot be given this name, because it has ','; use a link with another name, or rename the file or folder`,
		"/*/b.so":          `"/*/b.so": a linker cannot be given this name, because it has '*'; use a link with another name, or rename the file or folder`,
		"/a'b.so":          `"/a'b.so": a linker cannot be given this name, because it has '\''; use a link with another name, or rename the file or folder`,
		"/a\"b.so":         `"/a\"b.so": a linker cannot be given this name, because it has '"'; use a link with another name, or rename the file or folder`,
		"/${SRCDIR}/b.so":  `"/${SRCDIR}/b.so": a linker cannot be given this name, because it has '$'; use a link with another name, or rename the file or folder`,
		"/a\xff.so":        `"/a\xff.so": a linker cannot be given this name, because it is not UTF-8; rename the file`,
		"/a\u0085b/lib.so": `"/a\u0085b/lib.so": a linker cannot be given this name, because it has '\u0085'; use a link with another name, or rename the file or folder`,
	} {
		if err := linkableName(name); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", name, err, want)
		}
	}
}
