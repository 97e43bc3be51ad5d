package whole_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// textLags are the delays of a client's text behind its audio.
type textLags struct {
	partial []time.Duration // from a word's end to its first delta
	final   []time.Duration // from the end of a turn's silence to its text
	text    string
}

// speakRecording sends a recording in real time and measures the delays. words are those of the recording.
func speakRecording(ctx context.Context, url string, sound []byte, words []timedWord) (textLags, error) {
	conn, err := dialRealtime(ctx, url+"/compat/v1/realtime",
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + bootstrapKey}}})
	if err != nil {
		return textLags{}, err
	}
	defer func() { _ = conn.CloseNow() }()
	began := make(chan time.Time, 1)
	sent := make(chan error, 1)
	go func() { sent <- speakAndCommit(ctx, conn, sound, began) }()
	got, err := receiveEvents(ctx, conn, <-began, words)
	if err == nil {
		err = <-sent
	}
	return got, err
}

// speakAndCommit sends the audio in real time, then commits.
func speakAndCommit(ctx context.Context, conn *websocket.Conn, sound []byte, began chan<- time.Time) error {
	const piece = 24000 * 2 / 50 // 20 ms
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	began <- time.Now()
	for start, i := time.Now(), 0; i < len(sound); <-tick.C {
		for until := int(time.Since(start)/(20*time.Millisecond)) * piece; i < until && i < len(sound); i += piece {
			text := `{"type":"input_audio_buffer.append","audio":"` +
				base64.StdEncoding.EncodeToString(sound[i:min(i+piece, len(sound))]) + `"}`
			if err := conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
				return err
			}
		}
	}
	return conn.Write(ctx, websocket.MessageText, []byte(`{"type":"input_audio_buffer.commit"}`))
}

// receiveEvents reads events until the commit's item is transcribed, or refused because nothing was left to commit.
func receiveEvents(ctx context.Context, conn *websocket.Conn, began time.Time, words []timedWord) (got textLags, err error) {
	conn.SetReadLimit(1 << 20)
	var texts []string
	var turn time.Duration
	stopped := false
	for at := 0; ; {
		var e struct {
			Type, Delta, Transcript string
			AudioEndMS              int `json:"audio_end_ms"`
			Error                   struct{ Code, Message string }
		}
		_, raw, err := conn.Read(ctx)
		if err != nil {
			return got, err
		}
		now := time.Since(began)
		if err := json.Unmarshal(raw, &e); err != nil {
			return got, err
		}
		switch {
		case strings.HasSuffix(e.Type, "transcription.delta"):
			for _, w := range strings.Fields(e.Delta) {
				for i := at; i < len(words) && i < at+4; i++ { // a word may be recognized as another
					if words[i].text == w {
						got.partial, at = append(got.partial, now-words[i].end), i+1
						break
					}
				}
			}
		case e.Type == "input_audio_buffer.speech_stopped":
			turn, stopped = time.Duration(e.AudioEndMS)*time.Millisecond, true
		case strings.HasSuffix(e.Type, "transcription.completed"):
			texts = append(texts, e.Transcript)
			got.text = strings.Join(strings.Fields(strings.Join(texts, " ")), " ")
			if !stopped {
				return got, nil
			}
			got.final, stopped = append(got.final, now-turn), false
		case e.Type == "error" && e.Error.Code == "input_audio_buffer_commit_empty":
			return got, nil
		case e.Type == "error":
			return got, fmt.Errorf("%s: %s", e.Error.Code, e.Error.Message)
		}
	}
}

// timedWord is a word of the recording with the time of its end.
type timedWord struct {
	text string
	end  time.Duration
}

func percentile95(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)*95+99)/100-1].Round(time.Millisecond)
}

// TestRealtimePace lets one client, then eight at once, send audio in real time; each gets its text, partial text too.
// The delays, which depend on the machine, are logged (-v).
func TestRealtimePace(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	a := sharedInstance(t)
	body := a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac")), withField("response_format", "verbose_json")).wantStatus(t, 200)
	var whole struct {
		Text  string
		Words []struct {
			Word string
			End  float64
		}
	}
	body.decodeJSON(t, &whole)
	var words []timedWord
	for _, w := range whole.Words {
		words = append(words, timedWord{w.Word, time.Duration(w.End * float64(time.Second))})
	}
	sound := append(rawPCM(t, "order.flac", 24000), make([]byte, 24000*2*3/2)...)
	for _, clients := range []int{1, 8} {
		var mu sync.Mutex
		var all textLags
		var busy sync.WaitGroup
		for range clients {
			busy.Go(func() {
				got, err := speakRecording(t.Context(), a.URL, sound, words)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				if n := countMissingWords(whole.Text, got.text); n > len(words)/4 {
					t.Errorf("%d clients: %d words are missing of %q: %q", clients, n, whole.Text, got.text)
				}
				if len(got.partial) < len(words)/2 {
					t.Errorf("only %d of %d words came as deltas", len(got.partial), len(words))
				}
				all.partial, all.final = append(all.partial, got.partial...), append(all.final, got.final...)
			})
		}
		busy.Wait()
		t.Logf("%d clients: p95 of %d words %v behind the word; p95 of %d turns %v behind the end of the silence",
			clients, len(all.partial), percentile95(all.partial), len(all.final), percentile95(all.final))
	}
}
