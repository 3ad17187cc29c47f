package interp

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Names and ids of entities, and the loading of code (docs/language.md, "Common instructions").

// nameTable finds ids by names and the reverse.
type nameTable struct {
	ids   map[string]uint32
	names map[uint32]string
	known map[uint32]bool  // all ids, including those without a name
	in    map[uint32][]int // later bundles one of which must be loaded
}

// visible reports whether an entity can be found.
func (m *machine) visible(id uint32) bool {
	in, hidden := m.nameTable().in[id]
	return !hidden || slices.ContainsFunc(in, func(i int) bool { return m.loaded[i] })
}

func (n *nameTable) add(id uint32, name string) {
	if id == 0 {
		return
	}
	n.known[id] = true
	if name == "" {
		return
	}
	if _, ok := n.ids[name]; !ok {
		n.ids[name] = id
	}
	if _, ok := n.names[id]; !ok {
		n.names[id] = name
	}
}

// nameTable makes the table when it is first needed.
func (m *machine) nameTable() *nameTable {
	if m.names != nil {
		return m.names
	}
	n := &nameTable{map[string]uint32{}, map[uint32]string{}, map[uint32]bool{}, map[uint32][]int{}}
	m.names = n
	for _, e := range m.prog.EntityNames() {
		n.add(e.ID, e.Name)
		if e.In != nil {
			n.in[e.ID] = e.In
		}
	}
	return n
}

// readBytes reads the text in a @uvm.meta.bytes object.
func (m *machine) readBytes(v Value) (string, misuse) {
	u, ok := v.ref.(*unit)
	if !ok {
		return "", misuse{nameError, "the name is NULL"}
	}
	s := m.shapes.of(m.bytesType)
	length, bad := u.load(s.fields[0], 0)
	if bad.kind != noError {
		return "", bad
	}
	if bad, ok := u.check(s.size, length.Lo); !ok {
		return "", bad
	}
	if bad, ok := u.plain(s.size, length.Lo); !ok {
		return "", bad
	}
	return string(u.data[s.size : s.size+length.Lo]), misuse{}
}

// newBytes makes a @uvm.meta.bytes object.
func (m *machine) newBytes(text string) (*unit, string) {
	s := m.shapes.of(m.bytesType)
	u, why := m.allocate(heapUnit, s, uint64(len(text)))
	if u == nil {
		return nil, why
	}
	u.write(s.fields[0], 0, Value{Lo: uint64(len(text))})
	copy(u.data[s.size:], text)
	return u, ""
}

// newRefs makes a @uvm.meta.refs object.
func (m *machine) newRefs(refs []Value) (*unit, string) {
	s := m.shapes.of(m.refsType)
	u, why := m.allocate(heapUnit, s, uint64(len(refs)))
	if u == nil {
		return nil, why
	}
	u.write(s.fields[0], 0, Value{Lo: uint64(len(refs))})
	for i, r := range refs {
		u.write(s.elem, s.size+uint64(i)*s.stride, r)
	}
	return u, ""
}

func (d *decoder) idOf(in *ir.Inst) (step, error) {
	return d.apply(in, refKind, func(t *thread, x Value) (Value, action) {
		name, bad := t.m.readBytes(x)
		if bad.kind != noError {
			return null, t.misused(bad)
		}
		id, ok := t.m.nameTable().ids[name]
		if !ok || !t.m.visible(id) {
			return null, t.failf(nameError, "nothing is named %q", name)
		}
		return Value{Lo: uint64(id)}, next
	})
}

func (d *decoder) nameOf(in *ir.Inst) (step, error) {
	return d.apply(in, intKind, func(t *thread, x Value) (Value, action) {
		id := uint32(x.Lo)
		n := t.m.nameTable()
		if !n.known[id] || !t.m.visible(id) {
			return null, t.failf(nameError, "nothing has the ID %d", id)
		}
		name, ok := n.names[id]
		if !ok {
			return null, next
		}
		u, why := t.m.newBytes(name)
		if u == nil {
			return null, t.fail(outOfMemory, why)
		}
		return Value{ref: u}, next
	})
}

// loadBundle is load_bundle (docs/client.md, "Loading text"; docs/language.md, "Later
// bundles").
func (d *decoder) loadBundle(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, refKind); err != nil {
		return nil, err
	}
	x := d.operand(in.Args[0])
	return func(t *thread, f *frame) action {
		key, bad := t.m.readBytes(x.get(f))
		if bad.kind == noError {
			bad = t.m.loadBundle(key)
		}
		if bad.kind != noError {
			return t.misused(bad)
		}
		return next
	}, nil
}

