package realtime

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAgreement(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, final string
		texts       []string
		given       []string
	}{
		{"grows", "a b c d", []string{"a", "a b", "a b c"}, []string{"", "a", " b", " c d"}},
		{"changes its mind", "a x c", []string{"a b", "a x", "a x c"}, []string{"", "a", " x", " c"}},
		{"what is out stays", "z b c", []string{"a", "a", "z b"}, []string{"", "a", "", " b c"}},
		{"goes on behind another word", "z b c", []string{"a", "a", "z b", "z b"}, []string{"", "a", "", " b", " c"}},
		{"a word was missed before", "x a b", []string{"a", "a", "x a b"}, []string{"", "a", "", " b"}},
		{"shorter at last", "a", []string{"a b", "a b"}, []string{"", "a b", ""}},
		{"never agreed", "a b", nil, []string{"a b"}},
	} {
		var a stablePrefix
		var got []string
		for _, text := range c.texts {
			got = append(got, a.pushText(text, false))
		}
		got = append(got, a.pushFinal(c.final))
		if strings.Join(got, "|") != strings.Join(c.given, "|") {
			t.Errorf("%s: %q, want %q", c.name, got, c.given)
		}
	}
}

// A streaming model's words are given out when the next one begins.
func TestTextThatGrowsNeedsNoAgreement(t *testing.T) {
	t.Parallel()
	var a stablePrefix
	got := []string{a.pushText("", true)}
	for _, text := range []string{"a", "a b", "a bc", "a bc d e"} {
		got = append(got, a.pushText(text, true))
	}
	got = append(got, a.pushFinal("a bc d ef"))
	if want := "||a|| bc d| ef"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %s", got, want)
	}
}

// FuzzClientEvent: any message of a client is an event or an error, and accepted settings can be rendered.
func FuzzClientEvent(f *testing.F) {
	for _, seed := range []string{
		`{"type":"session.update","session":{"type":"transcription","audio":{"input":{"format":{"type":"audio/pcm","rate":16000},"transcription":{"prompt":"a"},"noise_reduction":{"type":"near_field"},"turn_detection":{"type":"semantic_vad","eagerness":"low"}}},"include":["item.input_audio_transcription.logprobs"]}}`,
		`{"type":"transcription_session.update","session":{"input_audio_format":"g711_alaw","input_audio_sample_rate":16000,"turn_detection":null}}`,
		`{"type":"transcription_session.update","session":{"input_audio_format":{"type":"audio/pcm","rate":16000},"input_audio_noise_reduction":{"strength":0.5},"include":null}}`,
		`{"type":"session.update","session":{"audio":{"input":{"transcription":{"languages":["ar"],"keywords":["برجر"]},"turn_detection":{"threshold":0,"silence_duration_ms":0,"prefix_padding_ms":10000}}}}}`,
		`{"type":"session.update","session":{"audio":{"input":{"transcription":{"latency_ms":160}}}}}`,
		`{"type":"input_audio_buffer.append","audio":"AA=="}`, `{"type":"input_audio_buffer.commit","event_id":null}`,
		`{"type":"input_audio_buffer.append","audio":"AAAA"}`, `{"type":1}`, `null`, `[`, `{"session":{"audio":null}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, bad := parseEvent(raw)
		if bad != nil {
			if bad.Code == "" || bad.Message == "" {
				t.Errorf("a fault without words: %+v", bad)
			}
			return
		}
		for _, update := range []func(json.RawMessage) (sessionSettings, *protocolError){
			defaultSettings().updateBeta, defaultSettings().updateCurrent,
		} {
			next, bad := update(e.Session)
			if bad != nil {
				continue
			}
			for _, beta := range []bool{true, false} {
				if _, err := json.Marshal(next.sessionBody("id", beta)); err != nil {
					t.Error(err)
				}
			}
			if o := next.streamOptions(0); next.turns != nil && (o.EndSilence <= 0 || o.Threshold <= 0 || o.Threshold > 1) {
				t.Errorf("options %+v of %s", o, raw)
			}
			if len(newSound(next.encoding).appendSamples(nil, raw)) > len(raw)*3 {
				t.Error("sound out of nothing")
			}
		}
	})
}
