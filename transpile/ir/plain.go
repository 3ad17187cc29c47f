package ir

import (
	"slices"
	"strconv"
	"strings"
)

// PlainName replaces the characters that names in Mu text cannot have.
func PlainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && isNameByte(byte(r)) {
			return r
		}
		return '_'
	}, s)
}

// PlainNames gives global entities whose names Mu text cannot have, such as @"@m/f" of IAL, names
// that it can. The program is then only good for being written.
func (p *Program) PlainNames() {
	var odd []string
	for n := range p.Entities {
		if n != "@"+PlainName(strings.TrimPrefix(n, "@")) {
			odd = append(odd, n)
		}
	}
	slices.Sort(odd)
	last := map[string]int{}
	for _, old := range odd {
		wish := "@" + PlainName(strings.TrimLeft(old, "@"))
		if f, ok := p.Entities[old].(*Function); ok && f == p.Main {
			wish = "@main"
		}
		name := wish
		for p.Entities[name] != nil {
			last[wish]++
			name = wish + "." + strconv.Itoa(last[wish]+1)
		}
		e := p.Entities[old]
		delete(p.Entities, old)
		p.Entities[name] = e
		switch e := e.(type) {
		case TypeID:
			p.TypeIDs[name] = p.TypeIDs[old]
			delete(p.TypeIDs, old)
			if t := p.Types.At(e); t.Name == old {
				t.Name = name
			}
		case *Const:
			e.Name = name
		case *Global:
			e.Name = name
		case *Expose:
			e.Name = name
		case *Function:
			e.Name = name
			for _, v := range e.Versions {
				v.Name = name + "." + PlainName(strings.TrimPrefix(strings.TrimPrefix(v.Name, old), "."))
			}
		}
	}
}
