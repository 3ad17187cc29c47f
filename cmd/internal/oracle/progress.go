package oracle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"text/tabwriter"
	"time"
)

// Progress is how far a comparison of random programs has come. It can be saved, and continued by another process.
type Progress struct {
	What    string // the options that determine the programs and the ways
	First   int64  // seed
	Seeds   int    // number of seeds that are done
	Ways    map[string]*Tally
	Differs []string // one line each
	Time    time.Duration

	file string
}

// A Tally counts the programs that were compared in a way, those that differ, and the time that it took: building, which is
// shared by the ways of a batch that use it, and running.
type Tally struct {
	Programs, Differ int
	Time             time.Duration
}

func newProgress(first int64) *Progress { return &Progress{First: first, Ways: map[string]*Tally{}} }

// OpenProgress reads what was saved in a file, or begins. With the name "" nothing is saved. What was saved with other options is an error.
func OpenProgress(file, what string, first int64) (*Progress, error) {
	p := newProgress(first)
	p.What, p.file = what, file
	if file == "" {
		return p, nil
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return p, p.save()
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if p.What != what {
		return nil, fmt.Errorf("%s is for other options: %s", file, p.What)
	}
	return p, nil
}

// save writes the file, if there is one. A process that ends while it writes leaves the old one.
func (p *Progress) save() error {
	if p.file == "" {
		return nil
	}
	text, err := json.MarshalIndent(p, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.file+".new", text, 0o666); err != nil {
		return err
	}
	return os.Rename(p.file+".new", p.file)
}

// tally is that of a way.
func (p *Progress) tally(w Way) *Tally {
	t := p.Ways[w.Name]
	if t == nil {
		t = &Tally{}
		p.Ways[w.Name] = t
	}
	return t
}

// Report prints the counts of the ways, in their order.
func (p *Progress) Report(w io.Writer, ways []Way) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "way\tprograms\tdiffer\ta minute\t")
	for _, way := range ways {
		if c := p.Ways[way.Name]; c != nil {
			fmt.Fprintf(t, "%s\t%d\t%d\t%.0f\t\n", wayFlag(way), c.Programs, c.Differ, float64(c.Programs)/c.Time.Minutes())
		}
	}
	t.Flush()
}
