package diag

import (
	"encoding/json"
	"io"
)

// A jsonPlace is a place in JSON: unknown parts are left out.
type jsonPlace struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"` // in bytes, from 1
}

// A jsonPlaces is a place and, if that is the author's, the one in the bundle.
type jsonPlaces struct {
	jsonPlace
	Bundle *jsonPlace `json:"bundle,omitempty"`
}

type jsonRelated struct {
	jsonPlaces
	Message string `json:"message"`
}

type jsonDiagnostic struct {
	jsonPlaces
	Severity string        `json:"severity"` // "error" or "warning"
	Message  string        `json:"message"`
	Related  []jsonRelated `json:"related,omitempty"`
}

func (l *List) jsonPlaces(p Pos) jsonPlaces {
	places := jsonPlaces{jsonPlace: newJSONPlace(l.set.Position(p))}
	if own, ok := l.set.Beside(p); ok {
		place := newJSONPlace(own)
		places.Bundle = &place
	}
	return places
}

func newJSONPlace(p Position) jsonPlace { return jsonPlace{p.File, p.Line, p.Col} }

// PrintJSON writes the diagnostics that Print would write, each as a JSON object on
// one line:
//
//	{"file":"a.uir","line":3,"column":10,"severity":"error","message":"@i64 redefined",
//	 "related":[{"file":"a.uir","line":1,"column":10,"message":"previous definition"}]}
//
// Unknown places have no file, line and column. Where these are the author's, an object "bundle" has those in the
// bundle.
func (l *List) PrintJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	shown, _ := l.Shown()
	for _, d := range shown {
		out := jsonDiagnostic{jsonPlaces: l.jsonPlaces(d.Pos), Severity: d.Severity.String(), Message: d.Msg}
		for _, r := range d.Related {
			out.Related = append(out.Related, jsonRelated{l.jsonPlaces(r.Pos), r.Msg})
		}
		if err := enc.Encode(out); err != nil {
			return err
		}
	}
	return nil
}
