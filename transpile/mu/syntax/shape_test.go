package syntax

import (
	"regexp"
	"testing"
)

// TestShapes: every op has a shape, and each shape is an instruction that parses without errors.
func TestShapes(t *testing.T) {
	for op := NoOp + 1; op < NumOps; op++ {
		shape := opShapes[op]
		if !regexp.MustCompile(`\b` + op.String() + `\b`).MatchString(shape) {
			t.Errorf("%s: shape %q", op, shape)
			continue
		}
		good(t, inBlock(shape))
	}
	good(t, inBlock("BRANCH %name()\n"+blockShape+"\nRET ()"))
}
