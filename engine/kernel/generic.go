//go:build !amd64 || purego

package kernel

const fast = false

func matVec(dst, m, x, bias []float32, cols int) { matVecGo(dst, m, x, bias, cols) }

func matVecBatch(dst, m, x, bias []float32, n, cols int) { matVecBatchGo(dst, m, x, bias, n, cols) }

func dotProducts4(dst *[4]float32, a, b *[4][]float32, n int) { dotProducts4Go(dst, a, b, n) }

func sigmoid(x []float32) { sigmoidGo(x) }

func tanh(x []float32) { tanhGo(x) }

func reluAdd(dst, a, b []float32) { reluAddGo(dst, a, b) }

func maxFloat(x []float32) float32 { return maximumGo(x) }

func sumExp(x []float32, shift float32) float64 { return sumExpGo(x, shift) }

func log(x []float32) { logGo(x) }

func (f *FFT512) runStage(x *[points]Complex4, span int) { f.stageGo(x, span) }

func lastStage(x *[points]Complex4) { lastStageGo(x) }

func (f *FFT512) powerSpectrum(dst *[bins]Quad, x *[points]Complex4) { f.powerGo(dst, x) }

func preEmphasize4(dst []float64, x []float32, c float64) { preEmphasize4Go(dst, x, c) }

func windowFrames(dst []Complex4, x, w []float64, hop int) { windowFramesGo(dst, x, w, hop) }

func sumBands(dst []float32, x []Quad, bands []WeightedBand, floor float64) {
	sumBandsGo(dst, x, bands, floor)
}
