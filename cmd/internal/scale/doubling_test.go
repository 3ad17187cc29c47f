package main

import (
	"strings"
	"testing"
)

// TestDoubling has definitions each of which expands to twice the size of the previous one. A
// short list passes all stages; a long list is an error that names a definition and the limit.
func TestDoubling(t *testing.T) {
	double := func(n int, first, next string) string { return first + "\n" + line(n, next) }
	for _, c := range []struct {
		name string
		make func(n int) string
		want string // of 60 definitions
	}{
		{"structs", func(n int) string {
			return double(n, ".typedef @t0 = struct<@i64 @ri>", ".typedef @t^ = struct<@t# @t#>") + last(n, ".global @g <@t#>")
		}, "@t16: invalid type: it has more than 65536 scalars"},
		{"structs without references", func(n int) string {
			return double(n, ".typedef @t0 = struct<@i64 @i64>", ".typedef @t^ = struct<@t# @t#>") +
				last(n, ".typedef @r = ref<@t#>") + fn("v_v", last(n, "%e(): %x = NEW <@t#> RET ()"))
		}, "@t16: invalid type: it has more than 65536 scalars"},
		{"hybrids", func(n int) string {
			return double(n, ".typedef @t0 = struct<@i64 @ri>", ".typedef @t^ = struct<@t# @t#>") + last(n, ".typedef @h = hybrid<@t# @t#>")
		}, "@t16: invalid type: it has more than 65536 scalars"},
		{"arrays", func(n int) string {
			return double(n, ".typedef @t0 = array<@ri 2>", ".typedef @t^ = array<@t# 2>") + last(min(n, 20), ".global @g <@t#>")
		}, "@t43: invalid type: it takes 2^47 bytes or more"},
		{"constants", func(n int) string {
			return double(n, ".typedef @t0 = array<@i64 2> .const @c0 <@t0> = {@0 @1}", ".typedef @t^ = array<@t# 2> .const @c^ <@t^> = {@c# @c#}")
		}, "@c12: invalid type @t12 of a constant: an array of more than 4096 scalars is not a type of values"},
		{"parameters", func(n int) string {
			return double(n, ".typedef @t0 = array<@i64 2>", ".typedef @t^ = array<@t# 2> .funcsig @s# = (@t#) -> (@t#)")
		}, "@s12: invalid parameter @t12: an array of more than 4096 scalars is not a type of values"},
		{"signatures", func(n int) string { // doubling has no effect here
			return double(n, ".funcsig @s0 = () -> () .typedef @f0 = funcref<@s0>", ".funcsig @s^ = (@f# @f#) -> (@f# @f#) .typedef @f^ = funcref<@s^>") +
				last(n, ".funcdef @f VERSION %v <@s#> {") + last(n-1, "%e(<@f#> %x <@f#> %y): RET (%x %y) }")
		}, ""},
	} {
		for _, s := range stages {
			if err := (&Job{File: "a.uir", Text: []byte(muPrelude + c.make(8)), Stage: s}).do(); err != "" && !strings.HasPrefix(s, "to ") {
				t.Errorf("%s, %s: %s", c.name, s, err)
			}
		}
		long := Job{File: "a.uir", Text: []byte(muPrelude + c.make(60)), Stage: "generate -O0"}
		if err := long.do(); !strings.Contains(err, c.want) || c.want == "" && err != "" {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}