// loadBundle loads the later bundle with a name or a text.
func (m *machine) loadBundle(key string) misuse {
	sum := sha256.Sum256([]byte(key))
	hash := hex.EncodeToString(sum[:])
	i := slices.IndexFunc(m.prog.Later, func(l *ir.Later) bool { return l.Name == key || l.Hash == hash })
	switch {
	case i < 0 && m.cfg.LoadText != nil && isText(key):
		return m.declare(key)
	case i < 0:
		return misuse{dynCode, "load_bundle: no bundle of this text, or name, was translated with the program (-later)"}
	}
	l := m.prog.Later[i]
	if m.loaded[i] {
		return misuse{conflictError, "load_bundle: " + l.Name + " is loaded already"}
	}
	hidden := m.prog.Hidden()
	for _, n := range l.Needs {
		if !slices.ContainsFunc(hidden[n], func(i int) bool { return m.loaded[i] }) {
			return misuse{checkError, "load_bundle: " + l.Name + " uses " + n + ", of " + m.prog.Later[hidden[n][0]].Name + ", which is not loaded"}
		}
	}
	for _, n := range l.Names {
		if m.declared[n] {
			return misuse{conflictError, "load_bundle: " + l.Name + " defines " + n + ", which was declared at run time"}
		}
	}
	m.loaded[i] = true
	for _, f := range l.Impls {
		fn := m.function(f.Of)
		fn.impl, fn.code, fn.err = f, nil, nil
	}
	return misuse{}
}

// isText tells a bundle from the name of one: a single word that does not begin with a dot is a name.
func isText(key string) bool {
	return key == "" || key[0] == '.' || strings.Contains(key, " ") || strings.ContainsFunc(key, unicode.IsControl)
}

// declare loads text that was not translated with the program: declarations (docs/client.md,
// "Loading text"). From the first call on the machine has its own copy of the program, because
// other machines may run the same one.
func (m *machine) declare(text string) misuse {
	n := m.nameTable()
	p := *m.prog
	if m.declared == nil {
		p.Entities, p.TypeIDs = maps.Clone(p.Entities), maps.Clone(p.TypeIDs)
	}
	p.Consts, p.Globals = slices.Clip(p.Consts), slices.Clip(p.Globals)
	p.Funcs, p.Exposes = slices.Clip(p.Funcs), slices.Clip(p.Exposes)
	for id := range n.known {
		p.NextID = max(p.NextID, id+1)
	}
	names, code, err := m.cfg.LoadText(&p, text, func(name string) bool {
		id, ok := n.ids[name]
		return ok && m.visible(id)
	})
	if err != nil {
		kinds := map[string]kind{"E_PARSE": parseError, "E_CHECK": checkError, "E_CONFLICT": conflictError, "E_DYNCODE": dynCode}
		return misuse{kinds[code], "load_bundle: " + err.Error()}
	}
	if m.declared == nil {
		m.declared = map[string]bool{}
	}
	m.prog = &p
	for _, name := range names {
		var id uint32
		switch e := p.Entities[name].(type) {
		case ir.TypeID:
			id = p.TypeIDs[name]
		case *ir.Const:
			id = e.ID
		case *ir.Global:
			id = e.ID
		case *ir.Function:
			id = e.ID
			fn := m.function(e)
			fn.impl, fn.code, fn.err = nil, nil, nil // the next call enters the new version
		case *ir.Expose:
			id = e.ID
		}
		delete(n.ids, name) // a name of a later bundle that is not loaded, and cannot be loaded any more
		n.add(id, name)
		m.declared[name] = true
	}
	return misuse{}
}

// loadHAIL is load_hail (docs/hail.md).
func (d *decoder) loadHAIL(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, refKind); err != nil {
		return nil, err
	}
	x := d.operand(in.Args[0])
	return func(t *thread, f *frame) action {
		text, bad := t.m.readBytes(x.get(f))
		if bad.kind != noError {
			return t.misused(bad)
		}
		if t.m.cfg.LoadHAIL == nil {
			return t.failf(dynCode, "load_hail: scripts cannot be loaded here")
		}
		p := *t.m.prog
		p.Image, p.Later = nil, t.m.unloaded()
		syntax, err := t.m.cfg.LoadHAIL(&p, text)
		switch {
		case err != nil && syntax:
			return t.failf(parseError, "load_hail: %v", err)
		case err != nil:
			return t.failf(hailError, "load_hail: %v", err)
		}
		if p.Image != nil {
			if err := t.m.buildImage(p.Image); err != nil {
				return t.fail(outOfMemory, err.Error())
			}
		}
		return next
	}, nil
}

// unloaded lists the later bundles with the names that are not visible yet.
func (m *machine) unloaded() []*ir.Later {
	var list []*ir.Later
	hidden := m.prog.Hidden()
	for i, l := range m.prog.Later {
		if m.loaded[i] {
			continue
		}
		u := &ir.Later{Name: l.Name}
		for _, n := range l.Names {
			if !m.declared[n] && !slices.ContainsFunc(hidden[n], func(i int) bool { return m.loaded[i] }) {
				u.Names = append(u.Names, n)
			}
		}
		list = append(list, u)
	}
	return list
}

// loadCode is the IR builder: the interpreter cannot translate code at run time
// (docs/language.md, "Run-time errors").
func (d *decoder) loadCode(in *ir.Inst) (step, error) {
	op := in.Op
	return func(t *thread, _ *frame) action {
		return t.failf(dynCode, "%s: code cannot be loaded at run time", op.Info().Mnemonic)
	}, nil
}
