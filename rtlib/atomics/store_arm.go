package atomics

// beforeStore64 comes before each store of 64 bits. On arm it is a loop of LDREXD and STREXD with the barriers of
// read-modify-writes (beforeUpdate).
func beforeStore64() { Fence() }
