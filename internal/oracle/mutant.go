package oracle

import "io"

func Mutants(root, only string, log io.Writer) (bool, error) { return true, nil }
