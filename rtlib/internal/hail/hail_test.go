package hail

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	defs, err := Parse(`// comment
.new $x <@T> .newhybrid $y<@H>@n
.init $x[1][@i] = {1 -2 +0x1F 017 $y NULL &@g[2] *$x {} 1.5f nand -infd bitsf(0x7fc00000)} // end`)
	if err != nil || len(defs) != 3 {
		t.Fatal(len(defs), err)
	}
	if d := defs[1]; d.Kind != NewHybrid || d.Name != "$y" || d.Type != "@H" || d.Len.Name != "@n" {
		t.Errorf("%+v", d)
	}
	var got []string
	for _, v := range defs[2].Right.Elems {
		got = append(got, fmt.Sprintf("%d:%v%d%s%s", v.Kind, v.Neg, v.Lo, v.Name, v.Place.Base))
	}
	want := fmt.Sprintf("[2:false1 2:true2 2:false31 2:false15 1:false0$y 5:false0 6:false0@g 7:false0$x 8:false0 3:false%d 4:false%d 4:false%d 3:false%d]",
		math.Float32bits(1.5), math.Float64bits(math.NaN()), math.Float64bits(math.Inf(-1)), 0x7fc00000)
	if fmt.Sprint(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if i := defs[2].Left.Index; len(i) != 2 || i[0].Lo != 1 || i[1].Name != "@i" {
		t.Errorf("indices %v", i)
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		src, want string // LINE:COL: and the beginning of the message
	}{
		{".new x <@T>", "1:6: want a name with $, got x"},
		{".new $x @T", "1:9: want <, got @T"},
		{"\n .init @g 1", "2:11: want =, got 1"},
		{".init @g = ", "1:12: want a value, got end of script"},
		{".init @g = 08", "1:12: bad number 08"},
		{".init @g = 5.const", "1:12: bad number 5.const"},
		{".init @g = 1.f", "1:12: bad number 1.f"},
		{".init @g = 0X1", "1:12: bad number 0X1"},
		{".init @g = ++inff", "1:12: bad number ++inff"},
		{".init @g = 0x100000000000000000000000000000000", "1:12: 0x100000000000000000000000000000000 has more than 128 bits"},
		{".init @g = bitsf(0x100000000)", "1:18: the bits do not fit 32 bits"},
		{".init @g[NULL] = 1", "1:10: want an integer"},
		{".init @g = {1", "1:14: want a value, got end of script"},
		{".init @g = #", "1:12: bad character '#'"},
		{".init @g = 5@g", "1:13: '@' sticks to 5"},
		{".old", "1:1: want .new, .newhybrid or .init, got .old"},
		{".init @g = " + strings.Repeat("{", 2000), "1:1012: lists nest more than 1000 deep"},
	} {
		_, err := Parse(test.src)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v", test.src, err)
			continue
		}
		line, col := Line(test.src, e.Off)
		if got := fmt.Sprintf("%d:%d: %s", line, col, e.Msg); !strings.HasPrefix(got, test.want) {
			t.Errorf("%q: got %s, want %s", test.src, got, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(".new $x <@T> .init $x = {1 2.5d &@g[1] *$x NULL}")
	f.Fuzz(func(t *testing.T, src string) {
		if _, err := Parse(src); err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Off < 0 || e.Off > len(src) {
				t.Errorf("error %v", err)
			}
		}
	})
}
