package assemble

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
)

// unit finds the module that a reference names. If there is none, it reports an error and
// returns nil.
func (s *scope) unit(r syntax.Ref) *unit {
	if r.Module.Text == "" {
		return s.u
	}
	u := s.named(r.Module.Text)
	if u == nil {
		s.errorf(r.Module.Off, "unknown module %s%s", module.Quote(r.Module.Text), hint(s, "module", r.Module.Text, s.known))
	}
	return u
}

// find finds what a reference names in a name space of its module. A missing name is
// reported, unless its declaration may have been lost.
func find[T any](s *scope, r syntax.Ref, what string, space func(*unit) map[string]T) (x T, ok bool) {
	if r.Name.Text == "" {
		return x, false
	}
	u := s.unit(r)
	if u == nil {
		return x, false
	}
	if x, ok = get(u, r.Name.Text, space); !ok && !u.lost {
		h := hint(s, what, r.Name.Text, space(u))
		if what == "type" && u == s.u && h == "" {
			h = didYouMean(syntax.SuggestType(r.Name.Text))
		}
		s.errorf(r.Name.Off, "unknown %s %s%s", what, s.spell(r), h)
	}
	return x, ok
}

// spell returns a reference as it was written.
func (s *scope) spell(r syntax.Ref) string {
	if r.Module.Text == "" {
		return module.Quote(r.Name.Text)
	}
	return module.Quote(r.Module.Text) + "/" + module.Quote(r.Name.Text)
}

func (u *unit) structSpace() map[string]*module.Struct     { return u.structs }
func (u *unit) functionSpace() map[string]*module.Function { return u.functions }
func (u *unit) dataSpace() map[string]*module.Data         { return u.data }

func fieldSpace(k module.Storage) func(*unit) map[string]*module.Field {
	return func(u *unit) map[string]*module.Field { return u.fields[k] }
}

// typ resolves a type. It gives nil after an error.
func (s *scope) typ(t *syntax.Type) *module.Type {
	if t == nil {
		return nil
	}
	ts := &s.prog.Types
	switch t.Kind {
	case module.StructType:
		if st, ok := find(s, t.Ref, "type", (*unit).structSpace); ok {
			return ts.Of(st)
		}
		return nil
	case module.Pointer, module.Reference, module.Array, module.Vector, module.Static:
		elem := s.typ(t.Elem)
		switch {
		case elem == nil:
			return nil
		case t.Kind == module.Vector || t.Kind == module.Static:
			return ts.Counted(t.Kind, elem, t.Count)
		}
		return ts.To(t.Kind, elem)
	case module.FuncType:
		result := s.typ(t.Elem)
		params := make([]*module.Type, len(t.Params))
		for i, p := range t.Params {
			if params[i] = s.typ(p); params[i] == nil {
				result = nil
			}
		}
		if result == nil {
			return nil
		}
		return ts.Func(result, params, t.Conv)
	}
	return ts.Basic(t.Kind)
}

// signatures resolves the types of a module's declarations.
func (a *assembler) signatures(u *unit) {
	for _, s := range u.scopes {
		for i, d := range s.file.Types {
			t := s.structs[i]
			for _, m := range d.Members {
				typ := s.typ(m.Type)
				if f := u.members[t][m.Name.Text]; f != nil && f.Type == nil {
					f.Type = typ
				}
			}
		}
		for i, d := range s.file.Fields {
			s.fields[i].Type = s.typ(d.Type)
		}
		for i, d := range s.file.Funcs {
			f := s.functions[i]
			f.Result = s.typ(d.Result)
			for _, p := range d.Params {
				off := syntax.Off(0)
				if p.Type != nil {
					off = p.Type.Off
				}
				f.Params = append(f.Params, module.Param{Type: s.typ(p.Type), NoEscape: p.NoEscape, Meta: meta(p.Meta), Pos: s.pos(off)})
			}
		}
	}
}

// forwards finds the fields that fields of a module stand for. An unknown module is not an
// error here: such a program may be assembled alone.
func (a *assembler) forwards(u *unit) {
	for _, s := range u.scopes {
		for i, d := range s.file.Fields {
			f := s.fields[i]
			to := a.named(f.ForwardModule)
			if f.ForwardModule == "" || to == nil {
				continue
			}
			target, ok := find(s, d.Forward, fieldWord(f), fieldSpace(f.Storage))
			switch {
			case !ok || f.Type == nil || target.Type == nil:
			case target.Type != f.Type:
				s.errorf(d.Forward.Name.Off, "%s %s: wanted a field of type %s, got %s of type %s", fieldWord(f), module.Quote(f.Name),
					f.Type.Spell(u.m), s.spell(d.Forward), target.Type.Spell(u.m)).Also(target.Pos, "declared")
			default:
				f.Forward = target
			}
		}
	}
}

