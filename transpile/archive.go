package transpile

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"sort"
	"strings"
)

// An Archive is what a .mu file holds: a zip archive of bundles (.uir), HAIL
// scripts (.hail) and a JSON object (.info), as existing clients make them.
type Archive struct {
	Bundles []Source // in the order of their names
	Images  []Source
	Entry   string   // "entrypoint" of the info, "" if not given
	Libs    []string // "libdeps" of the info
}

// maxMember is the most bytes a member may unpack to.
const maxMember = 1<<31 - 1

// OpenArchive unpacks an archive. Its parts are named ARCHIVE!MEMBER.
func OpenArchive(s Source) (*Archive, error) {
	z, err := zip.NewReader(bytes.NewReader(s.Text), int64(len(s.Text)))
	if err != nil {
		return nil, fmt.Errorf("%s: not a .mu archive: %w", s.Name, err)
	}
	a := &Archive{}
	files := append([]*zip.File(nil), z.File...)
	sort.SliceStable(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	for _, f := range files {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		name := s.Name + "!" + f.Name
		text, err := readMember(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		switch path.Ext(f.Name) {
		case ".uir":
			a.Bundles = append(a.Bundles, Source{Name: name, Text: text})
		case ".hail":
			a.Images = append(a.Images, Source{Name: name, Text: text})
		case ".info":
			var info struct {
				Entry string   `json:"entrypoint"`
				Libs  []string `json:"libdeps"`
			}
			if err := json.Unmarshal(text, &info); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			a.Entry, a.Libs = info.Entry, info.Libs
		}
	}
	if len(a.Bundles) == 0 {
		return nil, fmt.Errorf("%s: the archive has no .uir bundle", s.Name)
	}
	return a, nil
}

func readMember(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxMember+1))
	if err == nil && len(b) > maxMember {
		err = fmt.Errorf("larger than %d bytes", maxMember)
	}
	return b, err
}
