package gotree

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// A Pos is a position in a source of the program, as //line gives it. The zero Pos
// is in the generated file itself. A Line of 0 is any line of the file.
type Pos struct {
	File string
	Line int

	// Row and Column are numbers for the runtime, which the name of the file has in the Go text if
	// Marked is true: the copy of another body that the code is in, and which of the columns of the line it is from.
	// Other code has Row and Column too, but they follow from file and line.
	Row, Column int
	Marked      bool

	// Free means that the column does not count: no trace shows the code.
	Free bool
}

// file is the name of the file in the Go text.
func (p Pos) file() string {
	name := lex.FileName(p.File)
	if p.Marked || lex.IsMarked(name) {
		return lex.MarkFile(name, p.Row, p.Column)
	}
	return name
}

// is reports whether code at p may stand where code has the position now.
func (p Pos) is(now Pos) bool {
	if p.Line == 0 {
		return p.File == now.File && (p.File == "" || p.Row == now.Row)
	}
	if p.Free && p.File == now.File && p.Row == now.Row {
		return p.Line == now.Line
	}
	p.Free, now.Free = false, false
	return p == now
}

// A Stmt is a statement.
type Stmt interface{ pos() Pos }

type at struct{ At Pos }

func (a at) pos() Pos { return a.At }

// An Assign assigns, or with Define declares: L = R, L := R.
type Assign struct {
	at
	L, R []Expr
	// Types are those of the variables that are declared, nil without Define.
	Types  []*Type
	Define bool
	place  int // in the text, see flat.go
}

// A Var declares variables of a type. One of them may have a value; the others are
// assigned before they are read.
type Var struct {
	at
	Names []string
	T     *Type
	X     Expr // or nil
	place int  // in the text, see flat.go
}

// A Consts declares constants: of a frame, say.
type Consts struct {
	at
	Rows []ConstRow
}

// A ConstRow is a name and its value, with a remark perhaps.
type ConstRow struct {
	Name string
	X    Expr
}

// A Do is an expression for its effects.
type Do struct {
	at
	X Expr
}

// An If is a conditional statement. Init may be nil, Else too.
type If struct {
	at
	Init Stmt
	Cond Expr
	Then *Block
	Else *Block
	Rare bool // Else is rarely executed, see rare.go

	depth int // of the branches in Else, see joins.go
}

// A For is a loop. Cond may be nil. Label, if not nil, is where the next turn
// begins: goto and continue may name it.
type For struct {
	at
	Label *Label
	Cond  Expr
	Body  *Block
}

// A Range goes through the indices of an array.
type Range struct {
	at
	Key  string
	X    Expr
	Body *Block
}

// A Switch selects by value. Cases without keys are the default.
type Switch struct {
	at
	X     Expr
	Cases []Case
}

// A Case is a case of a switch.
type Case struct {
	At   Pos
	Keys []Expr
	Body *Block
}

// A Label is the target of a Goto, a Break or a Continue.
type Label struct {
	Name  string
	jumps int // jumps to it so far in the text, see loops.go
	turns int // of these, from inside the loop that it begins
	uses  int // statements that name it
	top   int // the first place in the text that jumps there, see flat.go
}

// entered reports whether there are jumps to the label of a loop from outside it.
func (l *Label) entered() bool { return l.jumps > l.turns }

// A Mark is the place of a label.
type Mark struct {
	at
	L *Label
}

// A Goto jumps to a label.
type Goto struct {
	at
	L *Label
}

// A Break leaves a loop, a Continue begins its next turn. L is nil if it is the
// innermost one.
type Break struct {
	at
	L *Label
}

// A Continue is described with Break.
type Continue struct {
	at
	L *Label
}

// A Return returns.
type Return struct {
	at
	X []Expr
}

// A Block is a list of statements; as an element of a list it has braces. At is the position
// of what is added next.
type Block struct {
	List []Stmt
	At   Pos
}

func (b *Block) pos() Pos { return b.At }

// A Reads is room for a statement that reads a variable. Whether one is needed
// turns out only after the place where it has to be.
type Reads struct {
	at
	Name string // "" if nothing is needed
}

// Sub is an empty block at the same position.
func (b *Block) Sub() *Block { return &Block{At: b.At} }

// Add appends statements as they are.
func (b *Block) Add(s ...Stmt) { b.List = append(b.List, s...) }

