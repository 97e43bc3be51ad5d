package nemo

import (
	"math"
	"strings"
)

// encoderKeys are the supported settings of the encoder, and those that only affect training and speed.
var encoderKeys = strings.Fields(`_target_ cls params
	feat_in feat_out n_layers d_model use_bias subsampling subsampling_factor subsampling_conv_channels causal_downsampling
	reduction reduction_position reduction_factor ff_expansion_factor self_attention_model n_heads att_context_size
	att_context_style xscaling untie_biases conv_kernel_size conv_norm_type conv_context_size
	pos_emb_max_len dropout dropout_pre_encoder dropout_emb dropout_att att_context_probs stochastic_depth_drop_prob
	stochastic_depth_mode stochastic_depth_start_layer subsampling_conv_chunking_factor use_pytorch_sdpa
	use_pytorch_sdpa_backends sync_max_audio_length global_tokens global_tokens_spacing global_attn_separate`)

func readEncoder(s *configSettings) EncoderConfig {
	checkTarget(s, "encoder", "ConformerEncoder")
	s.checkKnownKeys("encoder", encoderKeys...)
	s.requireValue("encoder.self_attention_model", "rel_pos")
	s.requireValue("encoder.reduction", nil)
	e := EncoderConfig{
		Layers:      s.integerAt("encoder.n_layers", 0, 1, maxLayers),
		Width:       s.integerAt("encoder.d_model", 0, 2, maxWidth),
		Heads:       s.integerAt("encoder.n_heads", 4, 1, maxWidth),
		Features:    s.integerAt("encoder.feat_in", 0, 1, maxBands),
		OutputWidth: max(0, s.integerAt("encoder.feat_out", -1, -1, maxWidth)),
		Subsampling: s.choiceAt("encoder.subsampling", "striding", "dw_striding", "striding"),
		Factor:      s.integerAt("encoder.subsampling_factor", 4, 2, 16),
		Channels:    s.integerAt("encoder.subsampling_conv_channels", -1, -1, maxWidth),
		Causal:      s.flagAt("encoder.causal_downsampling", false),
		ScaledInput: s.flagAt("encoder.xscaling", true),
		Kernel:      s.integerAt("encoder.conv_kernel_size", 31, 1, 255),
		Norm:        s.choiceAt("encoder.conv_norm_type", "batch_norm", "batch_norm", "layer_norm"),
		Chunked:     s.choiceAt("encoder.att_context_style", "regular", "regular", "chunked_limited") == "chunked_limited",
	}
	e.Contexts = readContexts(s)
	e.completeWidths(s)
	return e
}

// completeWidths checks that widths, heads and factor fit together, and sets what follows from other settings.
func (e *EncoderConfig) completeWidths(s *configSettings) {
	if e.Layers == 0 || e.Width == 0 || e.Features == 0 {
		s.failSetting("encoder", "without n_layers, d_model or feat_in", "all three")
		return
	}
	if e.Width%e.Heads != 0 || e.Width%2 != 0 {
		s.failSetting("encoder.n_heads", e.Heads, "a divisor of d_model, which is even")
	}
	if e.Factor&(e.Factor-1) != 0 {
		s.failSetting("encoder.subsampling_factor", e.Factor, "2, 4, 8, 16")
	}
	if e.Channels <= 0 {
		e.Channels = e.Width
	}
	if e.OutputWidth == e.Width { // NeMo has no projection then
		e.OutputWidth = 0
	}
	e.Left, e.Right = readConvolutionContext(s, e.Kernel)
}

// readConvolutionContext returns the padding of the layers' convolutions: null, "causal" or [left, right].
func readConvolutionContext(s *configSettings, kernel int) (left, right int) {
	const key = "encoder.conv_context_size"
	switch v := s.resolveValue(key).(type) {
	case nil:
		if kernel%2 == 0 {
			s.failSetting("encoder.conv_kernel_size", kernel, "an odd number")
		}
		return (kernel - 1) / 2, (kernel - 1) / 2
	case string:
		s.choiceAt(key, "", "causal")
		return kernel - 1, 0
	default:
		pair := s.integersAt(key, 2)
		if len(pair) != 2 || pair[0] < 0 || pair[1] < 0 || pair[0]+pair[1]+1 != kernel {
			s.failSetting(key, v, "causal, or two numbers whose sum is conv_kernel_size - 1")
			return 0, 0
		}
		return pair[0], pair[1]
	}
}

// readContexts returns the attention's contexts: one pair, or a list of pairs.
func readContexts(s *configSettings) []AttentionContext {
	const key = "encoder.att_context_size"
	unlimited := []AttentionContext{{Left: -1, Right: -1}}
	v := s.resolveValue(key)
	list, ok := v.([]any)
	switch {
	case v == nil:
		return unlimited
	case ok && len(list) == 2 && !isList(list[0]):
		list = []any{list}
	case !ok || len(list) == 0 || len(list) > maxContexts:
		s.failSetting(key, v, "[left, right], or a list of such pairs")
		return unlimited
	}
	contexts := make([]AttentionContext, len(list))
	for i, pair := range list {
		if contexts[i], ok = parseContext(pair); !ok {
			s.failSetting(key, v, "[left, right], each -1 (all) or a number of frames")
			return unlimited
		}
	}
	return contexts
}

func isList(v any) bool {
	_, ok := v.([]any)
	return ok
}

