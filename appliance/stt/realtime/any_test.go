package realtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"
	"pgregory.net/rapid"

	"munadi/appliance/stt/realtime"
	"munadi/engine"
)

const withLogprobs = `{"type":"session.update","session":{"include":["item.input_audio_transcription.logprobs"]}}`

// spokenTexts are texts with their words.
func spokenTexts(kind engine.StreamEventType, text string) engine.StreamEvent {
	e := engine.StreamEvent{Type: kind, Start: 1, End: 2, At: 2.5, Text: text}
	for _, w := range strings.Fields(text) {
		e.Words = append(e.Words, engine.Word{Text: w, Confidence: 0.5})
	}
	return e
}

// TestForgottenTurn: words of a turn that was cleared, or in which turn detection was switched off, are not part of
// the next item, even if they were sent as deltas.
func TestForgottenTurn(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(c *testClient){
		"clear": func(c *testClient) {
			c.sendEvent(`{"type":"input_audio_buffer.clear"}`)
			c.wantEvent("input_audio_buffer.cleared")
		},
		"off and on": func(c *testClient) {
			c.sendEvent(manual)
			c.wantEvent("session.updated")
			c.sendEvent(`{"type":"input_audio_buffer.commit"}`)
			c.wantError("input_audio_buffer_commit_empty", nil) // what was heard is not in the buffer
			c.sendEvent(`{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"server_vad"}}}}}`)
			c.wantEvent("session.updated")
		},
	} {
		b := newRealtimeFixture(t)
		long, short := spokenTexts(engine.Partial, "one two three"), spokenTexts(engine.Partial, "one")
		began := spokenTexts(engine.SpeechStarted, "")
		b.script.batches = [][]engine.StreamEvent{{began, long, long}, {began, short, short}}
		c := b.dialSession(false)
		c.wantEvent("session.created")
		c.sendEvent(withLogprobs)
		c.wantEvent("session.updated")
		for i, want := range []int{3, 1} {
			c.sendEvent(soundDecoder(4800))
			c.wantEvent("input_audio_buffer.speech_started")
			e := c.wantEvent("conversation.item.input_audio_transcription.delta")
			if said, _ := e["logprobs"].([]any); len(said) != want || len(strings.Fields(e["delta"].(string))) != want {
				t.Errorf("%s: delta %d is %v, want %d words with their probabilities", name, i, e, want)
			}
			if i == 0 {
				forget(c)
			}
		}
	}
}

// randomHearing is a stream that makes something up with each push, in the order that a stream has.
type randomHearing struct {
	dice *rand.Rand
	open bool
	text string
}

func (b *randomHearing) Push(context.Context, []float32) (events []engine.StreamEvent, _ error) {
	if !b.open {
		b.open, b.text = true, ""
		events = append(events, spokenTexts(engine.SpeechStarted, ""))
	}
	for range b.dice.IntN(4) {
		events = append(events, spokenTexts(engine.Partial, b.moreText()))
	}
	if b.dice.IntN(4) == 0 {
		events = append(events, b.endText())
	}
	return events, nil
}

// moreText is the text so far: with another word, or with its last one taken back.
func (b *randomHearing) moreText() string {
	words := strings.Fields(b.text)
	if len(words) > 0 && b.dice.IntN(4) == 0 {
		words = words[:len(words)-1]
	} else {
		words = append(words, fmt.Sprint("w", b.dice.IntN(3)))
	}
	b.text = strings.Join(words, " ")
	return b.text
}

func (b *randomHearing) endText() engine.StreamEvent {
	b.open = false
	return spokenTexts(engine.Final, b.moreText())
}

func (b *randomHearing) Flush(context.Context) ([]engine.StreamEvent, error) {
	if !b.open {
		return nil, nil
	}
	return []engine.StreamEvent{b.endText()}, nil
}
func (b *randomHearing) Tune(engine.StreamOptions) error { return nil }
func (b *randomHearing) Discard()                        { b.open = false }

// TestAnyOrderOfEvents: for any order of events the session continues, and every started item is completed.
func TestAnyOrderOfEvents(t *testing.T) {
	t.Parallel()
	var seed atomic.Uint64
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.OpenStream = func(engine.StreamOptions) (realtime.RecognitionStream, error) {
			return &randomHearing{dice: rand.New(rand.NewPCG(seed.Load(), 1))}, nil //nolint:gosec // words
		}
	})
	wishes := []string{
		soundDecoder(2400), soundDecoder(2400), soundDecoder(2400), soundDecoder(2400), soundDecoder(2400), soundDecoder(100), withLogprobs, withLogprobs,
		`{"type":"input_audio_buffer.clear"}`, `{"type":"session.update","session":{}}`, `{"type":"session.update","session":{}}`,
		soundDecoder(30000), manual, withLogprobs, `{"type":"input_audio_buffer.commit"}`,
		`{"type":"input_audio_buffer.clear"}`, `{"type":"input_audio_buffer.append","audio":"AAA"}`, `{"type":"x"}`, `[]`,
		`{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"semantic_vad","eagerness":"high"}}}}}`,
		`{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"server_vad","prefix_padding_ms":9000}}}}}`,
		`{"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/pcmu"}}},"include":null}}`,
		`{"type":"session.update","session":{"audio":{"input":{"noise_reduction":{"type":"near_field"},"transcription":null}}}}`,
		`{"type":"transcription_session.update","session":{"input_audio_format":"g711_alaw","include":["item.input_audio_transcription.partial"]}}`,
		`{"type":"transcription_session.update","session":{"turn_detection":null}}`,
	}
	rapid.Check(t, func(r *rapid.T) {
		seed.Store(rapid.Uint64().Draw(r, "seed"))
		c := b.dialSession(rapid.Bool().Draw(r, "beta"))
		defer func() { _ = c.conn.CloseNow() }()
		for _, wish := range rapid.SliceOfN(rapid.SampledFrom(wishes), 1, 25).Draw(r, "wishes") {
			c.sendEvent(wish)
		}
		c.sendEvent(`{"type":"the last","event_id":"last"}`)
		committed, completed := 0, 0
		for {
			_, raw, err := c.conn.Read(t.Context())
			if err != nil {
				r.Fatalf("the session ended: %v, %v", err, websocket.CloseStatus(err))
			}
			var e struct {
				Type  string
				Error struct {
					Type string
					ID   string `json:"event_id"`
				}
			}
			if err := json.Unmarshal(raw, &e); err != nil {
				r.Fatal(err)
			}
			switch {
			case e.Type == "error" && e.Error.Type != "invalid_request_error":
				r.Fatalf("%s", raw)
			case strings.HasSuffix(e.Type, "buffer.committed"):
				committed++
			case strings.HasSuffix(e.Type, "transcription.completed"):
				completed++
			}
			if e.Error.ID == "last" {
				break
			}
		}
		if committed != completed {
			r.Fatalf("%d items were committed and %d completed", committed, completed)
		}
	})
}
