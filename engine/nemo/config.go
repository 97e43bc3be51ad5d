package nemo

import (
	"math"
	"slices"
	"strings"
)

// Config is what inference needs of model_config.yaml.
type Config struct {
	Version    string // of NeMo that wrote the file; may be empty
	Class      string // the model's class, its last part; may be empty
	Encoder    Encoder
	Features   Features
	Prediction Prediction
	Activation string   // of the joint: relu, tanh, sigmoid
	Durations  []int    // of a token-and-duration transducer (TDT); nil for others
	MaxSymbols int      // labels a frame at most
	Vocabulary []string // as the heads' sections repeat it; may be nil
	Tokenizer  string   // the tokenizer's member in the archive
}

// Encoder is a FastConformer or Conformer (nemo.collections.asr.modules.ConformerEncoder).
type Encoder struct {
	Layers, Width, Heads, Features int
	OutputWidth                    int    // of a projection behind the last layer; 0: none
	Subsampling                    string // dw_striding, striding
	Factor                         int    // 2 to 16
	Channels                       int    // of the subsampling's convolutions
	Causal                         bool   // the subsampling pads in front
	ScaledInput                    bool   // xscaling: what the layers get is multiplied by √Width
	Kernel                         int    // of the layers' convolutions
	Left, Right                    int    // padding of the layers' convolutions; Left+Right+1 = Kernel
	Norm                           string // in the layers' convolutions: batch_norm, layer_norm
	Context                        Context
}

// Context limits which frames a frame attends to.
type Context struct {
	Chunked     bool // frames see their chunk of Right+1 frames and Left/(Right+1) chunks before it
	Left, Right int  // frames; -1: all
}

// Features says how log-mel features are made.
type Features struct {
	Bands     int
	Window    string // hann, hamming, blackman, bartlett, ones
	Length    int    // of the window in samples
	Emphasis  float64
	Normalize string // per_feature, all_features, fixed, none
	Mean, Std []float32
}

// Prediction is the prediction network of a transducer.
type Prediction struct {
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
)

// parseConfig reads model_config.yaml. A setting that this reader can't honour is an error that names key and value.
func parseConfig(b []byte) (Config, error) {
	s, err := parseSettings(b)
	if err != nil {
		return Config{}, err
	}
	c := Config{Version: s.text("nemo_version", ""), Class: lastPart(s.text("target", ""))}
	c.Encoder = readEncoder(s)
	c.Features = readFeatures(s)
	if c.Features.Bands != c.Encoder.Features {
		s.fail("encoder.feat_in", c.Encoder.Features, "the number of preprocessor.features")
	}
	c.Prediction = readPrediction(s)
	c.Activation = s.choice("joint.jointnet.activation", "relu", "relu", "tanh", "sigmoid")
	c.readDecoding(s)
	c.readTokenizer(s)
	c.readVocabulary(s)
	return c, s.err
}

