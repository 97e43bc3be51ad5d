//go:build amd64 && !purego

#include "textflag.h"

// Eight all-ones words, then eight zeros: read from word 8-n, it is a mask of n lanes.
DATA laneMask<>+0(SB)/8, $0xffffffffffffffff
DATA laneMask<>+8(SB)/8, $0xffffffffffffffff
DATA laneMask<>+16(SB)/8, $0xffffffffffffffff
DATA laneMask<>+24(SB)/8, $0xffffffffffffffff
DATA laneMask<>+32(SB)/8, $0
DATA laneMask<>+40(SB)/8, $0
DATA laneMask<>+48(SB)/8, $0
DATA laneMask<>+56(SB)/8, $0
GLOBL laneMask<>(SB), RODATA|NOPTR, $64

// SPLIT computes from cols R10 = bytes per row, R9 = whole vectors per row, Y15 = mask of the rest,
// CX = number of columns in that rest.
#define SPLIT \
	MOVQ R9, R10 \
	SHLQ $2, R10 \
	MOVQ R9, CX \
	ANDQ $7, CX \
	LEAQ laneMask<>+32(SB), AX \
	NEGQ CX \
	LEAQ (AX)(CX*4), AX \
	NEGQ CX \
	VMOVUPS (AX), Y15 \
	SHRQ $3, R9

#define ZERO \
	VXORPS Y0, Y0, Y0 \
	VXORPS Y1, Y1, Y1 \
	VXORPS Y2, Y2, Y2 \
	VXORPS Y3, Y3, Y3 \
	VXORPS Y4, Y4, Y4 \
	VXORPS Y5, Y5, Y5 \
	VXORPS Y6, Y6, Y6 \
	VXORPS Y7, Y7, Y7

// REDUCE leaves in Y0 the eight sums over the lanes of Y0 … Y7.
#define REDUCE \
	VHADDPS Y1, Y0, Y0 \
	VHADDPS Y3, Y2, Y2 \
	VHADDPS Y5, Y4, Y4 \
	VHADDPS Y7, Y6, Y6 \
	VHADDPS Y2, Y0, Y0 \
	VHADDPS Y6, Y4, Y4 \
	VPERM2F128 $0x20, Y4, Y0, Y1 \
	VPERM2F128 $0x31, Y4, Y0, Y2 \
	VADDPS Y2, Y1, Y0

// func rows8AVX2(dst, m, x, bias *float32, blocks, cols int)
//
// Eight rows per block, one accumulator per row: eight independent chains hide the FMA's latency.
TEXT ·rows8AVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ m+8(FP), SI
	MOVQ x+16(FP), DX
	MOVQ bias+24(FP), BX
	MOVQ cols+40(FP), R9
	SPLIT
	MOVQ CX, R13
	LEAQ (R10)(R10*2), R12

block:
	ZERO
	MOVQ SI, AX             // rows 0, 1, 2, 4
	LEAQ (SI)(R12*1), CX    // rows 3, 5, 7
	LEAQ (SI)(R12*2), R8    // row 6
	XORQ R11, R11
	CMPQ R11, R9
	JGE  tail

whole:
	VMOVUPS (DX), Y8
	VFMADD231PS (AX), Y8, Y0
	VFMADD231PS (AX)(R10*1), Y8, Y1
	VFMADD231PS (AX)(R10*2), Y8, Y2
	VFMADD231PS (CX), Y8, Y3
	VFMADD231PS (AX)(R10*4), Y8, Y4
	VFMADD231PS (CX)(R10*2), Y8, Y5
	VFMADD231PS (R8), Y8, Y6
	VFMADD231PS (CX)(R10*4), Y8, Y7
	ADDQ $32, DX
	ADDQ $32, AX
	ADDQ $32, CX
	ADDQ $32, R8
	INCQ R11
	CMPQ R11, R9
	JLT  whole

