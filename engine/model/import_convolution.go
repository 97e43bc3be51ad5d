package model

import (
	"fmt"
	"math"
)

// readConvolution reads a layer's convolution module. Batch normalization is folded into the depthwise convolution.
func (im *checkpointImporter) readConvolution(prefix string) convolutionModule {
	e := im.checkpoint.Encoder
	d, name := int64(e.Width), prefix+"conv."
	first := im.readNumbers(name+"pointwise_conv1.weight", 2*d, d, 1)
	firstBias := im.readOptional(name+"pointwise_conv1.bias", 2*d)
	kernel := im.readNumbers(name+"depthwise_conv.weight", d, 1, int64(e.Kernel))
	bias := im.readOptional(name+"depthwise_conv.bias", d)
	last := im.readNumbers(name+"pointwise_conv2.weight", d, d, 1)
	lastBias := im.readOptional(name+"pointwise_conv2.bias", d)
	c := convolutionModule{norm: im.layerNorm(prefix+"norm_conv", e.Width), left: int64(e.Left), right: int64(e.Right)}
	if e.Norm == "layer_norm" {
		inner := im.layerNorm(name+"batch_norm", e.Width)
		c.inner = &inner
	} else {
		kernel, bias = im.foldBatchNorm(name+"batch_norm", kernel, bias, e.Width)
	}
	if im.err != nil {
		return c
	}
	c.kernel, c.bias = im.weights.putFloats(kernel, d, 1, int64(e.Kernel)), bias
	c.products = im.weights.putPointwise(first, firstBias, last, lastBias, e.Width, im.int8)
	return c
}

// partOf returns the nth block of size numbers; nil for nil.
func partOf(v []float32, n, size int) []float32 {
	if v == nil {
		return nil
	}
	return v[n*size : (n+1)*size]
}

// foldBatchNorm folds a batch normalization's inference parameters into the convolution before it.
func (im *checkpointImporter) foldBatchNorm(name string, kernel, bias []float32, width int) (folded, shift []float32) {
	const epsilon = 1e-5
	d := int64(width)
	scale, offset := im.readNumbers(name+".weight", d), im.readNumbers(name+".bias", d)
	mean, variance := im.readNumbers(name+".running_mean", d), im.readNumbers(name+".running_var", d)
	if im.err != nil {
		return nil, nil
	}
	shift = make([]float32, width)
	taps := len(kernel) / width
	for c := range width {
		factor := float64(scale[c]) / math.Sqrt(float64(variance[c])+epsilon)
		for k := c * taps; k < (c+1)*taps; k++ {
			kernel[k] = float32(float64(kernel[k]) * factor)
		}
		before := -float64(mean[c])
		if bias != nil {
			before += float64(bias[c])
		}
		shift[c] = float32(before*factor + float64(offset[c]))
	}
	im.err = checkFinite(name, append(kernel, shift...))
	return kernel, shift
}

// readSubsampling reads the convolutions before the layers, of stride 2 each; with dw_striding all but the first one
// are pairs of a depthwise and a pointwise convolution.
func (im *checkpointImporter) readSubsampling() convSubsampling {
	e := im.checkpoint.Encoder
	s := convSubsampling{scale: 1, w: map[*operatorNode][2]graphTensor{}}
	if e.ScaledInput {
		s.scale = float32(math.Sqrt(float64(e.Width)))
	}
	channels, index, bands := int64(e.Channels), 0, e.Features
	step := func(in, kernel int64, strided bool) {
		im.subsamplingStep(&s, index, [4]int64{channels, in, kernel, kernel}, strided)
		index++
	}
	for factor := 1; factor < e.Factor; factor *= 2 {
		switch {
		case factor == 1:
			step(1, 3, true)
		case e.Subsampling == "dw_striding":
			step(1, 3, true)
			step(channels, 1, false)
		default:
			step(channels, 3, true)
		}
		s.steps = append(s.steps, operatorWith("Relu"))
		index++
		bands = halvedLength(bands, e.Causal)
	}
	s.out = im.readLinear("encoder.pre_encode.out", int(channels)*bands, e.Width)
	return s
}

// halvedLength returns the output length, in frames or bands, of a convolution of stride 2 and width 3.
func halvedLength(n int, causal bool) int {
	if causal {
		return n/2 + 1
	}
	return (n-1)/2 + 1
}

// subsamplingStep reads one convolution [out, in, k, k]. Any but the first with in = 1 is depthwise.
func (im *checkpointImporter) subsamplingStep(s *convSubsampling, index int, shape [4]int64, strided bool) {
	name := fmt.Sprintf("encoder.pre_encode.conv.%d", index)
	w := im.readNumbers(name+".weight", shape[:]...)
	bias := im.readOptional(name+".bias", shape[0])
	if im.err != nil {
		return
	}
	attrs := [][]byte{intsAttribute("kernel_shape", shape[2], shape[3])}
	if index > 0 && shape[1] == 1 {
		attrs = append(attrs, intAttribute("group", shape[0]))
	}
	if strided {
		pads := intsAttribute("pads", 1, 1, 1, 1)
		if im.checkpoint.Encoder.Causal {
			pads = intsAttribute("pads", 2, 2, 1, 1)
		}
		attrs = append(attrs, intsAttribute("strides", 2, 2), pads)
	}
	n := operatorWith("Conv", attrs...)
	weights := [2]graphTensor{im.weights.putFloats(w, shape[:]...)}
	if bias != nil {
		weights[1] = im.weights.putFloats(bias, shape[0])
	}
	s.steps, s.w[n] = append(s.steps, n), weights
}
