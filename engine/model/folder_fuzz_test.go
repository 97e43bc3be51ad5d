package model

import (
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzConfig: for any configuration files, sizes are within bounds.
func FuzzConfig(f *testing.F) {
	f.Add([]byte(`{"name":"x","decoding":{"rnnt_strategy":"maes","beam_size":4,"max_symbols":5,"ctc_weight":0.5}}`),
		[]byte(`{"features_size":80,"subsampling_factor":8}`), "80", "8", "per_feature")
	f.Add([]byte(`{"metrics":[{"what":"a","wer_percent":[1,2]}],"label":{"ar":["a"]},"max_frames":3000}`), []byte(`{}`), "", "", "")
	f.Add([]byte(`{"decoding":null,"max_frames":1e9}`), []byte(`{"features_size":-1}`), "9223372036854775807", "-8", "all")
	f.Add([]byte(`{"streaming":{"chunked":true,"contexts":[{"left":70,"right":13}],"layers":17,"channel_width":1024,`+
		`"time_channels":512,"time_frames":8}}`), []byte(`{}`), "", "", "NA")
	f.Add([]byte(`{"streaming":{"contexts":[{"left":999,"right":-1}],"layers":65536,"channel_width":65536}}`), []byte(`{}`), "", "", "")
	f.Fuzz(func(t *testing.T, own, asr []byte, bands, factor, normalized string) {
		folder := FolderIn(fstest.MapFS{"munadi.json": {Data: own}, "config.json": {Data: asr}})
		c, err := readConfig(folder, &onnxGraph{meta: map[string]string{
			"feat_dim": bands, "subsampling_factor": factor, "normalize_type": normalized,
		}})
		if err != nil {
			return
		}
		if c.Features < 1 || c.Features > maxFeatures || c.Subsampling < 1 || c.Subsampling > maxSubsampling ||
			c.MaxFrames < 0 || c.MaxFrames > maxFrames || c.Decoding.BeamSize < 1 || c.Decoding.MaxSymbols < 0 {
			t.Errorf("%s and %s become %+v", own, asr, c)
		}
		if s := c.Streaming; s != nil && (len(s.Contexts) == 0 || s.Layers*s.Width*s.Contexts[0].Left > maxCacheNumbers) {
			t.Errorf("%s becomes caches of %+v", own, s)
		}
		for _, m := range c.Metrics {
			_ = m.String()
		}
	})
}

// FuzzVocabulary: the pieces are those of the lines.
func FuzzVocabulary(f *testing.F) {
	f.Add("<unk> 0\n▁ا 1\n<blk> 2\n")
	f.Add("a 0\r\n\r\n<blank> 1")
	f.Add("a b 0\n<blk> 01\n")
	f.Fuzz(func(t *testing.T, text string) {
		pieces, err := parseVocabulary([]byte(text))
		if err != nil {
			return
		}
		if len(pieces) == 0 || strings.Count(text, "\n") < len(pieces) {
			t.Errorf("%q has the pieces %q", text, pieces)
		}
		for _, piece := range pieces {
			if !strings.Contains(text, piece+" ") {
				t.Errorf("%q has no piece %q", text, piece)
			}
		}
	})
}
