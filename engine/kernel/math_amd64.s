//go:build amd64 && !purego

#include "textflag.h"

// exp(x) = 2^n · exp(r), r = x - n·ln 2, |r| <= ln(2)/2. exp(r) = 1 + r + r²·P(r): P minimizes the
// largest relative error (3.1e-9) over that interval.
DATA expTable<>+0(SB)/4, $-87.33       // exp of it is the smallest normal number
DATA expTable<>+4(SB)/4, $88.37        // beyond it 2^n leaves the exponent's field
DATA expTable<>+8(SB)/4, $1.4426950408889634
DATA expTable<>+12(SB)/4, $0.693145751953125     // ln 2, upper bits
DATA expTable<>+16(SB)/4, $1.428606765330187e-06 // ln 2, the rest
DATA expTable<>+20(SB)/4, $0.001381446490995586
DATA expTable<>+24(SB)/4, $0.008368780836462975
DATA expTable<>+28(SB)/4, $0.04166839271783829
DATA expTable<>+32(SB)/4, $0.1666651964187622
DATA expTable<>+36(SB)/4, $0.4999999403953552
DATA expTable<>+40(SB)/4, $1.0
GLOBL expTable<>(SB), RODATA|NOPTR, $44

// tanh(x) = x + x³·Q(x²) for |x| < 0.625, largest relative error 4.4e-9.
DATA tanhTable<>+0(SB)/4, $-0.005704978480935097
DATA tanhTable<>+4(SB)/4, $0.020639078691601753
DATA tanhTable<>+8(SB)/4, $-0.05373971164226532
DATA tanhTable<>+12(SB)/4, $0.13331441581249237
DATA tanhTable<>+16(SB)/4, $-0.3333328068256378
DATA tanhTable<>+20(SB)/4, $0.625
DATA tanhTable<>+24(SB)/4, $-2.0
DATA tanhTable<>+28(SB)/4, $0x7fffffff // everything but the sign
GLOBL tanhTable<>(SB), RODATA|NOPTR, $32

#define LOADEXP \
	VBROADCASTSS expTable<>+0(SB), Y5 \
	VBROADCASTSS expTable<>+4(SB), Y6 \
	VBROADCASTSS expTable<>+8(SB), Y7 \
	VBROADCASTSS expTable<>+12(SB), Y8 \
	VBROADCASTSS expTable<>+16(SB), Y9 \
	VBROADCASTSS expTable<>+20(SB), Y10 \
	VBROADCASTSS expTable<>+24(SB), Y11 \
	VBROADCASTSS expTable<>+28(SB), Y12 \
	VBROADCASTSS expTable<>+32(SB), Y13 \
	VBROADCASTSS expTable<>+36(SB), Y14 \
	VBROADCASTSS expTable<>+40(SB), Y15

// EXP: Y0 = exp(Y0); it overwrites Y1 and Y2. The order of the clamps' operands propagates NaN.
#define EXP \
	VMAXPS Y0, Y5, Y0 \
	VMINPS Y0, Y6, Y0 \
	VMULPS Y7, Y0, Y1 \
	VROUNDPS $0, Y1, Y1 \
	VFNMADD231PS Y8, Y1, Y0 \
	VFNMADD231PS Y9, Y1, Y0 \
	VCVTPS2DQ Y1, Y1 \
	VPSLLD $23, Y1, Y1 \
	VMOVAPS Y10, Y2 \
	VFMADD213PS Y11, Y0, Y2 \
	VFMADD213PS Y12, Y0, Y2 \
	VFMADD213PS Y13, Y0, Y2 \
	VFMADD213PS Y14, Y0, Y2 \
	VFMADD213PS Y15, Y0, Y2 \
	VFMADD213PS Y15, Y0, Y2 \
	VPADDD Y1, Y2, Y0

// func sigmoidAVX2(x *float32, n int)
TEXT ·sigmoidAVX2(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	LOADEXP

loop:
	VXORPS Y0, Y0, Y0
	VSUBPS (SI), Y0, Y0
	EXP
	VADDPS Y15, Y0, Y0
	VDIVPS Y0, Y15, Y0
	VMOVUPS Y0, (SI)
	ADDQ $32, SI
	SUBQ $8, CX
	JG   loop
	VZEROUPPER
	RET

// func tanhAVX2(x *float32, n int)
//
// Outside the polynomial's interval tanh|x| = 1 - 2/(exp(2|x|)+1), with the sign of x.
TEXT ·tanhAVX2(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	LOADEXP

loop:
	VMOVUPS (SI), Y3
	VBROADCASTSS tanhTable<>+28(SB), Y4
	VANDPS Y4, Y3, Y0
	VADDPS Y0, Y0, Y0
	EXP
	VADDPS Y15, Y0, Y0
	VBROADCASTSS tanhTable<>+24(SB), Y1
	VDIVPS Y0, Y1, Y0
	VADDPS Y15, Y0, Y0
	VANDNPS Y3, Y4, Y1
	VORPS Y1, Y0, Y0        // the large branch
	VANDPS Y4, Y3, Y4
	VMULPS Y3, Y3, Y1
	VBROADCASTSS tanhTable<>+0(SB), Y2
	VBROADCASTSS tanhTable<>+4(SB), Y5
	VFMADD213PS Y5, Y1, Y2
	VBROADCASTSS tanhTable<>+8(SB), Y5
	VFMADD213PS Y5, Y1, Y2
	VBROADCASTSS tanhTable<>+12(SB), Y5
	VFMADD213PS Y5, Y1, Y2
	VBROADCASTSS tanhTable<>+16(SB), Y5
	VFMADD213PS Y5, Y1, Y2
	VMULPS Y3, Y1, Y1
	VFMADD213PS Y3, Y1, Y2  // the small branch
	VBROADCASTSS tanhTable<>+20(SB), Y5
	VCMPPS $1, Y5, Y4, Y4   // |x| < 0.625
	VBLENDVPS Y4, Y2, Y0, Y0
	VMOVUPS Y0, (SI)
	VBROADCASTSS expTable<>+0(SB), Y5
	ADDQ $32, SI
	SUBQ $8, CX
	JG   loop
	VZEROUPPER
	RET

// func sumExpAVX2(x *float32, n int, shift float32) float32
TEXT ·sumExpAVX2(SB), NOSPLIT, $0-28
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VBROADCASTSS shift+16(FP), Y4
	LOADEXP
	VXORPS Y3, Y3, Y3

loop:
	VMOVUPS (SI), Y0
	VSUBPS Y4, Y0, Y0
	EXP
	VADDPS Y0, Y3, Y3
	ADDQ $32, SI
	SUBQ $8, CX
	JG   loop
	VEXTRACTF128 $1, Y3, X0
	VADDPS X0, X3, X0
	VHADDPS X0, X0, X0
	VHADDPS X0, X0, X0
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET
