package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// reportFormat is the version of the JSON form; it changes when old files can no
// longer be used for comparisons.
const reportFormat = 1

// A Report is everything that a run measured, as -json writes it.
type Report struct {
	Format  int       `json:"format"`
	Date    string    `json:"date"` // RFC 3339
	Size    string    `json:"size"` // "full", "middle" or "small"
	Repeats int       `json:"repeats"`
	OS      string    `json:"os"`
	Arch    string    `json:"arch"`
	CPUs    int       `json:"cpus"`
	Load    []float64 `json:"load,omitempty"` // one-minute load average before and after
	Tools   []string  `json:"tools"`          // versions of the compilers
	Notes   []string  `json:"notes,omitempty"`
	Results []*Result `json:"results"` // by kernel, in the order of the table
}

// A Result is the measurements of one twin of one kernel, in the order of the
// rounds.
type Result struct {
	Kernel  string   `json:"kernel"`
	Group   string   `json:"group"`
	Twin    string   `json:"twin"`
	Samples []Sample `json:"samples"`
}

// A Sample is one run of a program.
type Sample struct {
	CPU  int64 `json:"cpu_us"`           // user and system time of all threads, microseconds
	Wall int64 `json:"wall_us"`          // microseconds
	RSS  int64 `json:"rss_kb,omitempty"` // peak resident set, 0 if the system does not provide it
}

// readReport reads a file that write made.
func readReport(file string) (*Report, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	r := new(Report)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("%s: not a report: %v", file, err)
	}
	if r.Format != reportFormat {
		return nil, fmt.Errorf("%s: report of format %d, this version reads %d", file, r.Format, reportFormat)
	}
	seen := map[[2]string]bool{}
	for i, x := range r.Results {
		if x == nil || x.Kernel == "" || x.Twin == "" || len(x.Samples) == 0 {
			return nil, fmt.Errorf("%s: result %d is incomplete", file, i)
		}
		for _, s := range x.Samples {
			if s.CPU < 0 || s.Wall < 0 || s.RSS < 0 {
				return nil, fmt.Errorf("%s: negative measurement of %s %s", file, x.Kernel, x.Twin)
			}
		}
		key := [2]string{x.Kernel, x.Twin}
		if seen[key] {
			return nil, fmt.Errorf("%s: two results for %s %s", file, x.Kernel, x.Twin)
		}
		seen[key] = true
	}
	return r, nil
}

// write writes the report as JSON.
func (r *Report) write(file string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o666)
}

// keep drops the results of all other kernels.
func (r *Report) keep(ks []*kernel) {
	want := map[string]bool{}
	for _, k := range ks {
		want[k.name] = true
	}
	var res []*Result
	for _, x := range r.Results {
		if want[x.Kernel] {
			res = append(res, x)
		}
	}
	r.Results = res
}

// find returns a result, or nil if there is none.
func (r *Report) find(kernel, twin string) *Result {
	for _, x := range r.Results {
		if x.Kernel == kernel && x.Twin == twin {
			return x
		}
	}
	return nil
}

// kernels lists the kernels of a group that have results, in order.
func (r *Report) kernels(group string) []string {
	var names []string
	for _, x := range r.Results {
		if x.Group == group && (len(names) == 0 || names[len(names)-1] != x.Kernel) {
			names = append(names, x.Kernel)
		}
	}
	return names
}

// times returns the times of a result in milliseconds; none if x is nil.
func (x *Result) times(m metric) []float64 {
	if x == nil {
		return nil
	}
	var v []float64
	for _, s := range x.Samples {
		v = append(v, m.of(s))
	}
	return v
}

// peak returns the median of the peak resident sets in megabytes.
func (x *Result) peak() float64 {
	var v []float64
	for _, s := range x.Samples {
		if s.RSS > 0 {
			v = append(v, float64(s.RSS)/1024)
		}
	}
	return summarize(v).median
}

// ratio compares two twins of a kernel; ok is false if one was not measured.
func (r *Report) ratio(kernel, a, b string, m metric) (s spread, ok bool) {
	s = ratios(r.find(kernel, a).times(m), r.find(kernel, b).times(m))
	return s, s.median == s.median
}