// target refuses a module of another class; absent is accepted, since old files lack it.
func target(s *settings, section string, classes ...string) {
	for _, key := range []string{section + "._target_", section + ".cls"} {
		if v := s.text(key, ""); v != "" {
			if !slices.Contains(classes, lastPart(v)) {
				s.fail(key, v, strings.Join(classes, ", "))
			}
		}
	}
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// encoderKeys are the settings of the encoder that are honoured, and those of training and speed alone.
var encoderKeys = strings.Fields(`_target_ cls params
	feat_in feat_out n_layers d_model use_bias subsampling subsampling_factor subsampling_conv_channels causal_downsampling
	reduction reduction_position reduction_factor ff_expansion_factor self_attention_model n_heads att_context_size
	att_context_style xscaling untie_biases conv_kernel_size conv_norm_type conv_context_size
	pos_emb_max_len dropout dropout_pre_encoder dropout_emb dropout_att att_context_probs stochastic_depth_drop_prob
	stochastic_depth_mode stochastic_depth_start_layer subsampling_conv_chunking_factor use_pytorch_sdpa
	use_pytorch_sdpa_backends sync_max_audio_length global_tokens global_tokens_spacing global_attn_separate`)

func readEncoder(s *settings) Encoder {
	target(s, "encoder", "ConformerEncoder")
	s.known("encoder", encoderKeys...)
	s.only("encoder.self_attention_model", "rel_pos")
	s.only("encoder.reduction", nil)
	e := Encoder{
		Layers:      s.integer("encoder.n_layers", 0, 1, maxLayers),
		Width:       s.integer("encoder.d_model", 0, 2, maxWidth),
		Heads:       s.integer("encoder.n_heads", 4, 1, maxWidth),
		Features:    s.integer("encoder.feat_in", 0, 1, maxBands),
		OutputWidth: max(0, s.integer("encoder.feat_out", -1, -1, maxWidth)),
		Subsampling: s.choice("encoder.subsampling", "striding", "dw_striding", "striding"),
		Factor:      s.integer("encoder.subsampling_factor", 4, 2, 16),
		Channels:    s.integer("encoder.subsampling_conv_channels", -1, -1, maxWidth),
		Causal:      s.flag("encoder.causal_downsampling", false),
		ScaledInput: s.flag("encoder.xscaling", true),
		Kernel:      s.integer("encoder.conv_kernel_size", 31, 1, 255),
		Norm:        s.choice("encoder.conv_norm_type", "batch_norm", "batch_norm", "layer_norm"),
		Context:     readContext(s),
	}
	if e.Layers == 0 || e.Width == 0 || e.Features == 0 {
		s.fail("encoder", "without n_layers, d_model or feat_in", "all three")
		return e
	}
	if e.Width%e.Heads != 0 || e.Width%2 != 0 {
		s.fail("encoder.n_heads", e.Heads, "a divisor of d_model, which is even")
	}
	if e.Factor&(e.Factor-1) != 0 {
		s.fail("encoder.subsampling_factor", e.Factor, "2, 4, 8, 16")
	}
	if e.Channels <= 0 {
		e.Channels = e.Width
	}
	if e.OutputWidth == e.Width && s.value("encoder.feat_out") == nil {
		e.OutputWidth = 0
	}
	e.Left, e.Right = readConvolutionContext(s, e.Kernel)
	return e
}

// readConvolutionContext is the padding of the layers' convolutions: null, "causal" or [left, right].
func readConvolutionContext(s *settings, kernel int) (left, right int) {
	const key = "encoder.conv_context_size"
	switch v := s.value(key).(type) {
	case nil:
		if kernel%2 == 0 {
			s.fail("encoder.conv_kernel_size", kernel, "an odd number")
		}
		return (kernel - 1) / 2, (kernel - 1) / 2
	case string:
		s.choice(key, "", "causal")
		return kernel - 1, 0
	default:
		pair := s.integers(key, 2)
		if len(pair) != 2 || pair[0] < 0 || pair[1] < 0 || pair[0]+pair[1]+1 != kernel {
			s.fail(key, v, "causal, or two numbers whose sum is conv_kernel_size - 1")
			return 0, 0
		}
		return pair[0], pair[1]
	}
}

// readContext is the attention's context: one pair, or a list of pairs of which the first is for inference.
func readContext(s *settings) Context {
	const key = "encoder.att_context_size"
	style := s.choice("encoder.att_context_style", "regular", "regular", "chunked_limited")
	c := Context{Left: -1, Right: -1, Chunked: style == "chunked_limited"}
	v := s.value(key)
	if pairs, ok := v.([]any); ok && len(pairs) > 0 {
		if first, ok := pairs[0].([]any); ok {
			v = first
		}
	}
	if v == nil {
		return c
	}
	pair, ok := v.([]any)
	if ok && len(pair) == 2 {
		left, okLeft := pair[0].(int)
		right, okRight := pair[1].(int)
		if okLeft && okRight && left >= -1 && right >= -1 && left <= math.MaxInt16 && right <= math.MaxInt16 {
			c.Left, c.Right = left, right
			return c
		}
	}
	s.fail(key, v, "[left, right], each -1 (all) or a number of frames")
	return c
}

// featureKeys are the settings of the features that are honoured, and those of training alone.
var featureKeys = strings.Fields(`_target_ cls params
	sample_rate normalize window_size window_stride n_window_size n_window_stride window features n_fft preemph lowfreq
	highfreq log log_zero_guard_type log_zero_guard_value mag_power mel_norm frame_splicing exact_pad
	dither pad_to pad_value nb_augmentation_prob nb_max_freq rng stft_conv stft_exact_pad use_grads use_torchaudio
	max_duration min_duration`)

// log_zero_guard_value's default, 2^-24, which the feature extractor has.
const logGuard = 5.960464477539063e-08

func readFeatures(s *settings) Features {
	const section = "preprocessor"
	target(s, section, "AudioToMelSpectrogramPreprocessor")
	s.known(section, featureKeys...)
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
		s.only(section+"."+fixed.key, fixed.want)
	}
	if v := s.value(section + ".log_zero_guard_value"); v != nil && v != logGuard {
		s.fail(section+".log_zero_guard_value", v, "2^-24")
	}
	f := Features{
		Bands:    s.integer(section+".features", 64, 1, maxBands),
		Window:   s.choice(section+".window", "hann", "hann", "hamming", "blackman", "bartlett", "ones", "none"),
		Length:   samples(s, section+".window_size", section+".n_window_size", 0.02),
		Emphasis: s.number(section+".preemph", 0.97),
	}
	if s.isNull(section, "preemph") {
		f.Emphasis = 0
	}
	if hop := samples(s, section+".window_stride", section+".n_window_stride", 0.01); hop != 160 {
		s.fail(section+".window_stride", float64(hop)/16000, "0.01")
	}
	if f.Length < 2 || f.Length > 512 || f.Length <= 256 && s.value(section+".n_fft") == nil {
		s.fail(section+".window_size", float64(f.Length)/16000, "more than 0.016, up to 0.032")
	}
	f.readNormalize(s, section+".normalize")
	return f
}

