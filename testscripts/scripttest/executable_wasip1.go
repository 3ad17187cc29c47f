package scripttest

import "os"

// writeExecutable writes a file; nothing can be run here.
func writeExecutable(file string, data []byte) error { return os.WriteFile(file, data, 0o777) }
