// Package muapi is the table of Mu's C API in its three generations, and the C headers that are made from it.
//
// The table is api.tsv; every fact about the API is in it once. Its rows, by their first column:
//
//	type      a type: its definition in each generation
//	callback  the type of a C function that clients write: result, parameters
//	flag      a number: its type, its value in each generation, and the common instruction that it stands for
//	func      a function of a struct: its slot in each generation, result, parameters
//	export    a function that the library exports
//
// "-" stands for what a generation does not have. A parameter is NAME:TYPE, with a suffix: [N] for an array whose length
// is the parameter N, ? for one that may be absent (NULL or 0), ! for one through which the function returns something.
//
// Slot 0 of every struct belongs to the implementation; it is not in the table.
package muapi

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed api.tsv
var text string

// A Generation is a column of the table.
type Generation int

// The generations (docs/libmu.md).
const (
	Refimpl2 Generation = iota // refimpl2-2016
	RMU                        // rmu-ref
	Zebu                       // zebu-2017
	Generations
)

// String returns the name of the generation.
func (g Generation) String() string { return [...]string{"refimpl2-2016", "rmu-ref", "zebu-2017"}[g] }

// API is the table.
type API struct {
	Types     []Type
	Callbacks []Func
	Flags     []Flag
	Funcs     []Func
	Exports   []Func
}

// A Type is a type other than a callback or a struct.
type Type struct {
	Name    string
	Def     [Generations]string // "" where there is none
	Meaning string
}

// A Flag is a number with a name.
type Flag struct {
	Type, Name string
	Value      [Generations]string // as C has it; "" where there is none
	Inst       string              // the common instruction of an opcode
}

// A Func is a function. Slot is 0 where a generation does not have it.
type Func struct {
	Struct, Name string
	Slot         [Generations]int // 1 for exports
	Result       string
	Params       []Param
}

// A Param is a parameter.
type Param struct {
	Name, Type string
	Count      string // the parameter with the length of the array, "" if it is none
	Absent     bool   // NULL or 0 may be given
	Out        bool   // the function stores through it
}

// Read returns the table.
func Read() (*API, error) {
	api := &API{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if err := api.row(strings.Split(line, "\t")); err != nil {
			return nil, fmt.Errorf("api.tsv:%d: %v", i+1, err)
		}
	}
	return api, nil
}

// columns is the number of columns of each kind of row.
var columns = map[string]int{"type": 6, "callback": 4, "flag": 7, "func": 8, "export": 7}

func (api *API) row(f []string) error {
	if want, ok := columns[f[0]]; !ok || want != len(f) {
		return fmt.Errorf("a row %q of %d columns", f[0], len(f))
	}
	switch f[0] {
	case "type":
		api.Types = append(api.Types, Type{f[1], three(f[2:]), dash(f[5])})
	case "flag":
		api.Flags = append(api.Flags, Flag{f[1], f[2], three(f[3:]), dash(f[6])})
	case "callback":
		params, err := parseParams(f[3])
		api.Callbacks = append(api.Callbacks, Func{Name: f[1], Slot: [Generations]int{1, 1, 1}, Result: f[2], Params: params})
		return err
	case "func", "export":
		fn := Func{Name: f[len(f)-6], Result: f[len(f)-2]}
		if f[0] == "func" {
			fn.Struct = f[1]
		}
		var err error
		if fn.Params, err = parseParams(f[len(f)-1]); err != nil {
			return err
		}
		for g, slot := range three(f[len(f)-5:]) {
			if slot == "yes" {
				slot = "1"
			}
			if slot != "" {
				if fn.Slot[g], err = strconv.Atoi(slot); err != nil {
					return err
				}
			}
		}
		if f[0] == "func" {
			api.Funcs = append(api.Funcs, fn)
		} else {
			api.Exports = append(api.Exports, fn)
		}
	}
	return nil
}

// three are the columns of the generations.
func three(f []string) (t [Generations]string) {
	for g := range t {
		t[g] = dash(f[g])
	}
	return t
}

func dash(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

func parseParams(s string) ([]Param, error) {
	if s == "" {
		return nil, nil
	}
	var params []Param
	for one := range strings.SplitSeq(s, ", ") {
		name, ty, ok := strings.Cut(one, ":")
		if !ok {
			return nil, fmt.Errorf("a parameter %q without a type", one)
		}
		p := Param{Name: name}
		ty, p.Out = strings.CutSuffix(ty, "!")
		ty, p.Absent = strings.CutSuffix(ty, "?")
		if at := strings.IndexByte(ty, '['); at >= 0 {
			ty, p.Count = ty[:at], strings.TrimSuffix(ty[at+1:], "]")
		}
		p.Type = ty
		params = append(params, p)
	}
	return params, nil
}

// Structs are the structs of function pointers of a generation, in the order of headers.
func (api *API) Structs(g Generation) []string {
	var names []string
	for _, f := range api.Funcs {
		if f.Slot[g] != 0 && !slices.Contains(names, f.Struct) {
			names = append(names, f.Struct)
		}
	}
	return names
}

// Members are the functions of a struct in the order of their slots, from 1.
func (api *API) Members(g Generation, of string) []Func {
	var list []Func
	for _, f := range api.Funcs {
		if f.Struct == of && f.Slot[g] != 0 {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b Func) int { return a.Slot[g] - b.Slot[g] })
	return list
}

// Derives reports whether a type is another one, or is defined by it.
func (api *API) Derives(g Generation, ty, from string) bool {
	for _, t := range api.Types {
		if t.Name == ty && t.Def[g] != "" && ty != from {
			return api.Derives(g, t.Def[g], from)
		}
	}
	return ty == from
}

// Base follows the definitions of a type of a generation down to one of C: "void*" for a handle, for instance. The types
// of callbacks and structs are returned as they are.
func (api *API) Base(g Generation, ty string) string {
	for _, t := range api.Types {
		if t.Name == ty && t.Def[g] != "" {
			return api.Base(g, t.Def[g])
		}
	}
	return ty
}
