package live

// inverses are the conditional jumps that go where others do not.
var inverses = func() map[op]op {
	m := map[op]op{}
	for _, p := range [][2]op{
		{opJEQ, opJNE}, {opJEQI, opJNEI}, {opJSLT, opJSGE}, {opJSLTI, opJSGEI}, {opJSLE, opJSGT}, {opJSLEI, opJSGTI},
		{opJULT, opJUGE}, {opJULTI, opJUGEI}, {opJULE, opJUGT}, {opJULEI, opJUGTI},
		{opJSLT32, opJSGE32}, {opJSLT32I, opJSGE32I}, {opJSLE32, opJSGT32}, {opJSLE32I, opJSGT32I},
		{opJFEQ, opJFNE}, {opJFLT, opJNFLT}, {opJFLE, opJNFLE}, {opJGEQ, opJGNE}, {opJGLT, opJNGLT}, {opJGLE, opJNGLE},
		{opJEQR, opJNER}, {opJNull, opJNotNull}, {opJTrue, opJFalse},
	} {
		m[p[0]], m[p[1]] = p[1], p[0]
	}
	return m
}()