// parseContext reads one pair [left, right].
func parseContext(v any) (AttentionContext, bool) {
	pair, ok := v.([]any)
	if !ok || len(pair) != 2 {
		return AttentionContext{}, false
	}
	left, okLeft := pair[0].(int)
	right, okRight := pair[1].(int)
	ok = okLeft && okRight && left >= -1 && right >= -1 && left <= math.MaxInt16 && right <= math.MaxInt16
	return AttentionContext{Left: left, Right: right}, ok
}

func readPrediction(s *configSettings) PredictionConfig {
	p := PredictionConfig{
		Layers:     s.integerAt("decoder.prednet.pred_rnn_layers", 1, 1, maxLSTM),
		BlankAsPad: s.flagAt("decoder.blank_as_pad", true),
	}
	if s.resolveValue("decoder.prednet") == nil {
		checkTarget(s, "decoder", "ConvASRDecoder")
		return p
	}
	checkTarget(s, "decoder", "RNNTDecoder")
	checkTarget(s, "joint", "RNNTJoint", "SampledRNNTJoint")
	s.requireValue("decoder.normalization_mode", nil)
	if n := s.integerAt("decoder.prednet.rnn_hidden_size", -1, -1, maxWidth); n > 0 {
		s.failSetting("decoder.prednet.rnn_hidden_size", n, "absent or -1")
	}
	return p
}

// featureKeys are the supported settings of the features, and those that only affect training.
var featureKeys = strings.Fields(`_target_ cls params
	sample_rate normalize window_size window_stride n_window_size n_window_stride window features n_fft preemph lowfreq
	highfreq log log_zero_guard_type log_zero_guard_value mag_power mel_norm frame_splicing exact_pad
	dither pad_to pad_value nb_augmentation_prob nb_max_freq rng stft_conv stft_exact_pad use_grads use_torchaudio
	max_duration min_duration`)

// logGuard is the default of log_zero_guard_value, 2^-24, the only value of the feature extractor.
const logGuard = 5.960464477539063e-08

func readFeatures(s *configSettings) FeatureConfig {
	const section = "preprocessor"
	checkTarget(s, section, "AudioToMelSpectrogramPreprocessor")
	s.checkKnownKeys(section, featureKeys...)
	requireFixedFeatures(s, section)
	f := FeatureConfig{
		Bands:    s.integerAt(section+".features", 64, 1, maxBands),
		Window:   s.choiceAt(section+".window", "hann", "hann", "hamming", "blackman", "bartlett", "ones", "none"),
		Length:   sampleCount(s, section+".window_size", section+".n_window_size", 0.02),
		Emphasis: s.numberAt(section+".preemph", 0.97),
	}
	if s.isNull(section + ".preemph") {
		f.Emphasis = 0
	}
	if s.isNull(section + ".window") {
		f.Window = "none"
	}
	if hop := sampleCount(s, section+".window_stride", section+".n_window_stride", 0.01); hop != 160 {
		s.failSetting(section+".window_stride", float64(hop)/16000, "0.01")
	}
	if f.Length < 2 || f.Length > 512 || f.Length <= 256 && s.resolveValue(section+".n_fft") == nil {
		s.failSetting(section+".window_size", float64(f.Length)/16000, "more than 0.016, up to 0.032")
	}
	f.readNormalize(s, section+".normalize")
	return f
}

// requireFixedFeatures refuses settings of which the feature extractor supports one value only.
func requireFixedFeatures(s *configSettings, section string) {
	for _, fixed := range []struct {
		key  string
		want any
	}{
		{"sample_rate", 16000},
		{"n_fft", 512},
		{"lowfreq", 0},
		{"highfreq", 8000},
		{"log", true},
		{"log_zero_guard_type", "add"},
		{"mag_power", 2.0},
		{"mel_norm", "slaney"},
		{"frame_splicing", 1},
		{"exact_pad", false},
		{"pad_value", 0},
		{"use_torchaudio", false},
	} {
		s.requireValue(section+"."+fixed.key, fixed.want)
	}
	if v := s.resolveValue(section + ".log_zero_guard_value"); v != nil && v != logGuard {
		s.failSetting(section+".log_zero_guard_value", v, "2^-24")
	}
}

// sampleCount returns a length in samples, from the setting in samples or the one in seconds.
func sampleCount(s *configSettings, seconds, count string, absent float64) int {
	if n := s.integerAt(count, 0, 1, 1<<16); n > 0 {
		return n
	}
	return int(math.Round(s.numberAt(seconds, absent) * 16000))
}

func (f *FeatureConfig) readNormalize(s *configSettings, key string) {
	switch v := s.resolveValue(key).(type) {
	case nil:
		f.Normalize = "per_feature"
		if s.isNull(key) {
			f.Normalize = "none"
		}
	case map[string]any:
		f.Normalize = "fixed"
		f.Mean, f.Std = s.numbersAt(key+".fixed_mean", maxBands), s.numbersAt(key+".fixed_std", maxBands)
		if len(f.Mean) != f.Bands || len(f.Std) != f.Bands {
			s.failSetting(key, v, "fixed_mean and fixed_std with a number for each of the features")
		}
	case string:
		f.Normalize = v
		if v != "per_feature" && v != "all_features" { // NeMo does not normalize for any other text
			f.Normalize = "none"
		}
	default:
		s.failSetting(key, v, "per_feature, all_features, NA, or fixed_mean and fixed_std")
	}
}
