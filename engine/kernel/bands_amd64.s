//go:build amd64 && !purego

#include "textflag.h"

// func slopeAVX2(dst *float64, x *float32, n int, c float64)
TEXT ·slopeAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD c+24(FP), Y2

next:
	VCVTPS2PD (SI), Y0
	VCVTPS2PD 4(SI), Y1
	VMULPD Y2, Y0, Y0
	VSUBPD Y0, Y1, Y1
	VMOVUPD Y1, (DI)
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JG   next
	VZEROUPPER
	RET

// func dealAVX2(dst *Complex4, x, w *float64, hop, n int)
//
// Four samples of four signals at a time, transposed.
TEXT ·dealAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ w+16(FP), DX
	MOVQ hop+24(FP), R8
	MOVQ n+32(FP), CX
	SHLQ $3, R8
	LEAQ (R8)(R8*2), R9

next:
	VMOVUPD (DX), Y4
	VMULPD (SI), Y4, Y0
	VMULPD (SI)(R8*1), Y4, Y1
	VMULPD (SI)(R8*2), Y4, Y2
	VMULPD (SI)(R9*1), Y4, Y3
	VUNPCKLPD Y1, Y0, Y4
	VUNPCKHPD Y1, Y0, Y5
	VUNPCKLPD Y3, Y2, Y6
	VUNPCKHPD Y3, Y2, Y7
	VPERM2F128 $0x20, Y6, Y4, Y0
	VPERM2F128 $0x20, Y7, Y5, Y1
	VPERM2F128 $0x31, Y6, Y4, Y2
	VPERM2F128 $0x31, Y7, Y5, Y3
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $128, DI
	SUBQ $4, CX
	JG   next
	VZEROUPPER
	RET

// func bandsAVX2(dst *float32, x *Quad, bands *WeightedBand, n int, floor float64)
//
// A WeightedBand is 32 bytes: First, then the slice's address, length and capacity.
TEXT ·bandsAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ bands+16(FP), BX
	MOVQ n+24(FP), CX
	VBROADCASTSD floor+32(FP), Y2

band:
	MOVQ (BX), R8
	MOVQ 8(BX), R9
	MOVQ 16(BX), R10
	SHLQ $5, R8
	ADDQ SI, R8
	VXORPD Y0, Y0, Y0
	TESTQ R10, R10
	JZ    round

next:
	VBROADCASTSD (R9), Y1
	VMULPD (R8), Y1, Y1
	VADDPD Y1, Y0, Y0
	ADDQ $8, R9
	ADDQ $32, R8
	DECQ R10
	JNZ  next

round:
	VADDPD Y2, Y0, Y0
	VCVTPD2PSY Y0, X0
	VMOVUPS X0, (DI)
	ADDQ $32, BX
	ADDQ $16, DI
	DECQ CX
	JNZ  band
	VZEROUPPER
	RET

// The constants of the logarithm; see naturalLog in log.go.
DATA logTable<>+0(SB)/4, $0x3f3504f3
DATA logTable<>+4(SB)/4, $1.0
DATA logTable<>+8(SB)/4, $0.2987307608127594
DATA logTable<>+12(SB)/4, $0.399774968624115
DATA logTable<>+16(SB)/4, $0.6666677594184875
DATA logTable<>+20(SB)/4, $2.0
DATA logTable<>+24(SB)/4, $0.6931471805599453
GLOBL logTable<>(SB), RODATA|NOPTR, $28

// func logAVX2(x *float32, n int)
TEXT ·logAVX2(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VBROADCASTSS logTable<>+0(SB), Y9
	VBROADCASTSS logTable<>+4(SB), Y10
	VBROADCASTSS logTable<>+8(SB), Y11
	VBROADCASTSS logTable<>+12(SB), Y12
	VBROADCASTSS logTable<>+16(SB), Y13
	VBROADCASTSS logTable<>+20(SB), Y14
	VBROADCASTSS logTable<>+24(SB), Y15

next:
	VMOVUPS (SI), Y0
	VPSUBD Y9, Y0, Y1
	VPSRAD $23, Y1, Y1      // e
	VPSLLD $23, Y1, Y2
	VPSUBD Y2, Y0, Y0       // m
	VCVTDQ2PS Y1, Y1
	VSUBPS Y10, Y0, Y2
	VADDPS Y10, Y0, Y3
	VDIVPS Y3, Y2, Y2       // s
	VMULPS Y2, Y2, Y3       // s²
	VMULPS Y11, Y3, Y4
	VADDPS Y12, Y4, Y4
	VMULPS Y3, Y4, Y4
	VADDPS Y13, Y4, Y4
	VMULPS Y3, Y4, Y4
	VADDPS Y14, Y4, Y4
	VMULPS Y2, Y4, Y4
	VMULPS Y15, Y1, Y1
	VADDPS Y4, Y1, Y1
	VMOVUPS Y1, (SI)
	ADDQ $32, SI
	SUBQ $8, CX
	JG   next
	VZEROUPPER
	RET
