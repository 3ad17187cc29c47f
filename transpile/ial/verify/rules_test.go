package verify_test

import (
	"os"
	"regexp"
	"testing"
)

// alone has the rules that some text of check broke without breaking others, by their names in messages.
var alone = map[string]bool{}

var ruleName = regexp.MustCompile(`\(V\d+\)$`)

// noteAlone notes the only fault of a text.
func noteAlone(msg string) { alone[ruleName.FindString(msg)] = true }

// TestRules has texts for the rules of docs/ial.md: for each rule one that breaks only this rule.
func TestRules(t *testing.T) {
	ran := 0
	tests := map[string]func(*testing.T){
		"assignments": assignedOnce, "blocks": blocks, "belongs": belongs, "foreign": foreign, "returns": returns,
		"phi": phi, "unwinding": unwinding, "arguments": arguments, "calls": calls, "typing": typing,
	}
	clear(alone)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test(t)
			ran++
		})
	}
	if ran < len(tests) {
		return // -run has selected only some of the tests
	}
	text, err := os.ReadFile("../../../docs/ial.md")
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| (V\d+) \|`).FindAllSubmatch(text, -1) {
		rule := "(" + string(m[1]) + ")"
		if rules[rule] = true; !alone[rule] {
			t.Errorf("no text breaks %s alone", rule)
		}
	}
	for rule := range alone {
		if !rules[rule] {
			t.Errorf("docs/ial.md has no rule %q", rule)
		}
	}
	if len(rules) != 48 {
		t.Errorf("%d rules", len(rules))
	}
}
