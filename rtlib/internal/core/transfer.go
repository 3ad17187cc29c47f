package core

import (
	"strings"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// Transfer is the area of a thread through which lists of values are passed between stacks. A
// list is flattened to scalar leaves in order: a traced reference takes the next entry of R,
// any other scalar the next of W: ints zero-extended, floats as their bits, pointers and
// funcrefs as addresses, 128-bit values low word first. A tagref64 takes one of each: its
// reference or 0 in R, its bits in W.
type Transfer struct {
	thread.Transfer // first: threads know the area by its address

	// Tail is the function of a tail call that has not been run yet; its arguments are in W and R.
	Tail *Func

	asking bool // for Undefined, see FuncNow

	cookie uint64 // of the exposed function that is being entered

	in *libc.Native // the native implemented in Go that runs

	thrown origin // of the newest exception
}

// X returns the transfer area of the thread that runs the stack. It may be a different one after
// the stack was left and bound again.
func X(t *Ctx) *Transfer {
	return (*Transfer)(unsafe.Pointer(thread.Of(t).X))
}

// minTransfer is the least size of either half of an area: the runtime itself passes this much.
const minTransfer = 32

// transferRoom is the size of either half of an area.
func transferRoom() int {
	if Engine.Read != nil {
		return max(current.MaxTransfer, liveTransfer)
	}
	return max(current.MaxTransfer, minTransfer)
}

// liveTransfer is the least size in programs that may load code at run time.
const liveTransfer = 1 << 10

// newTransfer makes the area of a thread.
func newTransfer() *thread.Transfer {
	n := transferRoom()
	x := &Transfer{}
	x.W, x.R = make([]uint64, n), make([]uintptr, n)
	return &x.Transfer
}

// list describes a value list of the program.
func list(n uint32) List {
	if n == 0 {
		return List{}
	}
	return current.Lists[n]
}

// hold makes the references of a value list in X(t) roots while the runtime works.
func hold(t *Ctx, n uint32) { X(t).Live = min(list(n).R, len(X(t).R)) }

// classNames are the words for the letters of List.Desc in messages.
var classNames = map[byte]string{'f': "float", 'd': "double", 'p': "uptr", 'c': "funcref", 't': "tagref64", 'r': "ref"}

// String spells a list for messages.
func (l List) String() string {
	var b strings.Builder
	for i := 0; i < len(l.Desc); i++ {
		c := l.Desc[i]
		end := i + 1
		for end < len(l.Desc) && '0' <= l.Desc[end] && l.Desc[end] <= '9' {
			end++
		}
		if s := b.String(); s != "" && c != ' ' && c != '}' && c != ']' && !strings.HasSuffix(s, "{") && !strings.HasSuffix(s, " ") {
			b.WriteByte(' ')
		}
		switch {
		case c == 'i':
			b.WriteString("int<" + l.Desc[i+1:end] + ">")
		case classNames[c] != "":
			b.WriteString(classNames[c])
		default:
			b.WriteString(l.Desc[i:end])
		}
		i = end - 1
	}
	return b.String()
}
