package nemo

import (
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
	Vocabulary []string // from the heads' sections; may be nil
	Tokenizer  string   // the tokenizer's member in the archive
	Prompts    PromptConfig
}

// PromptConfig is the prompt kernel of a multilingual model (EncDec…BPEModelWithPrompt): a one-hot vector of the
// language is joined to each frame of the encoder's output. Zero: none.
type PromptConfig struct {
	Count     int            // of the vector's numbers
	Languages map[string]int // language → index in the vector
}

// EncoderConfig is a FastConformer or Conformer (nemo.collections.asr.modules.ConformerEncoder).
type EncoderConfig struct {
	Layers, Width, Heads, Features int
	OutputWidth                    int    // of a projection after the last layer; 0: none
	Subsampling                    string // dw_striding, striding
	Factor                         int    // 2 to 16
	Channels                       int    // of the subsampling's convolutions
	Causal                         bool   // the subsampling pads at the beginning
	ScaledInput                    bool   // xscaling: the layers' input is multiplied by √Width
	Kernel                         int    // of the layers' convolutions
	Left, Right                    int    // padding of the layers' convolutions; Left+Right+1 = Kernel
	Norm                           string // in the layers' convolutions: batch_norm, layer_norm
	Chunked                        bool   // att_context_style chunked_limited: see AttentionContext
	// Contexts are those that the model was trained with; the first is for inference.
	Contexts []AttentionContext
}

// Context returns the attention context for inference.
func (e EncoderConfig) Context() AttentionContext { return e.Contexts[0] }

// AttentionContext limits the frames that a frame attends to, in frames; -1: all. In chunked_limited style a frame
// attends to its chunk of Right+1 frames and Left/(Right+1) chunks before it.
type AttentionContext struct{ Left, Right int }

// FeatureConfig configures the log-mel features.
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

// Size limits: published models have up to 42 layers of width 1,024.
const (
	maxLayers    = 256
	maxWidth     = 8192
	maxBands     = 512
	maxLSTM      = 8
	maxDurations = 64
	maxDuration  = 255
	maxPieces    = 1 << 17
	maxContexts  = 32
	maxPrompts   = 4096
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
	c.Prompts = readPrompts(s)
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

func (c *ModelConfig) readDecoding(s *configSettings) {
	c.MaxSymbols = 10
	for _, key := range []string{"decoding.greedy.max_symbols_per_step", "decoding.greedy.max_symbols"} {
		c.MaxSymbols = s.integerAt(key, c.MaxSymbols, 1, 1000)
	}
	if v := s.resolveValue("decoding.big_blank_durations"); v != nil && !isOff(v) {
		s.failSetting("decoding.big_blank_durations", v, "absent: multi-blank transducers are not supported")
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
		s.failSetting("tokenizer", nil, "a section with a SentencePiece model: character-based models are not supported")
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

// readPrompts reads the prompts' dictionary; whether there is a prompt kernel, the weights tell.
func readPrompts(s *configSettings) PromptConfig {
	p := PromptConfig{Languages: map[string]int{}}
	for _, key := range []string{"model_defaults.num_prompts", "num_prompts"} {
		p.Count = s.integerAt(key, p.Count, 1, maxPrompts)
	}
	if p.Count == 0 {
		p.Count = 128
	}
	dictionary, _ := s.resolveValue("model_defaults.prompt_dictionary").(map[string]any)
	for language, v := range dictionary {
		index, ok := v.(int)
		if !ok || index < 0 || index >= p.Count {
			s.failSetting("model_defaults.prompt_dictionary."+language, v, "a whole number below model_defaults.num_prompts")
			return p
		}
		p.Languages[language] = index
	}
	return p
}

// readVocabulary reads the list of pieces from the first of the heads' sections that has one.
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