// Set assigns.
func (b *Block) Set(l, r Expr) {
	b.Add(&Assign{at: at{b.At}, L: []Expr{l}, R: []Expr{r}})
}

// SetAll assigns in parallel, or the results of one call.
func (b *Block) SetAll(l, r []Expr) {
	b.Add(&Assign{at: at{b.At}, L: l, R: r})
}

// Define declares a variable of a type and gives it its value.
func (b *Block) Define(name string, t *Type, x Expr) {
	if Untyped(x) {
		b.Add(&Var{at: at{b.At}, Names: []string{name}, T: t, X: x})
		return
	}
	b.DefineAll([]Expr{&Ident{Name: name}}, []*Type{t}, []Expr{x})
}

// DefineAll declares the variables on the left, "_" excepted.
func (b *Block) DefineAll(l []Expr, t []*Type, r []Expr) {
	b.Add(&Assign{at: at{b.At}, L: l, Types: t, R: r, Define: true})
}

// Var declares variables.
func (b *Block) Var(t *Type, names ...string) {
	b.Add(&Var{at: at{b.At}, Names: names, T: t})
}

// Drop evaluates an expression: _ = x.
func (b *Block) Drop(x Expr) { b.Set(Blank, x) }

// Do calls.
func (b *Block) Do(x Expr) { b.Add(&Do{at{b.At}, x}) }

// If adds a conditional statement. els may be nil.
func (b *Block) If(cond Expr, then, els *Block) {
	b.Add(&If{at: at{b.At}, Cond: cond, Then: then, Else: els})
}

// IfLikely is If whose second branch is rarely executed.
func (b *Block) IfLikely(cond Expr, then, rare *Block) {
	b.Add(&If{at: at{b.At}, Cond: cond, Then: then, Else: rare, Rare: true})
}

// IfInit is If with a statement in front of the condition, the last of init.
func (b *Block) IfInit(init *Block, cond Expr, then, els *Block) {
	b.Add(&If{at: at{b.At}, Init: init.List[0], Cond: cond, Then: then, Else: els})
}

// Range goes through the indices of an array.
func (b *Block) Range(key string, x Expr, body *Block) {
	b.Add(&Range{at{b.At}, key, x, body})
}

// Switch adds a switch.
func (b *Block) Switch(x Expr, cases []Case) { b.Add(&Switch{at{b.At}, x, cases}) }

// Mark places a label.
func (b *Block) Mark(l *Label) { b.Add(&Mark{at{b.At}, l}) }

// Goto jumps.
func (b *Block) Goto(l *Label) { b.Add(&Goto{at{b.At}, l}) }

// Return returns.
func (b *Block) Return(x ...Expr) { b.Add(&Return{at{b.At}, x}) }

// Reads leaves room for a statement that reads a variable.
func (b *Block) Reads() *Reads {
	r := &Reads{at: at{b.At}}
	b.Add(r)
	return r
}

// Consts declares constants.
func (b *Block) Consts(rows []ConstRow) { b.Add(&Consts{at{b.At}, rows}) }

// A Decl is a declaration at the top level.
type Decl interface{ decl() }

// A Func is a function. Comment, if not "", is text for a line above it. At is the
// position of the function itself. Lines, if not "", is the name of a constant that is printed with
// the function and has its positions, instead of directives: see lines.go.
type Func struct {
	At         Pos
	Comment    string
	Directives []Directive
	Lines      string
	Name       string
	Sig        *Sig
	Body       *Block
}

// A TypeDecl declares a type.
type TypeDecl struct {
	Comment string
	Name    string
	T       Expr
	Alias   bool // another name for T
}

// A Struct is a struct type; a field without a name is embedded.
type Struct struct{ Fields []Param }

func (*Struct) Kind() Kind { return Any }

// A VarDecl declares a variable. Apart puts a blank line in front of it.
type VarDecl struct {
	Comment string
	Name    string
	T       *Type // or nil
	X       Expr  // or nil
	Apart   bool
}

// A ConstDecl declares constants that count from 0, or with X one constant.
type ConstDecl struct {
	Names []string
	X     Expr
}

func (*Func) decl()      {}
func (*TypeDecl) decl()  {}
func (*VarDecl) decl()   {}
func (*ConstDecl) decl() {}
