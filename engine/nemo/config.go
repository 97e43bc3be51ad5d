package nemo

import (
	"math"
	"slices"
	"strings"
)

// ModelConfig is the part of model_config.yaml that inference needs.
type ModelConfig struct {
	Version    string // of NeMo that wrote the file; may be empty
	Class      string // the model's class, its last part; may be empty
	Encoder    EncoderConfig
	Features   FeatureConfig
	Prediction PredictionConfig
	Activation string   // of the joint: relu, tanh, sigmoid
	Durations  []int    // of a token-and-duration transducer (TDT); nil for others
	MaxSymbols int      // maximum labels per frame
	Vocabulary []string // as the heads' sections repeat it; may be nil
	Tokenizer  string   // the tokenizer's member in the archive
}

// EncoderConfig is a FastConformer or Conformer (nemo.collections.asr.modules.ConformerEncoder).
type EncoderConfig struct {
	Layers, Width, Heads, Features int
	OutputWidth                    int    // of a projection behind the last layer; 0: none
	Subsampling                    string // dw_striding, striding
	Factor                         int    // 2 to 16
	Channels                       int    // of the subsampling's convolutions
	Causal                         bool   // the subsampling pads in front
	ScaledInput                    bool   // xscaling: the layers' input is multiplied by √Width
	Kernel                         int    // of the layers' convolutions
	Left, Right                    int    // padding of the layers' convolutions; Left+Right+1 = Kernel
	Norm                           string // in the layers' convolutions: batch_norm, layer_norm
	Chunked                        bool   // att_context_style chunked_limited: see AttentionContext
	// Contexts are those that the model was trained with; the first is inference's.
	Contexts []AttentionContext
}

// Context is the attention context of inference.
func (e EncoderConfig) Context() AttentionContext { return e.Contexts[0] }

// AttentionContext limits which frames a frame attends to, in frames; -1 is all. In chunked_limited style frames see
// their chunk of Right+1 frames and Left/(Right+1) chunks before it.
type AttentionContext struct{ Left, Right int }

// FeatureConfig says how log-mel features are made.
type FeatureConfig struct {
	Bands     int
	Window    string // hann, hamming, blackman, bartlett, ones
	Length    int    // of the window in samples
	Emphasis  float64
	Normalize string // per_feature, all_features, fixed, none
	Mean, Std []float32
}

// PredictionConfig is the prediction network of a transducer.
type PredictionConfig struct {
	Layers     int
	BlankAsPad bool // the embedding has a row for the blank
}

// Limits of sizes: models that are published have up to 42 layers of width 1,024.
const (
	maxLayers    = 256
	maxWidth     = 8192
	maxBands     = 512
	maxLSTM      = 8
	maxDurations = 64
	maxDuration  = 255
	maxPieces    = 1 << 17
	maxContexts  = 32
)

// parseConfig parses model_config.yaml. An unsupported setting is an error that names key and value.
func parseConfig(b []byte) (ModelConfig, error) {
	s, err := parseSettings(b)
	if err != nil {
		return ModelConfig{}, err
	}
	c := ModelConfig{Version: s.textAt("nemo_version", ""), Class: lastPart(s.textAt("target", ""))}
	c.Encoder = readEncoder(s)
	c.Features = readFeatures(s)
	if c.Features.Bands != c.Encoder.Features {
		s.failSetting("encoder.feat_in", c.Encoder.Features, "the number of preprocessor.features")
	}
	c.Prediction = readPrediction(s)
	c.Activation = s.choiceAt("joint.jointnet.activation", "relu", "relu", "tanh", "sigmoid")
	c.readDecoding(s)
	c.readTokenizer(s)
	c.readVocabulary(s)
	return c, s.err
}

