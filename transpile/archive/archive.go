// Package archive opens zip archives of bundles, images and a description of them (docs/hail.md,
// "Archives"). A dialect defines their file endings (dialect.Archive).
package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/dialect"
)

// Source is a member, or the archive itself.
type Source = dialect.Source

// An Archive is the content of an archive: bundles, HAIL scripts and a JSON object, in the form that existing
// clients make.
type Archive struct {
	Bundles []Source // in the order of their names
	Images  []Source // likewise
	Entry   string   // "entrypoint" of the info, "" if missing
	// Libs is "libdeps" of the info: paths of native libraries, and bare names of
	// shared ones, which are searched like the dynamic linker does.
	Libs []string
	Info string // the name of the info in diagnostics, "" if there is none
}

// The unpacked bundles, scripts and info of an archive may be maxPacking times as large as the
// archive, or smallArchive bytes if that is more, but at most maxArchive. Text is usually packed to a
// tenth; a malicious zip archive can unpack to a thousand times its size, and reading a bundle can
// take 50 times its size.
const (
	maxPacking   = 16
	smallArchive = 1 << 20
	maxArchive   = 64 << 20
)

// unpackLimit is the largest unpacked size, in bytes, for an archive of n bytes.
func unpackLimit(n int) uint64 {
	return min(max(maxPacking*uint64(n), smallArchive), maxArchive)
}

// Is reports whether a text begins as a zip archive does.
func Is(text []byte) bool {
	return bytes.HasPrefix(text, []byte("PK\x03\x04")) || bytes.HasPrefix(text, []byte("PK\x05\x06"))
}

// A Form is a form of archives.
type Form = dialect.Archive

// Of finds the form of archives of a source by its name and content, nil if it is not an archive.
func Of(dialects dialect.Registry, s Source) *Form {
	forms := dialects.Archives()
	for _, f := range forms {
		if path.Ext(s.Name) == f.Ending {
			return f
		}
	}
	if Is(s.Text) && len(forms) > 0 {
		return forms[0]
	}
	return nil
}

// Open unpacks an archive. Its parts are named ARCHIVE!MEMBER. Members of other
// kinds are not unpacked. The error names the archive or the faulty member.
func Open(form *Form, s Source) (*Archive, error) { return open(form, s, unpackLimit(len(s.Text))) }

func open(form *Form, s Source, limit uint64) (*Archive, error) {
	z, err := zip.NewReader(bytes.NewReader(s.Text), int64(len(s.Text)))
	if err != nil {
		return nil, fmt.Errorf("%s: not a %s archive: %w", s.Name, form.Ending, err)
	}
	parts, err := members(form, z.File)
	if err != nil {
		return nil, fmt.Errorf("%s!%w", s.Name, err)
	}
	a := &Archive{}
	left := limit
	for _, f := range parts {
		name := s.Name + "!" + f.Name
		text, err := readMember(f, left)
		if errors.Is(err, errTooLarge) {
			return nil, fmt.Errorf("%s: the archive unpacks to more than %d bytes; unpack it and give its files one by one", name, limit)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		left -= uint64(len(text))
		switch path.Ext(f.Name) {
		case form.Bundle:
			a.Bundles = append(a.Bundles, Source{Name: name, Text: text})
		case form.Image:
			a.Images = append(a.Images, Source{Name: name, Text: text})
		default:
			if a.Info != "" {
				return nil, fmt.Errorf("%s: a second %s, beside %s", name, form.Info, a.Info)
			}
			a.Info = name
			if err := a.readInfo(text); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if len(a.Bundles) == 0 {
		return nil, fmt.Errorf("%s: the archive has no %s bundle", s.Name, form.Bundle)
	}
	return a, nil
}

// members returns the relevant files of an archive, by name. Each name must occur only once, and must
// not lead out of the folder when other tools unpack the archive.
func members(form *Form, files []*zip.File) ([]*zip.File, error) {
	files = slices.SortedStableFunc(slices.Values(files), func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	var parts []*zip.File
	for i, f := range files {
		if i > 0 && files[i-1].Name == f.Name {
			return nil, fmt.Errorf("%s: two members have this name", f.Name)
		}
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00") {
			return nil, fmt.Errorf("%q: the name of a member must be a path within the archive", f.Name)
		}
		if !slices.Contains([]string{form.Bundle, form.Image, form.Info}, path.Ext(f.Name)) {
			continue
		}
		if !f.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: not an ordinary file", f.Name)
		}
		parts = append(parts, f)
	}
	return parts, nil
}

var errTooLarge = errors.New("too large")

// readMember unpacks a file of at most limit bytes.
func readMember(f *zip.File, limit uint64) ([]byte, error) {
	if f.UncompressedSize64 > limit {
		return nil, errTooLarge
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text := make([]byte, f.UncompressedSize64)
	if _, err = io.ReadFull(r, text); err != nil {
		return nil, err
	}
	// The reader returns an error if there is more data than the declared size, or the checksum is wrong.
	_, err = r.Read(make([]byte, 1))
	if err == io.EOF {
		err = nil
	}
	return text, err
}

// readInfo takes the JSON object.
func (a *Archive) readInfo(text []byte) error {
	var info struct {
		Entry string  `json:"entrypoint"`
		Libs  libDeps `json:"libdeps"`
	}
	err := json.Unmarshal(text, &info)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("bad JSON at byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind) && kind.Field == "entrypoint":
		return fmt.Errorf("entrypoint: want a string, got a JSON %s", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("want a JSON object, got a JSON %s", kind.Value)
	case err != nil:
		return err
	}
	a.Entry, a.Libs = info.Entry, info.Libs
	return nil
}

// libDeps is a list of libraries, or a text with colons between them.
type libDeps []string

// UnmarshalJSON accepts both forms. Empty names are ignored.
func (l *libDeps) UnmarshalJSON(text []byte) error {
	var list []string
	var one string
	if json.Unmarshal(text, &list) != nil {
		if json.Unmarshal(text, &one) != nil {
			return errors.New("libdeps: want a list of strings, or one string separated by colons")
		}
		list = strings.Split(one, ":")
	}
	*l = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	return nil
}
