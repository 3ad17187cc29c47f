package dialect

import "github.com/uvm2go/uvm2go/transpile/ir"

// Find returns the entity of a program that users call name, nil if there is none. It looks for its name in
// the program, for the aliases of the dialect and, for functions, for the name in reports.
func (d *Dialect) Find(p *ir.Program, name string) any {
	for _, n := range d.aliases(p, name) {
		if e := p.Find(n); e != nil {
			return e
		}
	}
	for _, f := range p.Funcs {
		if f.Title != "" && f.Title == name && f.Root() == f {
			return f
		}
	}
	return nil
}

// NameOf is the name in the program of the entity or version that users call name, or name itself if there
// is none.
func (d *Dialect) NameOf(p *ir.Program, name string) string {
	if f, ok := d.Find(p, name).(*ir.Function); ok {
		return f.Name
	}
	for _, n := range d.aliases(p, name) {
		for _, f := range p.Funcs {
			for _, v := range f.Versions {
				if v.Name == n {
					return n
				}
			}
		}
	}
	return name
}

func (d *Dialect) aliases(p *ir.Program, name string) []string {
	if d.Aliases == nil {
		return []string{name}
	}
	return append([]string{name}, d.Aliases(p, name)...)
}

// Marked is a function for Aliases in languages whose global names are those of the representation: users
// may leave out the mark.
func Marked(_ *ir.Program, name string) []string { return []string{ir.GlobalName(name)} }
