package core

import "errors"

// LibraryFunction is the address of an exposed function of the first package, which starts if it has not.
func LibraryFunction(i int) uintptr { return ExposedAddr(library().Exposes[i]) }

// LibraryCell is the address of a cell of that package.
func LibraryCell(i int) uintptr { return uintptr(library().Globals[i].Addr) }

// library starts the first package. It ends the process with a report if that is not possible: the caller is C.
func library() *Program {
	started()
	if err := prepared.all(); err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Kind: NoResource, Detail: err.Error()}
		}
		first.report(e)
	}
	return packages[0]
}
