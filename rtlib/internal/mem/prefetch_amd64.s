#include "textflag.h"

// func PrefetchEach(a *Address, n int, before, after uintptr)
TEXT ·PrefetchEach(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), AX
	MOVQ n+8(FP), CX
	MOVQ before+16(FP), DX
	MOVQ after+24(FP), BX
	LEAQ (AX)(CX*8), CX
	NEGQ DX
loop:
	CMPQ AX, CX
	JAE  done
	MOVQ (AX), SI
	ADDQ $8, AX
	PREFETCHT0 (SI)(DX*1)
	PREFETCHT0 (SI)(BX*1)
	JMP  loop
done:
	RET

// func PrefetchRange(a, end Address)
TEXT ·PrefetchRange(SB), NOSPLIT, $0-16
	MOVQ a+0(FP), AX
	MOVQ end+8(FP), CX
loop:
	CMPQ AX, CX
	JAE  done
	PREFETCHT0 (AX)
	ADDQ $64, AX
	JMP  loop
done:
	RET
