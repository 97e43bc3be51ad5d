package whole_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestRealtimeFormats checks each encoding, in both protocol spellings, authenticated by a header or as a browser does,
// with commits by the client.
func TestRealtimeFormats(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	a := sharedInstance(t)
	recording := demoSample(t, "confirm.flac")
	g711 := func(kind string) []byte {
		return convertWithFFmpeg(t, recording, kind, "-ac", "1", "-ar", "8000", "-f", kind)
	}
	const (
		beta    = `{"type":"transcription_session.update","session":{"turn_detection":null,"input_audio_format":%s}}`
		present = `{"type":"session.update","session":{"type":"transcription",` +
			`"audio":{"input":{"turn_detection":null,"format":%s}}}}`
	)
	for name, c := range map[string]struct {
		spelling, format string
		sound            []byte
		browser          bool
	}{
		"pcm16":        {beta, `"pcm16"`, rawPCM(t, "confirm.flac", 24000), true},
		"g711_ulaw":    {beta, `"g711_ulaw"`, g711("mulaw"), false},
		"g711_alaw":    {beta, `"g711_alaw"`, g711("alaw"), true},
		"pcm at 24000": {present, `{"type":"audio/pcm","rate":24000}`, rawPCM(t, "confirm.flac", 24000), false},
		"pcm at 16000": {present, `{"type":"audio/pcm","rate":16000}`, rawPCM(t, "confirm.flac", 16000), true},
		"pcmu":         {present, `{"type":"audio/pcmu"}`, g711("mulaw"), true},
		"pcma":         {present, `{"type":"audio/pcma"}`, g711("alaw"), false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := committedSound(t.Context(), a.URL+"/compat/v1/realtime", fmt.Sprintf(c.spelling, c.format), c.sound, c.browser)
			if err != nil || countMissingWords(confirmText, got) > 0 || countMissingWords(got, confirmText) > 0 {
				t.Errorf("heard %q, %v, want %q", got, err, confirmText)
			}
		})
	}
}

// dialRealtime opens a realtime session at a URL, and tries again as long as the answer asks for it: on a busy machine the shared
// appliance measures room for few sessions at once.
func dialRealtime(ctx context.Context, url string, as *websocket.DialOptions) (*websocket.Conn, error) {
	for deadline := time.Now().Add(patience); ; {
		conn, res, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(url, "http")+"?intent=transcription", as)
		if err == nil || res == nil || res.Header.Get("Retry-After") == "" || time.Now().After(deadline) {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Second):
		}
	}
}

// committedSound returns the transcript of audio that is sent in pieces and committed.
func committedSound(ctx context.Context, url, update string, sound []byte, browser bool) (string, error) {
	as := &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + bootstrapKey}}}
	if browser {
		as = &websocket.DialOptions{Subprotocols: []string{"realtime", "openai-insecure-api-key." + bootstrapKey}}
	}
	conn, err := dialRealtime(ctx, url, as)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.CloseNow() }()
	events := []string{update}
	for ; len(sound) > 0; sound = sound[min(1999, len(sound)):] { // an odd number, which splits samples
		piece := base64.StdEncoding.EncodeToString(sound[:min(1999, len(sound))])
		events = append(events, `{"type":"input_audio_buffer.append","audio":"`+piece+`"}`)
	}
	for _, e := range append(events, `{"type":"input_audio_buffer.commit"}`) {
		if err := conn.Write(ctx, websocket.MessageText, []byte(e)); err != nil {
			return "", err
		}
	}
	for {
		_, raw, err := conn.Read(ctx)
		if err != nil {
			return "", err
		}
		var e struct {
			Type, Transcript string
			Error            struct{ Message string }
		}
		switch err := json.Unmarshal(raw, &e); {
		case err != nil:
			return "", err
		case e.Type == "error":
			return "", fmt.Errorf("it said %s", e.Error.Message)
		case strings.HasSuffix(e.Type, "transcription.completed"):
			return e.Transcript, nil
		}
	}
}
