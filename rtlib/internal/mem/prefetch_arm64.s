#include "textflag.h"

// func PrefetchEach(a *Address, n int, before, after uintptr)
TEXT ·PrefetchEach(SB), NOSPLIT, $0-32
	MOVD a+0(FP), R0
	MOVD n+8(FP), R1
	MOVD before+16(FP), R2
	MOVD after+24(FP), R3
	CBZ  R1, done
loop:
	MOVD.P 8(R0), R4
	SUB  R2, R4, R5
	ADD  R3, R4, R6
	PRFM (R5), PLDL1KEEP
	PRFM (R6), PLDL1KEEP
	SUBS $1, R1
	BNE  loop
done:
	RET

// func PrefetchRange(a, end Address)
TEXT ·PrefetchRange(SB), NOSPLIT, $0-16
	MOVD a+0(FP), R0
	MOVD end+8(FP), R1
loop:
	CMP  R1, R0
	BHS  done
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0
	B    loop
done:
	RET
