package core

import "errors"

// LibraryFunction is the address of an exposed function of the first package, which starts if it has not. It ends the process
// with a report if the package cannot start: the caller is C.
func LibraryFunction(i int) uintptr {
	started()
	if err := prepared.all(); err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Kind: NoResource, Detail: err.Error()}
		}
		first.report(e)
	}
	return ExposedAddr(packages[0].Exposes[i])
}
