package core

import "strconv"

// NewCSig is the C signature for a Mu signature. Without cgo any signature may be called and exposed.
func NewCSig(sig *VType) *CSig {
	s := &CSig{}
	var b []byte
	for _, p := range sig.Fields {
		b = p.cDesc(b)
	}
	b = append(b, '>')
	for _, r := range sig.Results {
		b = r.cDesc(b)
	}
	s.Desc = string(b)
	s.Args = wordsOfC(sig.Fields)
	s.Results = wordsOfC(sig.Results)
	return s
}

// wordsOfC is the number of scalars in some types, in C.
func wordsOfC(types []*VType) (n int) {
	for _, v := range types {
		switch v.Kind {
		case VStruct:
			n += wordsOfC(v.Fields)
		case VArray:
			n += int(v.Len) * wordsOfC([]*VType{v.Elem})
		case VVoid:
		default:
			n++
		}
	}
	return n
}

// cDesc appends the letters of a type, see CSig.Desc.
func (v *VType) cDesc(b []byte) []byte {
	switch v.Kind {
	case VVoid:
		return b
	case VInt:
		for size, letter := uintptr(1), 0; ; size, letter = size*2, letter+1 {
			if size >= v.Size || letter == 3 {
				return append(b, "bhil"[letter])
			}
		}
	case VFloat:
		return append(b, 'f')
	case VDouble:
		return append(b, 'd')
	case VStruct:
		b = append(b, '{')
		for _, f := range v.Fields {
			b = f.cDesc(b)
		}
		return append(b, '}')
	case VArray:
		b = strconv.AppendUint(append(b, '['), v.Len, 10)
		return append(v.Elem.cDesc(b), ']')
	}
	return append(b, 'p')
}
