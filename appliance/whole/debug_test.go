package whole_test

import (
	"fmt"
	"reflect"
	"testing"
)

// TestDebugShape checks that a debug result has exactly the contract's members, and both heads in every mode.
func TestDebugShape(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for _, mode := range []string{"hybrid", "rnnt", "ctc"} {
		got := a.postForm(t, debugDecode, withFile(demoSample(t, "order.flac")), withField("mode", mode), withField("beam_enabled", "true"),
			withField("ctc_ws_enabled", "true"), withField("ctc_ws_context", "عصير برتقال")).wantStatus(t, 200).jsonBody(t)
		wantKeys(t, "the body", got, "mode text duration segments parameters timings_ms warnings")
		timings, _ := got["timings_ms"].(map[string]any)
		wantKeys(t, "timings", timings, "decode_audio vad features encoder rnnt ctc ctc_ws total")
		if got["mode"] != mode || len(objectList(t, got, "segments")) < 3 || got["warnings"] == nil {
			t.Errorf("%s: %v", mode, got)
		}
		text := ""
		for i, s := range objectList(t, got, "segments") {
			wantKeys(t, "a segment", s, "id start end text rnnt ctc hybrid nbest ctc_ws")
			for _, head := range []string{"rnnt", "ctc"} {
				h := s[head].(map[string]any)
				wantKeys(t, head, h, "text score tokens token_ids timestamps")
				n := len(h["tokens"].([]any))
				if n == 0 || n != len(h["token_ids"].([]any)) || n != len(h["timestamps"].([]any)) || finiteNumber(t, h, "score") > 0 {
					t.Errorf("%s, segment %d: %s is %v", mode, i, head, h)
				}
			}
			hybrid := s["hybrid"].(map[string]any)
			wantKeys(t, "hybrid", hybrid, "text score picked")
			ws := s["ctc_ws"].(map[string]any)
			wantKeys(t, "ctc_ws", ws, "spotted applied text")
			for _, spotted := range objectList(t, ws, "spotted") {
				wantKeys(t, "a spotted phrase", spotted, "phrase start end score")
			}
			if ws["applied"] != false || len(s["nbest"].([]any)) == 0 {
				t.Errorf("%s, segment %d: applied %v, nbest %v", mode, i, ws["applied"], s["nbest"])
			}
			want := hybrid["text"]
			if mode != "hybrid" {
				want = s[mode].(map[string]any)["text"]
			}
			if s["text"] != want {
				t.Errorf("%s, segment %d is %v, the mode's text %v", mode, i, s["text"], want)
			}
			if text != "" {
				text += " "
			}
			text += s["text"].(string)
		}
		if got["text"] != text {
			t.Errorf("%s: %v, of segments %q", mode, got["text"], text)
		}
	}
}

// debugDefaults returns the defaults of the service description, with nulls resolved as NeMo does.
func debugDefaults() map[string]any {
	return map[string]any{
		"mode": "hybrid", "temperature": 1.0, "max_symbols_per_step": 10.0, "beam_enabled": false, "beam_size": 4.0,
		"beam_length_penalty": 0.0, "beam_temperature": 1.0, "loop_labels": true, "use_cuda_graph_decoder": false,
		"acoustic_scale": 1.0, "ctc_weight": 0.0, "ctc_ws_enabled": false, "ctc_ws_context": "", "ctc_ws_apply": false,
		"ctc_ws_beam_threshold": 7.0, "ctc_ws_context_score": 3.0, "ctc_ws_ali_token_weight": 0.5,
		"ctc_ws_intersection_threshold": 30.0, "ctc_ws_keyword_threshold": -5.0, "ctc_ws_blank_threshold": 0.8,
		"ctc_ws_non_blank_threshold": 0.001, "max_chunk_seconds": 15.0, "vad_threshold": 0.4, "vad_min_speech_ms": 100.0,
		"vad_max_speech_s": 20.0, "vad_min_silence_ms": 200.0, "vad_pad_ms": 30.0,
	}
}

