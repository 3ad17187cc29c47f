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

type jsonRelated struct {
	jsonPlace
	Message string `json:"message"`
}

type jsonDiagnostic struct {
	jsonPlace
	Severity string        `json:"severity"` // "error" or "warning"
	Message  string        `json:"message"`
	Related  []jsonRelated `json:"related,omitempty"`
}

func (l *List) jsonPlace(p Pos) jsonPlace {
	pos := l.set.Position(p)
	return jsonPlace{pos.File, pos.Line, pos.Col}
}

// PrintJSON writes the diagnostics that Print would write, each as a JSON object on
// one line:
//
//	{"file":"a.uir","line":3,"column":10,"severity":"error","message":"@i64 redefined",
//	 "related":[{"file":"a.uir","line":1,"column":10,"message":"previous definition"}]}
//
// Unknown places have no file, line and column.
func (l *List) PrintJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	shown, _ := l.Shown()
	for _, d := range shown {
		out := jsonDiagnostic{jsonPlace: l.jsonPlace(d.Pos), Severity: d.Severity.String(), Message: d.Msg}
		for _, r := range d.Related {
			out.Related = append(out.Related, jsonRelated{l.jsonPlace(r.Pos), r.Msg})
		}
		if err := enc.Encode(out); err != nil {
			return err
		}
	}
	return nil
}
