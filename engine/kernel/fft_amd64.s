//go:build amd64 && !purego

#include "textflag.h"

// A point is 64 bytes: four real parts, four imaginary ones. No product is fused with a sum, so that
// the result has the same bits as the portable code, which rounds both.

// BUTTERFLY transforms the points a, b, c, d at AX + 0, 1, 2, 3 times R8 (R9 = 3·R8). Intermediate
// values are (Y2,Y6) = a+c, (Y3,Y7) = a-c, (Y4,Y8) = b+d, (Y5,Y9) = b-d. The first result is stored; the
// second, third and fourth remain in (Y3,Y7), (Y2,Y6), (Y0,Y1).
#define BUTTERFLY \
	VMOVUPD (AX), Y0 \
	VMOVUPD (AX)(R8*2), Y1 \
	VADDPD Y1, Y0, Y2 \
	VSUBPD Y1, Y0, Y3 \
	VMOVUPD (AX)(R8*1), Y0 \
	VMOVUPD (AX)(R9*1), Y1 \
	VADDPD Y1, Y0, Y4 \
	VSUBPD Y1, Y0, Y5 \
	VMOVUPD 32(AX), Y0 \
	VMOVUPD 32(AX)(R8*2), Y1 \
	VADDPD Y1, Y0, Y6 \
	VSUBPD Y1, Y0, Y7 \
	VMOVUPD 32(AX)(R8*1), Y0 \
	VMOVUPD 32(AX)(R9*1), Y1 \
	VADDPD Y1, Y0, Y8 \
	VSUBPD Y1, Y0, Y9 \
	VADDPD Y4, Y2, Y0 \
	VADDPD Y8, Y6, Y1 \
	VMOVUPD Y0, (AX) \
	VMOVUPD Y1, 32(AX) \
	VSUBPD Y4, Y2, Y2 \
	VSUBPD Y8, Y6, Y6 \
	VSUBPD Y9, Y3, Y0 \
	VADDPD Y5, Y7, Y1 \
	VADDPD Y9, Y3, Y3 \
	VSUBPD Y5, Y7, Y7

// TIMES multiplies (re, im) by (wr, wi) into (Y8, Y9); it overwrites Y4 and Y5.
#define TIMES(re, im, wr, wi) \
	VMULPD wr, re, Y8 \
	VMULPD wi, im, Y4 \
	VMULPD wi, re, Y9 \
	VMULPD wr, im, Y5 \
	VSUBPD Y4, Y8, Y8 \
	VADDPD Y5, Y9, Y9

// func stageAVX2(x *Complex4, turns *butterflyFactors, span, step int)
//
// The factors stay in Y10 … Y15 for all butterflies that need them; step is the distance to the
// next ones, in butterflyFactors of 48 bytes.
TEXT ·stageAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), SI
	MOVQ turns+8(FP), DX
	MOVQ span+16(FP), CX
	MOVQ step+24(FP), R11
	IMULQ $48, R11
	MOVQ CX, R8
	SHLQ $6, R8
	LEAQ (R8)(R8*2), R9
	LEAQ 16384(SI), BX      // the end of x
	LEAQ 0(R8*4), R10

turn:
	VBROADCASTSD (DX), Y10
	VBROADCASTSD 8(DX), Y11
	VBROADCASTSD 16(DX), Y12
	VBROADCASTSD 24(DX), Y13
	VBROADCASTSD 32(DX), Y14
	VBROADCASTSD 40(DX), Y15
	MOVQ SI, AX

next:
	BUTTERFLY
	TIMES(Y3, Y7, Y10, Y11)
	VMOVUPD Y8, (AX)(R8*1)
	VMOVUPD Y9, 32(AX)(R8*1)
	TIMES(Y2, Y6, Y12, Y13)
	VMOVUPD Y8, (AX)(R8*2)
	VMOVUPD Y9, 32(AX)(R8*2)
	TIMES(Y0, Y1, Y14, Y15)
	VMOVUPD Y8, (AX)(R9*1)
	VMOVUPD Y9, 32(AX)(R9*1)
	ADDQ R10, AX
	CMPQ AX, BX
	JLT  next
	ADDQ R11, DX
	ADDQ $64, SI
	DECQ CX
	JNZ  turn
	VZEROUPPER
	RET

// func lastStageAVX2(x *Complex4)
TEXT ·lastStageAVX2(SB), NOSPLIT, $0-8
	MOVQ x+0(FP), AX
	MOVQ $64, R8
	MOVQ $192, R9
	MOVQ $64, CX

next:
	BUTTERFLY
	VMOVUPD Y3, 64(AX)
	VMOVUPD Y7, 96(AX)
	VMOVUPD Y2, 128(AX)
	VMOVUPD Y6, 160(AX)
	VMOVUPD Y0, 192(AX)
	VMOVUPD Y1, 224(AX)
	ADDQ $256, AX
	DECQ CX
	JNZ  next
	VZEROUPPER
	RET

// func powerAVX2(dst *Quad, x *Complex4, place *uint16, split *twiddleFactor)
//
// k runs upwards from 1 (DI, R8, DX) while 256-k runs downwards (R10, R9).
TEXT ·powerAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ place+16(FP), R8
	MOVQ split+24(FP), DX
	LEAQ (255*32)(DI), R10
	LEAQ 32(DI), DI
	LEAQ (255*2)(R8), R9
	LEAQ 2(R8), R8
	LEAQ 16(DX), DX
	MOVQ $128, CX

next:
	MOVWLZX (R8), AX
	MOVWLZX (R9), BX
	SHLQ $6, AX
	SHLQ $6, BX
	VMOVUPD (SI)(AX*1), Y0
	VMOVUPD 32(SI)(AX*1), Y1
	VMOVUPD (SI)(BX*1), Y2
	VMOVUPD 32(SI)(BX*1), Y3
	VADDPD Y2, Y0, Y6       // even part
	VSUBPD Y3, Y1, Y7
	VADDPD Y3, Y1, Y3       // odd part
	VSUBPD Y0, Y2, Y2
	VBROADCASTSD (DX), Y10
	VBROADCASTSD 8(DX), Y11
	TIMES(Y3, Y2, Y10, Y11)
	VADDPD Y8, Y6, Y0
	VADDPD Y9, Y7, Y1
	VSUBPD Y8, Y6, Y2
	VSUBPD Y9, Y7, Y3
	VMULPD Y0, Y0, Y0
	VMULPD Y1, Y1, Y1
	VMULPD Y2, Y2, Y2
	VMULPD Y3, Y3, Y3
	VADDPD Y1, Y0, Y0
	VADDPD Y3, Y2, Y2
	VMOVUPD Y0, (DI)
	VMOVUPD Y2, (R10)
	ADDQ $32, DI
	SUBQ $32, R10
	ADDQ $2, R8
	SUBQ $2, R9
	ADDQ $16, DX
	DECQ CX
	JNZ  next
	VZEROUPPER
	RET
