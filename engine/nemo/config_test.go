package nemo

import (
	"strings"
	"testing"
)

// change replaces a line of a configuration, or adds one below a section's first line.
func change(config, old, replacement string) string {
	return strings.Replace(config, old, replacement, 1)
}

// An unsupported setting is refused with its key and value.
func TestConfigNamesWhatItRefuses(t *testing.T) {
	t.Parallel()
	config, _ := parts(t)
	for key, c := range map[string]struct{ old, replacement, value string }{
		"encoder.self_attention_model":      {"self_attention_model: rel_pos", "self_attention_model: abs_pos", `"abs_pos"`},
		"encoder.reduction":                 {"reduction: null", "reduction: pooling", `"pooling"`},
		"encoder.subsampling":               {"subsampling: dw_striding", "subsampling: stacking", `"stacking"`},
		"encoder.subsampling_factor":        {"subsampling_factor: 8", "subsampling_factor: 6", "6"},
		"encoder.conv_norm_type":            {"conv_norm_type: batch_norm", "conv_norm_type: group_norm", `"group_norm"`},
		"encoder.conv_context_size":         {"conv_context_size: null", "conv_context_size: [1, 2]", "[1 2]"},
		"encoder.att_context_size":          {"att_context_size:\n  - -1\n  - -1", "att_context_size: 5", "5"},
		"encoder.n_layers":                  {"n_layers: 2", "n_layers: 100000", "100000"},
		"encoder.n_heads":                   {"n_heads: 4", "n_heads: 3", "3"},
		"encoder._target_":                  {"modules.ConformerEncoder", "modules.SqueezeformerEncoder", "SqueezeformerEncoder"},
		"encoder.moe_experts":               {"n_layers: 2", "n_layers: 2\n  moe_experts: 4", "4"},
		"preprocessor.sample_rate":          {"sample_rate: 16000", "sample_rate: 8000", "8000"},
		"preprocessor.n_fft":                {"n_fft: 512", "n_fft: 1024", "1024"},
		"preprocessor.window_stride":        {"window_stride: 0.01", "window_stride: 0.02", "0.02"},
		"preprocessor.window":               {"window: hann", "window: kaiser", "kaiser"},
		"preprocessor.frame_splicing":       {"frame_splicing: 1", "frame_splicing: 3", "3"},
		"preprocessor.mel_norm":             {"window: hann", "window: hann\n  mel_norm: null_norm", "null_norm"},
		"decoder.normalization_mode":        {"normalization_mode: null", "normalization_mode: layer", "layer"},
		"decoder._target_":                  {"modules.RNNTDecoder", "modules.StatelessTransducerDecoder", "Stateless"},
		"joint._target_":                    {"modules.RNNTJoint", "modules.HATJoint", "HATJoint"},
		"joint.jointnet.activation":         {"activation: relu", "activation: gelu", "gelu"},
		"decoding.big_blank_durations":      {"strategy: greedy_batch", "strategy: greedy_batch\n  big_blank_durations: [2]", "[2]"},
		"tokenizer.type":                    {"type: bpe", "type: agg", "agg"},
		"tokenizer":                         {"tokenizer:", "tokenizers:", "null"},
		"encoder.feat_in":                   {"features: 20", "features: 80", "20"},
		"decoder.prednet.rnn_hidden_size":   {"pred_hidden: 12", "pred_hidden: 12\n    rnn_hidden_size: 20", "20"},
		"decoder.prednet.pred_rnn_layers":   {"pred_rnn_layers: 1", "pred_rnn_layers: many", "many"},
		"encoder.xscaling":                  {"xscaling: true", "xscaling: 3", "3"},
		"preprocessor.mag_power":            {"window: hann", "window: hann\n  mag_power: 1.0", "1"},
		"preprocessor.log":                  {"window: hann", "window: hann\n  log: null", "null"},
		"preprocessor.exact_pad":            {"window: hann", "window: hann\n  exact_pad: true", "true"},
		"preprocessor.log_zero_guard_value": {"window: hann", "window: hann\n  log_zero_guard_value: 1.0e-5", "1e-05"},
		"encoder.att_context_style":         {"att_context_style: regular", "att_context_style: chunked_unlimited", "chunked_unlimited"},
		"preprocessor.log_zero_guard_type":  {"window: hann", "window: hann\n  log_zero_guard_type: clamp", "clamp"},
	} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			changed := change(config, c.old, c.replacement)
			if changed == config {
				t.Fatalf("%q is not in the configuration", c.old)
			}
			_, err := parseConfig([]byte(changed))
			if err == nil || !strings.Contains(err.Error(), configMember+": "+key+" is ") || !strings.Contains(err.Error(), c.value) {
				t.Errorf("error = %v, want it to name %s and %s", err, key, c.value)
			}
		})
	}
}

// NeMo's defaults apply to missing keys, not to keys set to null.
func TestNullIsNotTheDefault(t *testing.T) {
	t.Parallel()
	config, _ := parts(t)
	c, err := parseConfig([]byte(change(change(config, "xscaling: true", "xscaling: null"), "window: hann", "window: null")))
	if err != nil || c.Encoder.ScaledInput || c.Features.Window != "none" {
		t.Errorf("scaled %v, window %q, %v", c.Encoder.ScaledInput, c.Features.Window, err)
	}
	_, err = parseConfig([]byte(change(config, "window: hann", "window: hann\n  mel_norm: null")))
	if err == nil || !strings.Contains(err.Error(), "preprocessor.mel_norm is null") {
		t.Errorf("error = %v, want it to name mel_norm", err)
	}
	if _, err = parseConfig([]byte(change(config, "n_fft: 512", "n_fft: null"))); err != nil {
		t.Errorf("n_fft null is 512 for this window: %v", err)
	}
}

// NeMo has no projection if feat_out equals d_model.
func TestOutputOfTheSameWidthIsNoProjection(t *testing.T) {
	t.Parallel()
	config, _ := parts(t)
	for width, want := range map[string]int{"16": 0, "-1": 0, "24": 24} {
		c, err := parseConfig([]byte(change(config, "feat_out: -1", "feat_out: "+width)))
		if err != nil || c.Encoder.OutputWidth != want {
			t.Errorf("feat_out %s: %d, %v", width, c.Encoder.OutputWidth, err)
		}
	}
}

func TestConfigIsFound(t *testing.T) {
	t.Parallel()
	config, _ := parts(t)
	references := change(change(config, "d_model: 16", "d_model: ${sixteen}"), "n_layers: 2", "n_layers: ${model.two}")
	for name, text := range map[string]string{
		"as saved":    config,
		"below model": "model:\n  " + strings.ReplaceAll(config, "\n", "\n  "),
		"references":  references + "two: 2\nsixteen: 16\n",
	} {
		c, err := parseConfig([]byte(text))
		if err != nil || c.Encoder.Width != 16 || c.Encoder.Layers != 2 || c.Features.Bands != 20 {
			t.Errorf("%s: %+v, %v", name, c.Encoder, err)
		}
	}
	if _, err := parseConfig([]byte(change(config, "n_layers: 2", "n_layers: ${encoder.n_layers}"))); err == nil {
		t.Error("a reference to itself was accepted")
	}
}
