package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed litmus.html
var litmusPage string

var litmusTemplate = template.Must(template.New("litmus").Parse(litmusPage))

// A litmusRow is a test on the page.
type litmusRow struct {
	*litmusReport
	Text    string // of the test
	Refused string
	Picture template.HTML
	Bad     bool // the result is not the expected one, or something forbidden was seen
}

// picture draws the execution that the report is about; "" if there is none.
func (r *litmusReport) picture() string {
	switch {
	case r.verdict.Example != nil:
		return r.verdict.Example.SVG(nil)
	case r.Refusal != nil && r.Refusal.Execution != nil:
		return r.Refusal.Execution.SVG(r.Refusal.Cycle)
	}
	return ""
}

// writeLitmusPage writes one page about all tests.
func writeLitmusPage(w io.Writer, reports []*litmusReport) error {
	var rows []litmusRow
	for _, r := range reports {
		row := litmusRow{litmusReport: r, Text: r.test.String(), Bad: !r.Met || len(r.Forbidden) > 0}
		row.Picture = template.HTML(r.picture()) // text in it is escaped
		if r.Refusal != nil {
			row.Refused = r.Refusal.String()
		}
		rows = append(rows, row)
	}
	return litmusTemplate.Execute(w, rows)
}

// writeLitmusPicture writes the picture of one test.
func writeLitmusPicture(w io.Writer, reports []*litmusReport) error {
	if len(reports) != 1 {
		return fmt.Errorf("litmus: -svg draws one test, got %d", len(reports))
	}
	p := reports[0].picture()
	if p == "" {
		return fmt.Errorf("litmus: -svg: no execution of %s to draw", strings.TrimSpace(reports[0].Name))
	}
	_, err := io.WriteString(w, p)
	return err
}

// Shown is the state as people read it.
func (s litmusState) Shown() string { return s.text }
