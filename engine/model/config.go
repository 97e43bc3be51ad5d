package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Limits of the figures in a folder; NeMo's models have 80 or 128 features and a subsampling of 8.
const (
	maxFeatures    = 512
	maxSubsampling = 64
	maxFrames      = 1 << 20 // feature frames
	maxSymbols     = 1000    // per frame
	maxDurations   = 64      // of a TDT model
	maxDuration    = 255     // encoder frames
)

// ModelConfig is a model folder's configuration, with defaults.
type ModelConfig struct {
	Name        string              `json:"name,omitempty"`
	Decoding    DecodingConfig      `json:"decoding"`
	Label       map[string][]string `json:"label,omitempty"`   // language → lines: training data and known limits
	Metrics     []QualityMetric     `json:"metrics,omitempty"` // measured figures supplied with the model
	MaxFrames   int                 `json:"max_frames"`
	Causal      bool                `json:"causal_subsampling,omitempty"` // causal subsampling convolutions
	Features    int                 `json:"-"`                            // mel bands
	Subsampling int                 `json:"-"`                            // feature frames per encoder frame
	// Preprocessor configures the features; nil: as for NeMo's FastConformers.
	Preprocessor *PreprocessorConfig `json:"preprocessor,omitempty"`
	Origin       string              `json:"origin,omitempty"` // source of the import
	// Streaming is set for a cache-aware encoder; nil: it encodes whole utterances only.
	Streaming *StreamingConfig `json:"streaming,omitempty"`
	// Prompts is set for a model whose language is chosen by a prompt; nil: it has none.
	Prompts *PromptKernelConfig `json:"prompts,omitempty"`
	// Verifier describes the model's word verifier; nil: there is none.
	Verifier *VerifierConfig `json:"word_verifier,omitempty"`
}

// PreprocessorConfig configures the log-mel features. Mean and Std have a number for each band if Normalize is fixed.
type PreprocessorConfig struct {
	Window    string    `json:"window"`         // hann, hamming, blackman, bartlett, ones
	Length    int       `json:"window_samples"` // at 16 kHz
	Emphasis  float64   `json:"preemphasis"`
	Normalize string    `json:"normalize"` // per_feature, all_features, fixed, none
	Mean      []float32 `json:"fixed_mean,omitempty"`
	Std       []float32 `json:"fixed_std,omitempty"`
	// Precision of the checkpoint's window and mel filters: float16 or bfloat16; empty: float32.
	Precision string `json:"precision,omitempty"`
}

// unnormalizedConfig is NeMo's usual preprocessing with normalize: NA, which streaming models use.
func unnormalizedConfig() *PreprocessorConfig {
	return &PreprocessorConfig{Window: "hann", Length: 400, Emphasis: 0.97, Normalize: "none"}
}

// DecodingConfig is the recommended production decoding.
type DecodingConfig struct {
	Strategy   string `json:"rnnt_strategy"` // greedy_batch | beam | maes | alsd | tsd | malsd_batch
	BeamSize   int    `json:"beam_size"`
	MaxSymbols int    `json:"max_symbols"`
	// CTCWeight is the CTC score's weight in hybrid rescoring; 0 ranks by the RNNT alone.
	CTCWeight float64 `json:"ctc_weight"`
	// Durations are the TDT durations in frames; none for other transducers.
	Durations []int `json:"durations,omitempty"`
}

// QualityMetric is one measured figure; exactly one of Accuracy and WER is set, in percent (WER may be a range).
type QualityMetric struct {
	What     string          `json:"what"`
	Accuracy float64         `json:"accuracy_percent,omitempty"`
	WER      json.RawMessage `json:"wer_percent,omitempty"`
}

