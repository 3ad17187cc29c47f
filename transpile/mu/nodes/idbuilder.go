package nodes

import (
	"fmt"
	"sync"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// An Arg is an argument of a call of an IDBuilder. The role of its parameter determines which field is used.
type Arg struct {
	ID    uint32   // one ID
	IDs   []uint32 // a list of IDs, or of numbers of 32 bits
	Word  uint64   // a number, or the bits of a float
	Words []uint64
	Text  string
}

// An IDBuilder makes one bundle by calls about IDs. Threads may use it at the same time: each call happens before or
// after each other.
type IDBuilder struct {
	prog Program
	// Locals means that names of things in functions may also be local names, which begin with %.
	Locals bool

	mu       sync.Mutex
	ended    bool   // guarded by mu, like all that follows
	first    uint32 // the first ID
	syms     []*sym // by ID, from first on; nil for IDs that others have got meanwhile
	calls    []idCall
	words    []uint64 // the arguments of all calls, see push
	texts    []string
	problems []problem
	at       diag.Position
	room     lex.Slab[sym]
}

// A sym is an ID that the builder has given.
type sym struct {
	id   uint32
	name string // "" if it has none
	kind Kind   // of what it is, None if nothing defines it
	by   int32  // the call that defines it
	node *node  // when the bundle is complete: what it is in the graph, nil if it is in no block or version
}

// An idCall is a call that was made.
type idCall struct {
	row  *IDRow
	args int32 // where its arguments begin, in words
	at   diag.Position
	node *node // when the bundle is complete; nil for clauses
}

// A problem is what is wrong with a call, as far as it alone shows it.
type problem struct {
	call int32
	msg  string
}

// NewIDs begins a bundle.
func NewIDs(prog Program) *IDBuilder { return &IDBuilder{prog: prog} }

var errEnded = &Error{BadHandle, "the bundle was loaded or given up"}

// GenSym gives a new ID, with a name for what it will be if the name is not "". What is wrong with the name is an error
// when the bundle is complete.
func (b *IDBuilder) GenSym(name string) (uint32, *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return 0, errEnded
	}
	s := b.room.One()
	s.id, s.name, s.by = b.prog.NextID(), name, -1
	if len(b.syms) == 0 {
		b.first = s.id
	}
	for b.first+uint32(len(b.syms)) < s.id {
		b.syms = append(b.syms, nil)
	}
	b.syms = append(b.syms, s)
	return s.id, nil
}

// sym is the symbol with an ID, nil if the builder has not given it.
func (b *IDBuilder) sym(id uint32) *sym {
	if i := id - b.first; i < uint32(len(b.syms)) {
		return b.syms[i]
	}
	return nil
}

// At gives the calls that are made next a position, which messages about them show. Without a line they have none.
func (b *IDBuilder) At(p diag.Position) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = p
}

// Call notes the call of a function. It copies the arguments. An error is a wrong number of arguments, or a use after
// the end; all else is found when the bundle is complete.
func (b *IDBuilder) Call(row *IDRow, args []Arg) *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return &Error{BadHandle, row.Name + ": " + errEnded.Msg}
	}
	if err := row.count(len(args)); err != nil {
		return &Error{BadCheck, err.Error()}
	}
	no := int32(len(b.calls))
	c := idCall{row: row, args: int32(len(b.words)), at: b.at}
	for i := range row.Params {
		p := &row.Params[i]
		if i > 0 && p.Shared {
			if before := &row.Params[i-1]; p.length(&args[i]) != before.length(&args[i-1]) {
				b.words = b.words[:c.args]
				return errorf(BadCheck, "%s: %s has %d elements and %s %d", row.Name, before.Name, before.length(&args[i-1]), p.Name, p.length(&args[i]))
			}
		}
		b.push(p, &args[i])
	}
	b.calls = append(b.calls, c)
	for i := range row.Params {
		switch p := &row.Params[i]; p.Role {
		case 'd':
			b.define(no, args[i].ID, row.makes)
		case 'r', 'p', 'e':
			kind := Result
			if p.Role == 'p' {
				kind = Param
			} else if p.Role == 'e' {
				kind = ExcParam
			}
			switch {
			case p.List:
				for _, id := range args[i].IDs {
					b.define(no, id, kind)
				}
			case args[i].ID != 0 || !p.Optional:
				b.define(no, args[i].ID, kind)
			}
		}
	}
	return nil
}

// length is the length of a list.
func (p *IDParam) length(a *Arg) int {
	if p.Role == 'W' {
		return len(a.Words)
	}
	return len(a.IDs)
}

// push adds an argument to words: a list is its length and its elements, a text its place in texts.
func (b *IDBuilder) push(p *IDParam, a *Arg) {
	switch {
	case p.Role == 'W':
		b.words = append(append(b.words, uint64(len(a.Words))), a.Words...)
	case p.List:
		b.words = append(b.words, uint64(len(a.IDs)))
		for _, id := range a.IDs {
			b.words = append(b.words, uint64(id))
		}
	case p.Role == 'Z':
		b.words = append(b.words, uint64(len(b.texts)))
		b.texts = append(b.texts, a.Text)
	case p.number():
		b.words = append(b.words, a.Word)
	default:
		b.words = append(b.words, uint64(a.ID))
	}
}

// number reports whether the parameter is a number, not an ID.
func (p *IDParam) number() bool { return p.Role == 'w' || p.Role == '4' || p.Role == '8' }

// define notes what an ID is.
func (b *IDBuilder) define(call int32, id uint32, kind Kind) {
	row := b.calls[call].row
	s := b.sym(id)
	switch {
	case s == nil:
		b.problem(call, "%s: unknown ID %d: gen_sym of this builder has not given it", row.Name, id)
	case s.by == call:
		b.problem(call, "%s: %s is given twice", row.Name, s.say())
	case s.by >= 0:
		b.problem(call, "%s: %s is defined already, by %s", row.Name, s.say(), b.calls[s.by].row.Name)
	default:
		s.by, s.kind = call, kind
	}
}

func (b *IDBuilder) problem(call int32, format string, args ...any) {
	b.problems = append(b.problems, problem{call, fmt.Sprintf(format, args...)})
}

// say says which ID is meant.
func (s *sym) say() string {
	if s.name != "" {
		return s.name
	}
	return fmt.Sprintf("ID %d", s.id)
}

// Abort ends the bundle without a tree.
func (b *IDBuilder) Abort() *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return errEnded
	}
	b.end()
	return nil
}

// end ends the bundle and forgets what it was.
func (b *IDBuilder) end() {
	b.ended = true
	b.syms, b.calls, b.words, b.texts, b.problems, b.room = nil, nil, nil, nil, nil, lex.Slab[sym]{}
}

// End ends the bundle and makes its tree, in which Wrong has all mistakes. No call is possible afterwards.
func (b *IDBuilder) End() (*Tree, *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return nil, errEnded
	}
	g := &idGraph{ids: b, g: New(b.prog)}
	t := g.tree()
	b.end()
	return t, nil
}
