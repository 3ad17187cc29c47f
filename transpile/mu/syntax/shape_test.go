package syntax

import (
	"regexp"
	"strings"
	"testing"
)

// TestShapes reads what messages tell to write: every definition, type and op has a
// shape, and each is right as it stands.
func TestShapes(t *testing.T) {
	for k := kwTypedef; k < numKw; k++ {
		good(t, strings.ReplaceAll(defShapes[k], "{ ... }", "{ %e(): RET () }"))
		if !strings.HasPrefix(defShapes[k], keywords.Name(k)+" ") {
			t.Errorf("%s: shape %q", keywords.Name(k), defShapes[k])
		}
	}
	for kind := TypeInt; kind <= TypeTagRef64; kind++ {
		shape, _, _ := strings.Cut(typeShapes[kind], ",")
		if shape == "" {
			shape = kind.String()
		}
		good(t, ".typedef @t = "+shape)
	}
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