// readConfig merges munadi.json, onnx-asr's config.json, the metadata of sherpa-onnx and the encoder's declared inputs,
// in order of precedence.
func readConfig(f ModelFolder, g *onnxGraph) (ModelConfig, error) {
	meta, bands := g.meta, 0
	if audio := g.shapes[tensorAudio]; len(audio) == 3 {
		bands = int(audio[1])
	}
	c := ModelConfig{
		Name: f.defaultName(), Decoding: DecodingConfig{Strategy: "greedy_batch", BeamSize: 4, MaxSymbols: 10},
	}
	if err := readJSON(f, "munadi.json", &c); err != nil {
		return c, err
	}
	var asr struct {
		Features    int `json:"features_size"`
		Subsampling int `json:"subsampling_factor"`
		MaxTokens   int `json:"max_tokens_per_step"`
	}
	if err := readJSON(f, "config.json", &asr); err != nil {
		return c, err
	}
	c.Features = firstNonZero(asr.Features, parseNumber(meta["feat_dim"]), bands, 80)
	c.Subsampling = firstNonZero(asr.Subsampling, parseNumber(meta["subsampling_factor"]), 8)
	switch n, said := meta["normalize_type"]; {
	case !said || n == "per_feature":
	case n == "" || n == "NA":
		c.Preprocessor = cmp.Or(c.Preprocessor, unnormalizedConfig())
	default:
		return c, fmt.Errorf("features normalized as %q are not supported, only per_feature and NA (none)", n)
	}
	return c, errors.Join(c.checkBounds(), c.Decoding.checkBounds(), c.Streaming.checkBounds(), c.Prompts.checkBounds(),
		c.Verifier.checkBounds())
}

// checkBounds checks the sizes from which memory is allocated.
func (c ModelConfig) checkBounds() error {
	if c.Features > maxFeatures || c.Subsampling > maxSubsampling {
		return fmt.Errorf("%d features and a subsampling of %d are not supported: at most %d and %d are",
			c.Features, c.Subsampling, maxFeatures, maxSubsampling)
	}
	if c.MaxFrames < 0 || c.MaxFrames > maxFrames {
		return fmt.Errorf("munadi.json: max_frames is %d, want 0 to %d", c.MaxFrames, maxFrames)
	}
	if p := c.Preprocessor; p != nil && p.Normalize == "fixed" && (len(p.Mean) != c.Features || len(p.Std) != c.Features) {
		return fmt.Errorf("munadi.json: preprocessor has %d means and %d deviations for %d features",
			len(p.Mean), len(p.Std), c.Features)
	}
	return nil
}

func (d DecodingConfig) checkBounds() error {
	switch d.Strategy {
	case "greedy", "greedy_batch", "beam", "maes", "alsd", "tsd", "malsd_batch":
	default:
		return fmt.Errorf("munadi.json: rnnt_strategy is %q, want greedy_batch, beam, maes, alsd, tsd or malsd_batch",
			d.Strategy)
	}
	if d.BeamSize < 1 || d.BeamSize > 64 {
		return fmt.Errorf("munadi.json: beam_size is %d, want 1 to 64", d.BeamSize)
	}
	if d.MaxSymbols < 0 || d.MaxSymbols > maxSymbols {
		return fmt.Errorf("munadi.json: max_symbols is %d, want 0 (unlimited) to %d", d.MaxSymbols, maxSymbols)
	}
	if d.CTCWeight < 0 || d.CTCWeight > 1 {
		return fmt.Errorf("munadi.json: ctc_weight is %g, want 0 to 1", d.CTCWeight)
	}
	if len(d.Durations) > maxDurations ||
		slices.ContainsFunc(d.Durations, func(n int) bool { return n < 0 || n > maxDuration }) {
		return fmt.Errorf("munadi.json: durations are %v, want at most %d numbers from 0 to %d",
			d.Durations, maxDurations, maxDuration)
	}
	return nil
}

func readJSON(f ModelFolder, name string, into any) error {
	b, err := f.readSmallFile(name)
	if b == nil || err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func parseNumber(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func firstNonZero(values ...int) int {
	for _, v := range values {
		if v > 0 {
			return v
		}
	}
	return 0
}

// String returns the figure in one line.
func (m QualityMetric) String() string {
	if len(m.WER) == 0 {
		return fmt.Sprintf("%s: %g %% right", m.What, m.Accuracy)
	}
	var span []float64
	if json.Unmarshal(m.WER, &span) == nil && len(span) == 2 {
		return fmt.Sprintf("%s: WER %g–%g %%", m.What, span[0], span[1])
	}
	return fmt.Sprintf("%s: WER %s %%", m.What, m.WER)
}