tail:
	TESTQ R13, R13
	JZ    sum
	VMASKMOVPS (DX), Y15, Y8
	VMASKMOVPS (AX), Y15, Y9
	VMASKMOVPS (AX)(R10*1), Y15, Y10
	VMASKMOVPS (AX)(R10*2), Y15, Y11
	VMASKMOVPS (CX), Y15, Y12
	VFMADD231PS Y9, Y8, Y0
	VFMADD231PS Y10, Y8, Y1
	VFMADD231PS Y11, Y8, Y2
	VFMADD231PS Y12, Y8, Y3
	VMASKMOVPS (AX)(R10*4), Y15, Y9
	VMASKMOVPS (CX)(R10*2), Y15, Y10
	VMASKMOVPS (R8), Y15, Y11
	VMASKMOVPS (CX)(R10*4), Y15, Y12
	VFMADD231PS Y9, Y8, Y4
	VFMADD231PS Y10, Y8, Y5
	VFMADD231PS Y11, Y8, Y6
	VFMADD231PS Y12, Y8, Y7

sum:
	REDUCE
	TESTQ BX, BX
	JZ    store
	VADDPS (BX), Y0, Y0
	ADDQ $32, BX

store:
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	LEAQ (SI)(R10*8), SI
	MOVQ x+16(FP), DX
	DECQ blocks+32(FP)
	JNZ  block
	VZEROUPPER
	RET

// func rows4x2AVX2(a, b, m, xa, xb, bias *float32, cols int)
//
// Four rows times two vectors: each row is read once for both. Sums are in the order of
// rows8AVX2, so that both give the same bits.
TEXT ·rows4x2AVX2(SB), NOSPLIT, $0-56
	MOVQ m+16(FP), SI
	MOVQ xa+24(FP), DX
	MOVQ xb+32(FP), DI
	MOVQ bias+40(FP), BX
	MOVQ cols+48(FP), R9
	SPLIT
	LEAQ (R10)(R10*2), R12
	ADDQ SI, R12            // row 3
	ZERO
	XORQ R11, R11
	CMPQ R11, R9
	JGE  tail

whole:
	VMOVUPS (DX), Y12
	VMOVUPS (DI), Y13
	VMOVUPS (SI), Y8
	VMOVUPS (SI)(R10*1), Y9
	VMOVUPS (SI)(R10*2), Y10
	VMOVUPS (R12), Y11
	VFMADD231PS Y8, Y12, Y0
	VFMADD231PS Y9, Y12, Y1
	VFMADD231PS Y10, Y12, Y2
	VFMADD231PS Y11, Y12, Y3
	VFMADD231PS Y8, Y13, Y4
	VFMADD231PS Y9, Y13, Y5
	VFMADD231PS Y10, Y13, Y6
	VFMADD231PS Y11, Y13, Y7
	ADDQ $32, DX
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, R12
	INCQ R11
	CMPQ R11, R9
	JLT  whole

tail:
	TESTQ CX, CX
	JZ    sum
	VMASKMOVPS (DX), Y15, Y12
	VMASKMOVPS (DI), Y15, Y13
	VMASKMOVPS (SI), Y15, Y8
	VMASKMOVPS (SI)(R10*1), Y15, Y9
	VMASKMOVPS (SI)(R10*2), Y15, Y10
	VMASKMOVPS (R12), Y15, Y11
	VFMADD231PS Y8, Y12, Y0
	VFMADD231PS Y9, Y12, Y1
	VFMADD231PS Y10, Y12, Y2
	VFMADD231PS Y11, Y12, Y3
	VFMADD231PS Y8, Y13, Y4
	VFMADD231PS Y9, Y13, Y5
	VFMADD231PS Y10, Y13, Y6
	VFMADD231PS Y11, Y13, Y7

sum:
	REDUCE
	TESTQ BX, BX
	JZ    store
	VBROADCASTF128 (BX), Y1
	VADDPS Y1, Y0, Y0

store:
	MOVQ a+0(FP), AX
	MOVQ b+8(FP), BX
	VMOVUPS X0, (AX)
	VEXTRACTF128 $1, Y0, (BX)
	VZEROUPPER
	RET
