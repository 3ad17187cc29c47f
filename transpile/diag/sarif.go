package diag

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// The part of SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format) that
// diagnostics need.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifResult struct {
		RuleID           string          `json:"ruleId"`
		Level            string          `json:"level"`
		Message          sarifText       `json:"message"`
		Locations        []sarifLocation `json:"locations,omitempty"`
		RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Message  *sarifText    `json:"message,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"` // in characters, from 1
	}
)

// sarifRules are the rules that a result can refer to, by Severity.
var sarifRules = []sarifRule{
	{"error", sarifText{"The bundle breaks a rule of the language."}},
	{"warning", sarifText{"The bundle deviates from the rules in an accepted way, or will fail when it runs."}},
}

// PrintSARIF writes the diagnostics that Print would write as a SARIF 2.1.0 log of one
// run. version is the version of the tool.
func (l *List) PrintSARIF(w io.Writer, version string) error {
	results := []sarifResult{}
	shown, _ := l.Shown()
	for _, d := range shown {
		r := sarifResult{RuleID: sarifRules[d.Severity].ID, Level: d.Severity.String(), Message: sarifText{d.Msg}}
		if at, ok := l.sarifLocation(d.Pos, ""); ok {
			r.Locations = []sarifLocation{at}
		}
		r.RelatedLocations = l.sarifBeside(r.RelatedLocations, d.Pos, "in the bundle")
		for _, rel := range d.Related {
			if at, ok := l.sarifLocation(rel.Pos, rel.Msg); ok {
				r.RelatedLocations = append(r.RelatedLocations, at)
			}
			r.RelatedLocations = l.sarifBeside(r.RelatedLocations, rel.Pos, rel.Msg+", in the bundle")
		}
		results = append(results, r)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{{
			Tool: sarifTool{sarifDriver{Name: "uvm2go", Version: version,
				InformationURI: "https://github.com/uvm2go/uvm2go", Rules: sarifRules}},
			ColumnKind: "unicodeCodePoints",
			Results:    results,
		}},
	})
}

// sarifLocation returns a place, if it is known.
func (l *List) sarifLocation(p Pos, msg string) (sarifLocation, bool) {
	pos := l.set.Position(p)
	if !pos.IsValid() {
		return sarifLocation{}, false
	}
	return l.sarifAt(p, pos, msg), true
}

// sarifBeside appends the place in the bundle, if the place itself is the author's.
func (l *List) sarifBeside(list []sarifLocation, p Pos, msg string) []sarifLocation {
	if own, ok := l.set.Beside(p); ok {
		list = append(list, l.sarifAt(p, own, msg))
	}
	return list
}

// sarifAt is the location pos of p. Columns are those of characters: those of more than one byte before p, on its line
// of the bundle, count as one.
func (l *List) sarifAt(p Pos, pos Position, msg string) sarifLocation {
	col := pos.Col
	f := l.set.File(p.File)
	if own := f.Physical(int(p.Off)); own.IsValid() {
		if line := f.Line(own.Line); own.Col-1 <= len(line) {
			col -= own.Col - 1 - utf8.RuneCount(line[:own.Col-1])
		}
	}
	at := sarifLocation{Physical: sarifPhysical{sarifArtifact{fileURI(pos.File)}, sarifRegion{pos.Line, col}}}
	if msg != "" {
		at.Message = &sarifText{msg}
	}
	return at
}

// fileURI returns a file's name as a reference: a relative one for a relative name.
func fileURI(name string) string {
	path := filepath.ToSlash(name)
	if !filepath.IsAbs(name) {
		return (&url.URL{Path: path}).String()
	}
	if !strings.HasPrefix(path, "/") { // a drive letter
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
