package live

// Loaded is how many bundles are loaded.
func Loaded() int {
	loaded.mu.Lock()
	defer loaded.mu.Unlock()
	return len(loaded.list)
}

// TenThousand is the bundle of BenchmarkLoad.
var TenThousand = tenThousand

// Chain is a bundle of types.
var Chain = chain
