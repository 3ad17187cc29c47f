package core

import (
	"slices"
	"sort"
	"strings"
	"sync"
)

// Most entities of a bundle that the engine loads are inside its functions, and few of their names are ever asked for.
// So the names of a bundle are put together when one of them, or an ID of the bundle, is asked for.

// LateNames are names of a bundle that are put together when they are asked for.
type LateNames struct {
	Roots []string            // each name begins with one of them and a dot; not kept
	List  func() []EntityName // called once at most

	first, next uint32 // their IDs
	once        sync.Once
	ids         map[string]uint32
	names       map[uint32]string
}

// ask puts the names together.
func (l *LateNames) ask() {
	l.once.Do(func() {
		list := l.List()
		l.List = nil
		l.ids, l.names = make(map[string]uint32, len(list)), make(map[uint32]string, len(list))
		for _, n := range list {
			l.ids[n.Name], l.names[n.ID] = n.ID, n.Name
		}
	})
}

// lateDirectory are the late names of a directory.
type lateDirectory struct {
	list  []*LateNames          // by ID
	roots map[string]*LateNames // no two bundles have the same
	// prefixes are the parts of names in front of their dots, of names that were declared at run time and of roots,
	// but not of late names.
	prefixes map[string]bool
}

// prefixesOf calls f for the parts of a name in front of its dots, the longest first, as long as f returns true.
func prefixesOf(name string, f func(prefix string) bool) {
	for {
		k := strings.LastIndexByte(name, '.')
		if k < 0 {
			return
		}
		if name = name[:k]; !f(name) {
			return
		}
	}
}

// addPrefixes adds those of a name to a set that has the prefixes of each element.
func addPrefixes(set map[string]bool, name string) {
	prefixesOf(name, func(prefix string) bool {
		old := set[prefix]
		set[prefix] = true
		return !old
	})
}

// enter adds names with IDs from first to before next. The caller holds the lock of the directory.
func (d *lateDirectory) enter(l *LateNames, first, next uint32) {
	if d.roots == nil {
		d.roots = map[string]*LateNames{}
	}
	l.first, l.next = first, next
	d.list = append(d.list, l)
	for _, root := range l.Roots {
		d.roots[root] = l
		addPrefixes(d.prefixes, root)
	}
	l.Roots = nil
}

// of finds the late names among which a name may be. The caller holds the lock of the directory.
func (d *lateDirectory) of(name string) (found []*LateNames) {
	if len(d.list) == 0 {
		return nil
	}
	prefixesOf(name, func(prefix string) bool {
		if l := d.roots[prefix]; l != nil && !slices.Contains(found, l) {
			found = append(found, l)
		}
		return true
	})
	return found
}

// lateID returns the ID of a late name.
func (d *directory) lateID(name string) (uint32, bool) {
	d.mu.RLock()
	found := d.late.of(name)
	d.mu.RUnlock()
	for _, l := range found {
		l.ask()
		if id, ok := l.ids[name]; ok {
			return id, true
		}
	}
	return 0, false
}

// lateName returns the late name of an ID, "" if it has none; false if it is not that of something in a bundle with late
// names.
func (d *directory) lateName(id uint32) (string, bool) {
	d.mu.RLock()
	list := d.late.list
	d.mu.RUnlock()
	i := sort.Search(len(list), func(i int) bool { return id < list[i].next })
	if i == len(list) || id < list[i].first {
		return "", false
	}
	list[i].ask()
	return list[i].names[id], true // all IDs between are those of things in the bundle, most of which have no name
}

// clashes reports whether an existing name may be equal to a late name with a root: whether one begins with the root
// and a dot, or may do so because it is late as well.
func (d *directory) clashes(root string) bool {
	d.fixed.Do(func() {
		d.prefixes = map[string]bool{}
		for name := range d.ids {
			addPrefixes(d.prefixes, name)
		}
	})
	if d.prefixes[root] {
		return true
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.late.prefixes[root] || d.late.roots[root] != nil || len(d.late.of(root)) > 0
}
