package transpile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// monoPass is the name that switches off and shows the copies of functions for known types. Readers make
// these copies, before all passes.
const monoPass = "mono"

// resumePass is the name that switches off and shows the making of resumable bodies, after all passes.
const resumePass = "resume"

// Passes lists the names of the optimising passes in the order of their first run.
func Passes() []string {
	return slices.Concat([]string{monoPass}, passes.Names(), []string{resumePass})
}

// AboutPass says in a line what a pass does.
func AboutPass(name string) string {
	switch name {
	case monoPass:
		return "copies functions for the types that they are called with, while the bundle is read"
	case resumePass:
		return "makes second bodies, which can stop and continue later, after all other passes"
	}
	return passes.About(name)
}

// UnknownPass is the error that there is no pass of a name.
func UnknownPass(name string) error {
	return fmt.Errorf("unknown pass %q: the passes are %s%s", name, strings.Join(Passes(), ", "), lex.DidYouMean(name, Passes()))
}

// CheckPasses checks names for Options.SelectPasses. The passes outside of the table have their places: the first works
// while the program is read, and nothing can follow the last.
func CheckPasses(names []string) error {
	for i, n := range names {
		switch {
		case !slices.Contains(Passes(), n):
			return UnknownPass(n)
		case n == monoPass && i > 0:
			return fmt.Errorf("%s can only be the first pass: it works while the bundle is read", n)
		case n == resumePass && i < len(names)-1:
			return fmt.Errorf("%s can only be the last pass: others know nothing of the bodies that it makes", n)
		}
	}
	return nil
}

// An IdlePass is a pass of Options.SelectPasses that has changed nothing, although it had not all that it usually has.
type IdlePass struct {
	Name  string
	Needs []passes.Need // that did not run before it
}

// Idle lists, after Optimized, the selected passes that changed nothing, perhaps for want of others before them.
func (p *Program) Idle() []IdlePass {
	var list []IdlePass
	for _, s := range p.stats.Passes {
		if s.Runs == 0 || s.Changes > 0 {
			continue
		}
		first := slices.Index(p.opts.SelectPasses, s.Name)
		needs := slices.DeleteFunc(passes.Needs(s.Name), func(n passes.Need) bool {
			return slices.Contains(p.opts.SelectPasses[:first], n.Pass)
		})
		if len(needs) > 0 {
			list = append(list, IdlePass{s.Name, needs})
		}
	}
	slices.SortStableFunc(list, func(a, b IdlePass) int {
		return slices.Index(p.opts.SelectPasses, a.Name) - slices.Index(p.opts.SelectPasses, b.Name)
	})
	return list
}

// mono reports whether readers copy functions for known types.
func (opt *Options) mono() bool {
	if opt.SelectPasses != nil {
		return opt.Optimize > 0 && slices.Contains(opt.SelectPasses, monoPass)
	}
	return opt.Optimize > 0 && !slices.Contains(opt.DisablePasses, monoPass)
}

// selected is SelectPasses without the names of what is no pass over bodies, nil for the usual passes, and whether
// resumable bodies are made.
func (opt *Options) selected() (names []string, bodies bool) {
	if opt.SelectPasses == nil {
		return nil, true
	}
	names = slices.DeleteFunc(slices.Clone(opt.SelectPasses), func(n string) bool { return n == monoPass || n == resumePass })
	return append([]string{}, names...), slices.Contains(opt.SelectPasses, resumePass)
}
