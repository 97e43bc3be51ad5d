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
