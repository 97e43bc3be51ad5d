//go:build amd64 && !purego

#include "textflag.h"

// func dotProducts4AVX2(dst *[4]float32, a, b *[4][]float32, n int)
//
// Four independent chains hide the latency of the addition. Each step rounds as dotProduct does.
TEXT ·dotProducts4AVX2(SB), NOSPLIT, $0-32
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ (AX), R8 // a slice has 24 bytes: address, length, capacity
	MOVQ 24(AX), R9
	MOVQ 48(AX), R10
	MOVQ 72(AX), R11
	MOVQ (BX), R12
	MOVQ 24(BX), R13
	MOVQ 48(BX), SI
	MOVQ 72(BX), DX
	MOVQ CX, DI
	ANDQ $-8, DI
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ AX, AX
	CMPQ AX, DI
	JGE  tail

whole:
	VMOVUPS (R8)(AX*4), Y4
	VMOVUPS (R9)(AX*4), Y5
	VMOVUPS (R10)(AX*4), Y6
	VMOVUPS (R11)(AX*4), Y7
	VMULPS (R12)(AX*4), Y4, Y4
	VMULPS (R13)(AX*4), Y5, Y5
	VMULPS (SI)(AX*4), Y6, Y6
	VMULPS (DX)(AX*4), Y7, Y7
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1
	VADDPS Y6, Y2, Y2
	VADDPS Y7, Y3, Y3
	ADDQ $8, AX
	CMPQ AX, DI
	JLT  whole

tail:
	CMPQ AX, CX
	JGE  sum
	VMOVAPS Y0, Y8 // the rest is added to the first lanes alone
	VMOVAPS Y1, Y9
	VMOVAPS Y2, Y10
	VMOVAPS Y3, Y11

rest:
	VMOVSS (R8)(AX*4), X4
	VMOVSS (R9)(AX*4), X5
	VMOVSS (R10)(AX*4), X6
	VMOVSS (R11)(AX*4), X7
	VMULSS (R12)(AX*4), X4, X4
	VMULSS (R13)(AX*4), X5, X5
	VMULSS (SI)(AX*4), X6, X6
	VMULSS (DX)(AX*4), X7, X7
	VADDSS X4, X8, X8
	VADDSS X5, X9, X9
	VADDSS X6, X10, X10
	VADDSS X7, X11, X11
	INCQ AX
	CMPQ AX, CX
	JLT  rest
	VBLENDPS $1, Y8, Y0, Y0
	VBLENDPS $1, Y9, Y1, Y1
	VBLENDPS $1, Y10, Y2, Y2
	VBLENDPS $1, Y11, Y3, Y3

sum: // ((p0+p1)+p2)+p3, where p0 … p3 are the sums of two lanes
	VHADDPS Y1, Y0, Y4
	VHADDPS Y3, Y2, Y5
	VSHUFPS $0x88, Y5, Y4, Y6 // p0 and p2 of all four
	VSHUFPS $0xdd, Y5, Y4, Y7 // p1 and p3
	VADDPS X7, X6, X0
	VEXTRACTF128 $1, Y6, X6
	VEXTRACTF128 $1, Y7, X7
	VADDPS X6, X0, X0
	VADDPS X7, X0, X0
	MOVQ dst+0(FP), DI
	VMOVUPS X0, (DI)
	VZEROUPPER
	RET
