package textform

import (
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// PlainName replaces the characters that names in text of either generation cannot have.
func PlainName(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '_' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, s)
}

// PlainNames renames global entities whose names the text cannot have, such as @"@m/f" of IAL. The
// program must only be written afterwards.
func PlainNames(p *ir.Program) {
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
		if f, ok := p.Entities[old].(*ir.Function); ok && f == p.Main {
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
		case ir.TypeID:
			p.TypeIDs[name] = p.TypeIDs[old]
			delete(p.TypeIDs, old)
			if t := p.Types.At(e); t.Name == old {
				t.Name = name
			}
		case *ir.Const:
			e.Name = name
		case *ir.Global:
			e.Name = name
		case *ir.Expose:
			e.Name = name
		case *ir.Function:
			e.Name = name
			for _, v := range e.Versions {
				v.Name = name + "." + PlainName(strings.TrimPrefix(strings.TrimPrefix(v.Name, old), "."))
			}
		}
	}
}
