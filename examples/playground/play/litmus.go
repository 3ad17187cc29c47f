package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/atomicsmodel/report"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// LitmusEnding is how the names of files with litmus tests end.
const LitmusEnding = ".litmus"

// A Verdict is what the page shows about a litmus test.
type Verdict struct {
	Name     string        `json:"name"`
	Doc      string        `json:"doc,omitempty"`
	Result   string        `json:"result"`
	Headline string        `json:"headline"` // the result, and whether it is expected; of UB and MIXED also the reason
	Met      bool          `json:"met"`      // the result is the expected one, if there is one
	Question string        `json:"question"` // with a bar between its cases
	Cases    []report.Case `json:"cases,omitempty"`
	States   []State       `json:"states"`
	More     int           `json:"more,omitempty"` // states that are not among them
	Why      string        `json:"why"`            // the execution with the outcome, or what forbids it
	Picture  string        `json:"picture,omitempty"`
}

// A State is a final state.
type State struct {
	Text  string `json:"text"`
	Asked bool   `json:"asked"`
}

// budget is how long the search for a verdict may take. It is a variable for tests.
var budget = 20 * time.Second

// A deadline is a context that is done at a time, and notices that without a timer: in WebAssembly no timer fires while
// something is computed.
type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Err() error {
	if time.Now().After(d.at) {
		return context.DeadlineExceeded
	}
	return nil
}

// litmus answers with the verdict of the litmus test in the first file.
func litmus(r *Request) *Answer {
	if len(r.Files) == 0 {
		return &Answer{Error: "no litmus test"}
	}
	f := r.Files[0]
	t, err := report.Read(f.Name, f.Text)
	if err != nil {
		return syntaxErrors(err)
	}
	o := atomicsmodel.Options{WW: r.WW, ThinAir: r.ThinAir}
	rep, err := report.Judge(deadline{context.Background(), time.Now().Add(budget)}, f.Name, t, o)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &Answer{Error: fmt.Sprintf("%s: no verdict after %v; uvm2go litmus has more time", t.Name, budget)}
	case err != nil:
		return &Answer{Error: err.Error()}
	}
	v := &Verdict{Name: t.Name, Doc: t.Doc, Result: rep.Result, Headline: rep.Headline(), Met: rep.Met, Question: t.Question(), Cases: rep.Cases,
		Why: rep.Why(), Picture: rep.Picture()}
	some, more := rep.Some()
	v.More = more
	for _, s := range some {
		v.States = append(v.States, State{s.Text(), s.Asked})
	}
	return &Answer{Litmus: v}
}

// syntaxErrors answers with the errors in the text of a test.
func syntaxErrors(err error) *Answer {
	var list []*atomicsmodel.SyntaxError
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			var e *atomicsmodel.SyntaxError
			if !errors.As(err, &e) {
				return &Answer{Error: err.Error()}
			}
			list = append(list, e)
		}
	}
	set := diag.NewSet()
	diags := diag.NewList(set)
	places := set.AddMade(func(i int) diag.Position {
		return diag.Position{File: list[i].File, Line: list[i].Line, Col: list[i].Column}
	}, nil)
	for i, e := range list {
		diags.Errorf(diag.Pos{File: places.ID(), Off: uint32(i)}, "%s", e.Message)
	}
	return answer(diags)
}