// samples is a length in samples, from seconds or as such.
func samples(s *settings, seconds, count string, absent float64) int {
	if n := s.integer(count, 0, 1, 1<<16); n > 0 {
		return n
	}
	return int(math.Round(s.number(seconds, absent) * 16000))
}

func (f *Features) readNormalize(s *settings, key string) {
	switch v := s.value(key).(type) {
	case nil:
		f.Normalize = "per_feature"
		if s.isNull("preprocessor", "normalize") {
			f.Normalize = "none"
		}
	case map[string]any:
		f.Normalize = "fixed"
		f.Mean, f.Std = s.numbers(key+".fixed_mean", maxBands), s.numbers(key+".fixed_std", maxBands)
		if len(f.Mean) != f.Bands || len(f.Std) != f.Bands {
			s.fail(key, v, "fixed_mean and fixed_std with a number for each of the features")
		}
	case string:
		f.Normalize = v
		if v != "per_feature" && v != "all_features" { // NeMo leaves features as they are for any other text
			f.Normalize = "none"
		}
	default:
		s.fail(key, v, "per_feature, all_features, NA, or fixed_mean and fixed_std")
	}
}

func readPrediction(s *settings) Prediction {
	p := Prediction{
		Layers:     s.integer("decoder.prednet.pred_rnn_layers", 1, 1, maxLSTM),
		BlankAsPad: s.flag("decoder.blank_as_pad", true),
	}
	if s.value("decoder.prednet") == nil {
		target(s, "decoder", "ConvASRDecoder")
		return p
	}
	target(s, "decoder", "RNNTDecoder")
	target(s, "joint", "RNNTJoint", "SampledRNNTJoint")
	s.only("decoder.normalization_mode", nil)
	if n := s.integer("decoder.prednet.rnn_hidden_size", -1, -1, maxWidth); n > 0 {
		s.fail("decoder.prednet.rnn_hidden_size", n, "absent or -1")
	}
	return p
}

func (c *Config) readDecoding(s *settings) {
	c.MaxSymbols = 10
	for _, key := range []string{"decoding.greedy.max_symbols_per_step", "decoding.greedy.max_symbols"} {
		c.MaxSymbols = s.integer(key, c.MaxSymbols, 1, 1000)
	}
	if v := s.value("decoding.big_blank_durations"); v != nil && !off(v) {
		s.fail("decoding.big_blank_durations", v, "absent: multi-blank transducers can't be decoded")
	}
	for _, key := range []string{"decoding.durations", "model_defaults.tdt_durations"} {
		if c.Durations = s.integers(key, maxDurations); len(c.Durations) > 0 {
			break
		}
	}
	for _, d := range c.Durations {
		if d < 0 || d > maxDuration {
			s.fail("decoding.durations", c.Durations, "numbers from 0 to 255")
		}
	}
}

func (c *Config) readTokenizer(s *settings) {
	if s.value("tokenizer") == nil {
		s.fail("tokenizer", nil, "a section with a SentencePiece model: models of characters can't be imported")
		return
	}
	s.choice("tokenizer.type", "", "bpe")
	name := s.text("tokenizer.model_path", "")
	if name == "" {
		name = "tokenizer.model"
	}
	name = strings.TrimPrefix(name, "nemo:")
	c.Tokenizer = name[strings.LastIndexByte(name, '/')+1:]
}

// readVocabulary finds the list of pieces that the heads' sections repeat.
func (c *Config) readVocabulary(s *settings) {
	for _, key := range []string{"joint.vocabulary", "labels", "decoder.vocabulary", "aux_ctc.decoder.vocabulary"} {
		items, ok := s.value(key).([]any)
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
