package speech_test

import (
	"net/http"
	"testing"
)

// FuzzSpeechBody: whatever the body is, it is spoken or refused, and no piece is too long for a voice.
func FuzzSpeechBody(f *testing.F) {
	for _, body := range []string{
		`{"model":"tts-1","input":"أهلا. وسهلا، بكم","voice":"alloy","response_format":"pcm","speed":4}`,
		`{"model":"tts-1","input":"\u0000","voice":{"id":"nice"}}`, `[]`, `{"input":{}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s := &clockSpeaker{}
		if w := askSpeech(t.Context(), newServer(s), "org1", string(body)); w.Code != http.StatusOK && w.Code != 422 && w.Code != 413 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		for _, r := range s.asked {
			if len([]rune(r.Text)) > 400 {
				t.Errorf("a piece of %d characters", len([]rune(r.Text)))
			}
		}
	})
}
