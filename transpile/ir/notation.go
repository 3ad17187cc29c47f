package ir

import "github.com/uvm2go/uvm2go/internal/lexis/notation"

// A Notation says how a dialect writes values of a type.
type Notation = notation.Notation
