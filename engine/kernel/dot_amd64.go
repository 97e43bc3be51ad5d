//go:build amd64 && !purego

package kernel

//go:noescape
func dotProducts4AVX2(dst *[4]float32, a, b *[4][]float32, n int)

func dotProducts4(dst *[4]float32, a, b *[4][]float32, n int) {
	if !fast {
		dotProducts4Go(dst, a, b, n)
		return
	}
	dotProducts4AVX2(dst, a, b, n)
}