// aliases links each field that stands for another one to the field at the end of the chain.
// Fields that stand for themselves are reported and not linked.
func (a *assembler) aliases() {
	const open, done = 1, 2
	state := map[*module.Field]int{}
	var path []*module.Field
	for _, u := range a.units {
		for _, f := range u.m.Fields {
			path = path[:0]
			for f.Forward != nil && state[f] == 0 {
				a.steps++
				state[f] = open
				path = append(path, f)
				f = f.Forward
			}
			if f.Forward != nil && state[f] == open {
				a.diags.Errorf(f.Pos, "%s %s stands for itself", fieldWord(f), module.Quote(f.Name)).Also(f.Forward.Pos, "through "+module.Quote(f.Forward.Name))
				f.Forward = nil
			}
			root := f
			if f.Forward != nil {
				root = f.Forward
			}
			for _, g := range path {
				state[g] = done
				if g != root {
					g.Forward = root
				}
			}
		}
	}
}

// containment reports structures that contain themselves by value. It walks from each
// structure through its instance members, without recursion, because the depth depends on
// the program.
func (a *assembler) containment() {
	type step struct {
		s *module.Struct
		i int // of the member being looked at
	}
	const open, done = 1, 2
	state := map[*module.Struct]int{}
	var path []step
	for _, u := range a.units {
		for _, st := range u.m.Structs {
			if state[st] == 0 {
				path = append(path, step{s: st})
				state[st] = open
			}
			for len(path) > 0 {
				a.steps++
				top := &path[len(path)-1]
				if top.i == len(top.s.Members) {
					state[top.s] = done
					path = path[:len(path)-1]
					continue
				}
				f := top.s.Members[top.i]
				top.i++
				in := contained(f)
				switch {
				case in == nil || state[in] == done:
				case state[in] == 0:
					state[in] = open
					path = append(path, step{s: in})
				default:
					d := a.diags.Errorf(f.Pos, "type %s contains itself", module.Quote(in.Name))
					for k := len(path) - 2; k >= 0 && len(d.Related) < maxPath && path[k+1].s != in; k-- {
						via := path[k].s.Members[path[k].i-1]
						d.Also(via.Pos, "through member "+module.Quote(path[k].s.Name)+":"+module.Quote(via.Name))
					}
				}
			}
		}
	}
}

// maxPath bounds how many of the members through which a structure contains itself a message
// names.
const maxPath = 5

// contained is the structure whose values a member holds in place, nil if there is none.
func contained(f *module.Field) *module.Struct {
	t := f.Type
	if f.Storage != module.Instance || t == nil {
		return nil
	}
	for t.Kind == module.Static {
		t = t.Elem
	}
	return t.Struct
}

// maxHints is the number of unknown names for which near misses are looked for: each search
// goes through all names.
const maxHints = 30

// hint suggests a name of a name space for an unknown name.
func hint[T any](s *scope, what, name string, space map[string]T) string {
	if s.hints++; s.hints > maxHints {
		return ""
	}
	best := lex.Nearest(name, func(f func(string)) {
		for n := range space {
			s.steps++
			f(n)
		}
	})
	if best == "" {
		return ""
	}
	return didYouMean(quote(what, best))
}

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean " + name + "?"
}

// entries enters the entry points of a module.
func (a *assembler) entries(u *unit) {
	for _, s := range u.scopes {
		for _, d := range s.file.Entries {
			e := &u.m.Entries[d.Kind]
			if e.Pos != (diag.Pos{}) {
				s.errorf(d.Off, "%s redefined", d.Kind).Before(e.Pos)
				continue
			}
			e.Pos = s.pos(d.Off)
			e.Func = s.entry(d)
		}
	}
}

// entry finds and checks the function of an entry point.
func (s *scope) entry(d *syntax.EntryDecl) *module.Function {
	f, ok := find(s, d.Func, "function", (*unit).functionSpace)
	if !ok {
		return nil
	}
	off := d.Func.Off()
	if f.Module.Name != s.u.m.Name {
		s.errorf(off, "%s wants a function of this module, got %s", d.Kind, s.spell(d.Func))
		return nil
	}
	want := module.Void
	if d.Kind == module.Main {
		want = module.Int32
	}
	result := s.prog.Types.Basic(want)
	if f.Conv == module.Standard && len(f.Params) == 0 && (f.Result == nil || f.Result == result) {
		return f
	}
	name := module.Quote(f.Name)
	s.errorf(off, "%s wants a function %s %s(), got %s", d.Kind, result, name, signature(f, s.u.m)).Also(f.Pos, "declared")
	return nil
}

// signature spells the head of a function.
func signature(f *module.Function, in *module.Module) string {
	spell := func(t *module.Type) string {
		if t == nil {
			return "?"
		}
		return t.Spell(in)
	}
	var params []string
	for i := range f.Params {
		params = append(params, spell(f.Params[i].Type))
	}
	text := spell(f.Result) + " " + module.Quote(f.Name) + "(" + strings.Join(params, ", ") + ")"
	if f.Conv != module.Standard {
		text += " " + f.Conv.String()
	}
	return text
}
