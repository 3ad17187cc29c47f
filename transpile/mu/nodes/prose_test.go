package nodes_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// Messages about the text of a bundle become messages about its nodes.
func TestProse(t *testing.T) {
	nameOf := func(id uint32) string {
		if id == 65536 {
			return "@g"
		}
		return ""
	}
	for in, want := range map[string]string{
		"@f: unknown @g":                                   "@f: unknown @g",
		"@!type3 redefined":                                "type 3 redefined",
		"@!cell1 and @!constant2":                          "global cell 1 and constant 2",
		"@f.!version1.!block2":                             "block 2 of version 1 of @f",
		"@!function1.!version1.!block2.!instruction3: bad": "instruction 3 of block 2 of version 1 of function 1: bad",
		"%!instruction3-result2 of @f.v":                   "result 2 of instruction 3 of @f.v",
		"@f.v.!block2+4":                                   "instruction 5 of block 2 of @f.v",
		"ends block %!block1; and":                         "ends block 1; and",
		"the %!exception1":                                 "the exception parameter 1",
		"<@!known65536> (@!sigof65536)":                    "<@g> (the signature of @g)",
		"<@!known7> (@!sigof7)":                            "<the entity with the ID 7> (the signature of the entity with the ID 7)",
		"@!known65536.!version1":                           "version 1 of @g",
		"cut @f.!vers...":                                  "cut vers... of @f",
		"no name! at all":                                  "no name! at all",
	} {
		if got := nodes.Prose(in, nameOf); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
