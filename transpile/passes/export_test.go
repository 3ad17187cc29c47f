package passes

// MaxSweeps is for tests that want parameters replaced in the other way.
var MaxSweeps = &maxSweeps
