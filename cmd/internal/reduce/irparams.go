package reduce

import (
	"regexp"
	"slices"
	"strings"
)

// Functions, their bodies and their calls in the text of the representation.
var (
	irFunc  = regexp.MustCompile(`(?m)^func (\S+): (.*)$`)
	irEntry = `(?m)^version \S+ of NAME \{\n\^[^\s(]+(\(.*\)):`
	irCall  = `(?m)\b(?:call|tailcall) <(.*?)> NAME((?: .*)?)$`
)

// funcParams tries to leave out the parameters of functions in the text of the representation, with the arguments of their
// calls. Where one is used, a constant takes its place.
func (r *reducer) funcParams() {
	for _, f := range irFunc.FindAllStringSubmatch(r.text, -1) {
		for k := 0; !r.over(); {
			candidates := withoutParam(r.text, f[1], k)
			if len(candidates) == 0 {
				break
			}
			if r.first(len(candidates), func(i int) string { return candidates[i] }) == len(candidates) {
				k++ // otherwise the next has moved here
			}
		}
	}
}

// withoutParam lists texts without parameter k of a function, one for each constant that may take its place; none if
// it has no such parameter.
func withoutParam(text, name string, k int) (list []string) {
	quoted := regexp.QuoteMeta(name)
	head := regexp.MustCompile(`(?m)^func ` + quoted + `: (.*)$`).FindStringSubmatchIndex(text)
	entry := regexp.MustCompile(strings.Replace(irEntry, "NAME", quoted, 1)).FindStringSubmatchIndex(text)
	if head == nil || entry == nil {
		return nil
	}
	params, results, attrs, ok := signatureOf(text, text[head[2]:head[3]])
	decls := split(text[entry[2]+1:entry[3]-1], ',')
	if !ok || k >= len(params) || len(decls) != len(params) {
		return nil
	}
	sig := "(" + strings.Join(slices.Delete(slices.Clone(params), k, k+1), " ") + ") -> " + results
	param, _, _ := strings.Cut(strings.TrimSpace(decls[k]), ":")
	end := entry[1] + max(0, strings.Index(text[entry[1]:], "\n}"))
	body := text[entry[1]:end]
	use := regexp.MustCompile(regexp.QuoteMeta(param) + `\b`)
	call := regexp.MustCompile(strings.Replace(irCall, "NAME", quoted, 1))
	for _, zero := range []string{"0", "null", "0.0"} {
		changed := text[:entry[2]] + "(" + strings.Join(slices.Delete(slices.Clone(decls), k, k+1), ",") + ")" + text[entry[3]:entry[1]] +
			use.ReplaceAllLiteralString(body, zero+":"+strings.TrimSpace(params[k])) + text[end:]
		changed = strings.Replace(changed, text[head[0]:head[1]], "func "+name+": "+sig+attrs, 1)
		changed = call.ReplaceAllStringFunc(changed, func(c string) string {
			m := call.FindStringSubmatch(c)
			args := split(strings.TrimPrefix(m[2], " "), ' ')
			if k >= len(args) {
				return c
			}
			word, _, _ := strings.Cut(c, " ")
			return strings.TrimRight(word+" <"+sig+"> "+name+" "+strings.Join(slices.Delete(args, k, k+1), " "), " ")
		})
		list = append(list, changed)
		if !use.MatchString(body) {
			break
		}
	}
	return list
}

// signatureOf finds the parameters and results of a signature, which may be named, and what follows it.
func signatureOf(text, sig string) (params []string, results, rest string, ok bool) {
	if !strings.HasPrefix(sig, "(") {
		name, attrs, more := strings.Cut(sig, " ")
		def := regexp.MustCompile(`(?m)^type ` + regexp.QuoteMeta(name) + ` = (\(.*)$`).FindStringSubmatch(text)
		if def == nil {
			return nil, "", "", false
		}
		params, results, _, ok = signatureOf(text, def[1])
		if more {
			rest = " " + attrs
		}
		return params, results, rest, ok
	}
	parts := split(sig, ' ') // the parameters, an arrow, the results, attributes
	if len(parts) < 3 || parts[1] != "->" {
		return nil, "", "", false
	}
	for _, p := range split(parts[0][1:len(parts[0])-1], ' ') {
		params = append(params, strings.TrimSpace(p))
	}
	for _, a := range parts[3:] {
		rest += " " + a
	}
	return params, parts[2], rest, true
}

// split cuts a text at a separator that stands in no brackets and no string. An empty text has no parts.
func split(text string, separator byte) (list []string) {
	depth, start, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("(<[{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0, c == '>' && (i == 0 || text[i-1] != '-'):
			depth--
		case c == separator && depth == 0:
			list = append(list, text[start:i])
			start = i + 1
		}
	}
	if text != "" {
		list = append(list, text[start:])
	}
	return list
}
