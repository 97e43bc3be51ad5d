package stt_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"munadi/engine"
)

// TestPromptIsAGrammar: a prompt in SRGS's ABNF form, or the name of a builtin grammar, reaches the recognizer as such,
// and the readings come back in verbose_json.
func TestPromptIsAGrammar(t *testing.T) {
	t.Parallel()
	for prompt, root := range map[string]string{
		"#ABNF 1.0 UTF-8;\nroot $size;\n$size = صغير | كبير;": "size", "builtin:grammar/digits?length=4": "digits",
		"برجر، بيتزا": "",
	} {
		b := newSTTFixture(t)
		b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
			if (o.Grammar == nil) != (root == "") || o.Grammar != nil && o.Grammar.RootRule() != root {
				t.Errorf("%q: the recognizer got %v", prompt, o.Grammar)
			}
			if o.Grammar != nil && len(o.Phrases) > 0 {
				t.Errorf("%q: phrases %q", prompt, o.Phrases)
			}
			seg := newSegment(0, "كبير")
			if o.Grammar != nil {
				seg.Readings = []engine.GrammarReading{{Text: "كبير", Probability: 0.75, Foreseen: true}, {Text: "كثير", Probability: 0.25}}
			}
			return &engine.Result{Text: "كبير", Duration: 1, Segments: []engine.Segment{seg}}, o.OnSegment(seg)
		}
		got := b.postForm(t, transcriptions, formFields{"file": "sound", "response_format": "verbose_json", "prompt": prompt}).Body.String()
		const readings = `"readings":[{"text":"كبير","probability":0.75,"in_grammar":true},{"text":"كثير","probability":0.25,"in_grammar":false}]`
		if strings.Contains(got, readings) != (root != "") {
			t.Errorf("%q: %s", prompt, got)
		}
	}
}

func TestGrammarThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, path := range []string{transcriptions, "/compat/v1/audio/jobs"} {
		b := newSTTFixture(t)
		r := b.postForm(t, path, formFields{"file": "sound", "prompt": "#ABNF 1.0;\nroot $size;\n$size = (صغير;", "language": "en"})
		got := r.Body.String()
		if r.Code != http.StatusUnprocessableEntity || !strings.Contains(got, `"loc":["body","prompt"]`) ||
			!strings.Contains(got, `"type":"value_error"`) || !strings.Contains(got, `"loc":["body","language"]`) {
			t.Errorf("%s: %d %s", path, r.Code, got)
		}
	}
}
