package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/uvm2go/uvm2go/atomicsmodel/report"
)

//go:embed litmus.html
var litmusPage string

var litmusTemplate = template.Must(template.New("litmus").Parse(litmusPage))

// A litmusRow is a test on the page.
type litmusRow struct {
	*report.Report
	Source  string // the text of the test
	Some    []report.State
	More    int // states that are not among them
	Refused string
	Picture template.HTML
}

// writeLitmusPage writes one page about all tests.
func writeLitmusPage(w io.Writer, reports []*report.Report) error {
	var rows []litmusRow
	for _, r := range reports {
		row := litmusRow{Report: r, Source: r.Test.String()}
		row.Some, row.More = r.Some()
		row.Picture = template.HTML(r.Picture()) // text in it is escaped
		if r.Refusal != nil {
			row.Refused = r.Refusal.String()
		}
		rows = append(rows, row)
	}
	return litmusTemplate.Execute(w, rows)
}

// writeLitmusPicture writes the picture of one test.
func writeLitmusPicture(w io.Writer, reports []*report.Report) error {
	if len(reports) != 1 {
		return fmt.Errorf("litmus: -svg draws one test, got %d", len(reports))
	}
	p := reports[0].Picture()
	if p == "" {
		return fmt.Errorf("litmus: -svg: no execution of %s to draw", strings.TrimSpace(reports[0].Name))
	}
	_, err := io.WriteString(w, p)
	return err
}
