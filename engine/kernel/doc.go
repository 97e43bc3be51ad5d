// Package kernel implements the arithmetic that recognition needs outside ONNX graphs: products of a matrix with one or
// a few vectors, the inner products of a filter, the functions of an LSTM cell, the reductions of a search (maximum,
// log-sum-exp), and the steps of a spectrogram. All are float32 over plain slices, except the spectrogram: its
// transforms take four signals at once, in float64, since the logarithm amplifies rounding errors of float32.
//
// It imports no package of models, audio or decoding. It allocates only the FFT's tables, keeps no state,
// and all functions are safe for concurrent use.
//
// On x86-64 processors with AVX2 and FMA3 assembly routines are selected at run time;
// every other machine, and the build tag purego, uses portable Go. Results of the two differ in
// the last bits only, and one machine gives the same bits every time: a vector's product doesn't
// depend on how many vectors there are in one call. The spectrogram's steps and a filter's
// products give the same bits with and without assembly, and each signal's result is independent
// of the other three.
//
// Libraries are slower: for one vector viterin/vek needs 1.3 to 2.5 times as long (a call for each
// row) and gonum 2.5 to 3.5 times; neither has a fast product with a few vectors. AVX-512 is not
// used: these products wait for memory more than for arithmetic.
//
// Slices must be as long as the shapes say; a shorter one panics, as indexing would.
package kernel