// checkTarget refuses a module of another class; absent is accepted, since old files lack it.
func checkTarget(s *configSettings, section string, classes ...string) {
	for _, key := range []string{section + "._target_", section + ".cls"} {
		if v := s.textAt(key, ""); v != "" {
			if !slices.Contains(classes, lastPart(v)) {
				s.failSetting(key, v, strings.Join(classes, ", "))
			}
		}
	}
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// encoderKeys are the supported settings of the encoder, and those that only matter for training and speed.
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
	if e.Layers == 0 || e.Width == 0 || e.Features == 0 {
		s.failSetting("encoder", "without n_layers, d_model or feat_in", "all three")
		return e
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
	return e
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

// featureKeys are the supported settings of the features, and those that only matter for training.
var featureKeys = strings.Fields(`_target_ cls params
	sample_rate normalize window_size window_stride n_window_size n_window_stride window features n_fft preemph lowfreq
	highfreq log log_zero_guard_type log_zero_guard_value mag_power mel_norm frame_splicing exact_pad
	dither pad_to pad_value nb_augmentation_prob nb_max_freq rng stft_conv stft_exact_pad use_grads use_torchaudio
	max_duration min_duration`)

// log_zero_guard_value's default, 2^-24, which the feature extractor has.
const logGuard = 5.960464477539063e-08

func readFeatures(s *configSettings) FeatureConfig {
	const section = "preprocessor"
	checkTarget(s, section, "AudioToMelSpectrogramPreprocessor")
	s.checkKnownKeys(section, featureKeys...)
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

// sampleCount returns a length in samples, from seconds or as such.
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
		if v != "per_feature" && v != "all_features" { // NeMo leaves features as they are for any other text
			f.Normalize = "none"
		}
	default:
		s.failSetting(key, v, "per_feature, all_features, NA, or fixed_mean and fixed_std")
	}
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

func (c *ModelConfig) readDecoding(s *configSettings) {
	c.MaxSymbols = 10
	for _, key := range []string{"decoding.greedy.max_symbols_per_step", "decoding.greedy.max_symbols"} {
		c.MaxSymbols = s.integerAt(key, c.MaxSymbols, 1, 1000)
	}
	if v := s.resolveValue("decoding.big_blank_durations"); v != nil && !isOff(v) {
		s.failSetting("decoding.big_blank_durations", v, "absent: multi-blank transducers can't be decoded")
	}
	for _, key := range []string{"decoding.durations", "model_defaults.tdt_durations"} {
		if c.Durations = s.integersAt(key, maxDurations); len(c.Durations) > 0 {
			break
		}
	}
	for _, d := range c.Durations {
		if d < 0 || d > maxDuration {
			s.failSetting("decoding.durations", c.Durations, "numbers from 0 to 255")
		}
	}
}

func (c *ModelConfig) readTokenizer(s *configSettings) {
	if s.resolveValue("tokenizer") == nil {
		s.failSetting("tokenizer", nil, "a section with a SentencePiece model: models of characters can't be imported")
		return
	}
	s.choiceAt("tokenizer.type", "", "bpe")
	name := s.textAt("tokenizer.model_path", "")
	if name == "" {
		name = "tokenizer.model"
	}
	name = strings.TrimPrefix(name, "nemo:")
	c.Tokenizer = name[strings.LastIndexByte(name, '/')+1:]
}

// readVocabulary finds the list of pieces that the heads' sections repeat.
func (c *ModelConfig) readVocabulary(s *configSettings) {
	for _, key := range []string{"joint.vocabulary", "labels", "decoder.vocabulary", "aux_ctc.decoder.vocabulary"} {
		items, ok := s.resolveValue(key).([]any)
		if !ok || len(items) == 0 || len(items) > maxPieces {
			continue
		}
		for _, item := range items {
			text, isText := item.(string)
			if !isText { // YAML reads an unquoted piece like 1 or true as something else
				c.Vocabulary = nil
				break
			}
			c.Vocabulary = append(c.Vocabulary, text)
		}
		if len(c.Vocabulary) > 0 {
			return
		}
	}
}
