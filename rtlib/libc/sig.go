package libc

import (
	"fmt"
	"reflect"
	"strings"
)

// A signature is a parsed Row.Sig.
type signature struct {
	result   byte
	params   string
	errno    bool
	variadic bool
	least    int // number of required arguments
}

// parse parses a signature string; see Row for the form.
func parse(sig string) (s signature) {
	if strings.HasPrefix(sig, "e") {
		s.errno, sig = true, sig[1:]
	}
	s.result = sig[0]
	params := strings.TrimSuffix(sig[2:], ")")
	params, s.variadic = strings.CutSuffix(params, "*")
	before, after, _ := strings.Cut(params, "|")
	s.params, s.least = before+after, len(before)
	return s
}

// sigOf is the signature string of a Go function.
func sigOf(t reflect.Type) (string, error) {
	var b strings.Builder
	class := func(t reflect.Type) byte {
		switch t.Kind() {
		case reflect.Int8, reflect.Uint8:
			return 'b'
		case reflect.Int16, reflect.Uint16:
			return 'h'
		case reflect.Int32, reflect.Uint32:
			return 'i'
		case reflect.Int64, reflect.Uint64, reflect.Int, reflect.Uint:
			return 'l'
		case reflect.Uintptr:
			return 'p'
		case reflect.Float32:
			return 'f'
		case reflect.Float64:
			return 'd'
		}
		return 0
	}
	first := 0
	if t.NumIn() > 0 && t.In(0) == reflect.TypeFor[Errno]() {
		b.WriteByte('e')
		first = 1
	}
	switch t.NumOut() {
	case 0:
		b.WriteByte('v')
	case 1:
		c := class(t.Out(0))
		if c == 0 {
			return "", fmt.Errorf("result of type %v", t.Out(0))
		}
		b.WriteByte(c)
	default:
		return "", fmt.Errorf("%d results, want at most one", t.NumOut())
	}
	b.WriteByte('(')
	for i := first; i < t.NumIn(); i++ {
		if i == t.NumIn()-1 && t.In(i) == reflect.TypeFor[[]uint64]() && !t.IsVariadic() {
			b.WriteByte('*')
			break
		}
		c := class(t.In(i))
		if c == 0 {
			return "", fmt.Errorf("parameter of type %v", t.In(i))
		}
		b.WriteByte(c)
	}
	b.WriteByte(')')
	return b.String(), nil
}
