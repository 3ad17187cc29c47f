package lex

import "strings"

// A Keyword numbers a bare word that a grammar knows; 0 is none.
type Keyword uint8

// Keywords are the bare words of a grammar. Which of them a place wants is the
// parser's affair: none is reserved, since names carry a sigil.
type Keywords struct {
	names []string // by number
	// slots have the keywords, each in the first free place from that of its hash on. They are
	// as many as a Keyword can number, twice.
	slots [2 << 8]Keyword
	meant map[string]Keyword // see Meaning
}

// NewKeywords makes a set of keywords, each numbered by its index. Empty
// spellings are gaps, as number 0 is always.
func NewKeywords(names []string) *Keywords {
	k := &Keywords{names: names}
	for i, s := range names {
		if s != "" && i > 0 {
			*slot(k, s) = Keyword(i)
		}
	}
	return k
}

// Meaning makes Suggest give keywords for words that are spelled otherwise, such as those of other languages. Both are in
// capitals.
func (k *Keywords) Meaning(words map[string]string) *Keywords {
	k.meant = map[string]Keyword{}
	for word, meant := range words {
		k.meant[word] = k.Find(meant)
	}
	return k
}

// slot is the place of a spelling, or where it belongs. It must not be empty.
func slot[T string | []byte](k *Keywords, spelling T) *Keyword {
	n := len(spelling)
	for i := n<<5 ^ int(spelling[0])<<3 ^ int(spelling[n/2])<<1 ^ int(spelling[n-1]); ; i++ {
		if s := &k.slots[i%len(k.slots)]; *s == 0 || k.names[*s] == string(spelling) {
			return s
		}
	}
}

// Name gives the spelling of a keyword.
func (k *Keywords) Name(kw Keyword) string { return k.names[kw] }

// Find gives the keyword of a spelling, 0 if there is none.
func (k *Keywords) Find(spelling string) Keyword {
	if spelling == "" {
		return 0
	}
	return *slot(k, spelling)
}

// A KeywordSet says which keywords a place could take, for suggestions.
type KeywordSet func(Keyword) bool

// OneOf makes the set of the keywords listed.
func OneOf(ks ...Keyword) KeywordSet {
	return func(k Keyword) bool {
		for _, x := range ks {
			if x == k {
				return true
			}
		}
		return false
	}
}

// The longest word that suggestions are looked for, and that they can be.
const maxSuggest = 24

// Suggest gives the keyword of the set that a misspelt word most resembles, ""
// if none is near: the one that it means (Meaning), the same but for case, or at most
// two slips away, one in words of up to four letters.
func (k *Keywords) Suggest(word string, set KeywordSet) string {
	if len(word) > maxSuggest {
		return ""
	}
	if kw := k.meant[strings.ToUpper(word)]; kw != 0 && set(kw) {
		return k.names[kw]
	}
	limit := 2
	if len(word) <= 4 {
		limit = 1
	}
	best, bestDist := "", limit+1
	for i, name := range k.names {
		if i == 0 || name == "" || name == word || len(name) > maxSuggest || !set(Keyword(i)) {
			continue
		}
		if d := len(name) - len(word); d > limit || -d > limit {
			continue
		}
		d := distance(word, name)
		if d < bestDist || d == bestDist && best != "" && likeness(word, name) > likeness(word, best) {
			best, bestDist = name, d
		}
	}
	return best
}

// likeness orders names that are equally near to a word: those that it ends with, as IADD ends with ADD, come
// before those of the same length.
func likeness(word, name string) int {
	switch {
	case strings.HasSuffix(strings.ToLower(word), strings.ToLower(name)):
		return 2
	case len(word) == len(name):
		return 1
	}
	return 0
}

// distance counts the letters to change, drop, insert or swap with their
// neighbour to make b of a; letter case is free. Neither is longer than
// maxSuggest.
func distance(a, b string) int {
	var rows [3][maxSuggest + 1]int
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := range len(a) {
		cur[0] = i + 1
		for j := range len(b) {
			cost := 1
			if fold(a[i]) == fold(b[j]) {
				cost = 0
			}
			cur[j+1] = min(prev[j+1]+1, cur[j]+1, prev[j]+cost)
			if i > 0 && j > 0 && fold(a[i]) == fold(b[j-1]) && fold(a[i-1]) == fold(b[j]) {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}

func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