// TestDebugParameters checks that parameters are returned as requested, and absent ones as their defaults.
func TestDebugParameters(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	sound := withFile(goldenRecording(t, "g00.wav"))
	got := a.postForm(t, debugDecode, sound).wantStatus(t, 200).jsonBody(t)
	if !reflect.DeepEqual(got["parameters"], any(debugDefaults())) {
		t.Errorf("defaults are %v", got["parameters"])
	}
	asked := map[string]any{
		"mode": "ctc", "temperature": 0.5, "max_symbols_per_step": 3.0, "beam_enabled": true, "beam_size": 2.0,
		"beam_length_penalty": 0.25, "beam_temperature": 1.5, "loop_labels": false, "use_cuda_graph_decoder": false,
		"acoustic_scale": 0.75, "ctc_weight": 0.5, "ctc_ws_enabled": true, "ctc_ws_context": "حجم كبير", "ctc_ws_apply": true,
		"ctc_ws_beam_threshold": 8.0, "ctc_ws_context_score": 2.5, "ctc_ws_ali_token_weight": 0.25,
		"ctc_ws_intersection_threshold": 40.0, "ctc_ws_keyword_threshold": -4.0, "ctc_ws_blank_threshold": 0.7,
		"ctc_ws_non_blank_threshold": 0.002, "max_chunk_seconds": 10.0, "vad_threshold": 0.3, "vad_min_speech_ms": 50.0,
		"vad_max_speech_s": 15.0, "vad_min_silence_ms": 150.0, "vad_pad_ms": 60.0,
	}
	parts := []requestPart{sound}
	for name, value := range asked {
		parts = append(parts, withField(name, fmt.Sprint(value)))
	}
	got = a.postForm(t, debugDecode, parts...).wantStatus(t, 200).jsonBody(t)
	if !reflect.DeepEqual(got["parameters"], any(asked)) {
		t.Errorf("asked for\n%v, got\n%v", asked, got["parameters"])
	}
	cuda := a.postForm(t, debugDecode, sound, withField("use_cuda_graph_decoder", "true")).wantStatus(t, 200).jsonBody(t)
	if warnings, _ := cuda["warnings"].([]any); len(warnings) == 0 {
		t.Error("CUDA graphs without CUDA give no warning")
	}
}

// TestDebugRanges checks that the bounds of every range are accepted and values beyond them are 422.
func TestDebugRanges(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	sound := withFile(goldenRecording(t, "g00.wav"))
	for _, c := range []struct{ name, good, bad string }{
		{"beam_size", "1 64", "0 -1 65 4.5 x 1e2"},
		{"ctc_weight", "0 1", "-0.01 1.01 nan x"},
		{"vad_threshold", "0 1", "-0.01 1.01 nan x"},
		{"max_chunk_seconds", "1 60", "0 61 -1 x"},
		{"temperature", "0.01 1 10", "0 -1 11 nan inf x"},
		{"beam_temperature", "0.01 1 10", "0 -1 11 nan"},
		{"max_symbols_per_step", "0 1 1000", "-1 1001 x"},
		{"acoustic_scale", "0 1 100", "-1 101 nan"},
		{"beam_length_penalty", "-1 0 1", "nan x"},
		{"ctc_ws_beam_threshold", "0 7", "-1 nan"},
		{"ctc_ws_blank_threshold", "0 1", "-0.1 1.1"},
		{"ctc_ws_non_blank_threshold", "0 1", "-0.1 1.1"},
		{"ctc_ws_intersection_threshold", "0 100", "-1 101"},
		{"vad_min_speech_ms", "0 1000", "-1 x"},
		{"vad_max_speech_s", "1 60", "0 -1"},
		{"vad_min_silence_ms", "0 1000", "-1"},
		{"vad_pad_ms", "0 1000", "-1"},
		{"loop_labels", "true false 1 no", "2 maybe"},
		{"mode", "hybrid rnnt ctc", "HYBRID beam"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for value := range lineWords(c.good) {
				a.postForm(t, debugDecode, sound, withField(c.name, value), withField("beam_enabled", "true")).wantStatus(t, 200)
			}
			for value := range lineWords(c.bad) {
				v := a.postForm(t, debugDecode, sound, withField(c.name, value)).violationEntries(t)
				if len(v) != 1 || !reflect.DeepEqual(v[0].Loc, []any{"body", c.name}) {
					t.Errorf("%s: %+v", value, v)
				}
			}
		})
	}
}

// TestDebugChangesNothing checks that a debug decoding does not change the state of its session.
func TestDebugChangesNothing(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	session := withHeader("x-session-id", "workbench")
	before, _ := a.heardIn(t, session)
	a.postForm(t, debugDecode, session, withHeader("x-session-mode", "restaurant"), withFile(goldenRecording(t, "g00.wav"))).wantStatus(t, 200)
	if after, _ := a.heardIn(t, session); before != "default" || after != "default" {
		t.Errorf("mode %s before, %s after", before, after)
	}
}
