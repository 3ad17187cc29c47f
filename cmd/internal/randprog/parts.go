package randprog

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
)

// Parts splits bundles in IAL and TVM into texts that are loaded one after the other, each of which uses what is in it and in
// those before it.
//
//   - Definitions that use each other stay together.
//   - In IAL all structures are in the first part: an object of one that begins as another can only be used as that by
//     modules that know both (docs/client.md, "Code that arrives at run time").
//   - In TVM all functions of a program that call through a pointer, and all definitions that take the address of a function, stay
//     together, for the same reason.
//   - The entry function of IAL is called when the last part is loaded; that of TVM is left to the loader.

// partsOf is the largest number of parts.
const partsOf = 4

// partNode is a definition.
type partNode struct {
	name, text string
	uses       []*partNode
	place      int
	group      *partNode // the first of the definitions that must be in the same part
	seen, done bool
	order      int
}

var (
	ialBegin  = regexp.MustCompile(`^(type|field global|field thread|function|data|entry)\b`)
	ialName   = regexp.MustCompile(`[A-Za-z_][\w.]*`)
	tvmName   = regexp.MustCompile(`%[\w.]+`)
	tvmCallee = regexp.MustCompile(`\bcall (%[\w.]+|\()`)
	tvmCall   = regexp.MustCompile(`\bcall $`)
	ialEntry  = regexp.MustCompile(`(?m)^entry main;$`)
)

// partsHook replaces the entry point of IAL.
const partsHook = "function void h.begin() { register int32 r; block entry { r = call (main); leave; } }\nmodule entry h.begin;"

// Parts splits a bundle in IAL or TVM that Bundle made. With whole set it is one part.
func Parts(text string, whole bool) []string {
	ial := strings.HasPrefix(text, HeadIAL)
	head := HeadTVM
	if ial {
		head, text = HeadIAL, ialEntry.ReplaceAllString(text, partsHook)
	}
	if whole {
		return []string{text}
	}
	if !ial { // without words of linkage, every part sees all of those before it
		text = strings.ReplaceAll(text, " = import function ", " = function ")
	}
	nodes := readParts(text, ial)
	placeParts(nodes)
	parts := make([]string, partsOf)
	for _, n := range nodes {
		parts[n.place] += n.text
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	for i := range parts {
		parts[i] = head + "\n" + strings.TrimPrefix(parts[i], head+"\n")
	}
	return parts
}

// readParts finds the definitions, and what they use.
func readParts(text string, ial bool) (nodes []*partNode) {
	named := map[string]*partNode{}
	names := tvmName
	if ial {
		names = ialName
	}
	for line := range strings.Lines(text) {
		begins := ial && (ialBegin.MatchString(line) || strings.HasPrefix(line, "module entry")) || !ial && strings.HasPrefix(line, "%")
		if begins || nodes == nil {
			nodes = append(nodes, &partNode{order: len(nodes)})
		}
		nodes[len(nodes)-1].text += line
	}
	for _, n := range nodes {
		n.group = n
		first, _, _ := strings.Cut(n.text, "\n")
		if ial { // the name is the last one before the first bracket or the end
			if l := ialName.FindAllString(regexp.MustCompile(`[({;].*`).ReplaceAllString(first, ""), -1); len(l) > 1 {
				n.name = l[len(l)-1]
			}
		} else {
			n.name = tvmName.FindString(first)
		}
		if named[n.name] == nil {
			named[n.name] = n
		}
	}
	tied, types := map[string]*partNode{}, (*partNode)(nil)
	tie := func(to **partNode, n *partNode) {
		if *to == nil {
			*to = n
		}
		n.uses, (*to).uses = append(n.uses, *to), append((*to).uses, n)
	}
	for _, n := range nodes {
		takes := false
		for _, at := range names.FindAllStringIndex(n.text, -1) {
			d := named[n.text[at[0]:at[1]]]
			if d == nil || d == n {
				continue
			}
			n.uses = append(n.uses, d)
			takes = takes || strings.Contains(d.text, "= function") && !tvmCall.MatchString(n.text[:at[0]])
		}
		program, _, _ := strings.Cut(n.name, ".")
		switch {
		case ial && strings.HasPrefix(n.text, "type "):
			tie(&types, n)
			n.order = -1
		case !ial && (takes || slices.ContainsFunc(tvmCallee.FindAllStringSubmatch(n.text, -1), func(m []string) bool { return named[m[1]] == nil })):
			to := tied[program]
			tie(&to, n)
			tied[program] = to
		}
	}
	return nodes
}

// placeParts decides into which part each definition goes.
func placeParts(nodes []*partNode) {
	var stack, order []*partNode
	var visit func(n *partNode) int
	index, number := map[*partNode]int{}, 0
	visit = func(n *partNode) int { // Tarjan's algorithm: groups come after what they use
		number++
		index[n] = number
		low := number
		stack = append(stack, n)
		n.seen = true
		for _, d := range n.uses {
			if !d.seen {
				low = min(low, visit(d))
			} else if !d.done {
				low = min(low, index[d])
			}
		}
		if low == index[n] {
			at := slices.Index(stack, n)
			for _, m := range stack[at:] {
				m.group, m.done = n, true
			}
			order = append(order, n)
			stack = stack[:at]
		}
		return low
	}
	for _, n := range nodes {
		if !n.seen {
			visit(n)
		}
	}
	members := map[*partNode][]*partNode{}
	for _, n := range nodes {
		members[n.group] = append(members[n.group], n)
	}
	for _, g := range order {
		place, first := 0, false
		for _, n := range members[g] {
			first = first || n.order <= 0 // the head of the text, and structures
			for _, d := range n.uses {
				if d.group != g {
					place = max(place, d.place)
				}
			}
		}
		if x := partHash(members[g]); !first && x%3 == 0 {
			place = max(place, int(x/3)%partsOf)
		}
		for _, n := range members[g] {
			if n.place = place; n.name == "main" || n.name == "%main" || strings.HasPrefix(n.text, "module entry") || strings.HasPrefix(n.text, "function void h.begin") {
				n.place = partsOf - 1
			}
		}
	}
}

// partHash is a random number for definitions, by the first of their names.
func partHash(l []*partNode) uint64 {
	first := slices.MinFunc(l, func(a, b *partNode) int { return cmp.Compare(a.name, b.name) })
	h := fnv.New64a()
	fmt.Fprint(h, first.name)
	x := h.Sum64()
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x ^ x>>32
}
