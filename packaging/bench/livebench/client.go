package main

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"munadi/engine/audio"
)

const (
	wire    = 24000                  // Hz, the protocol's default
	piece   = 20 * time.Millisecond  // of sound in a message
	silence = 500 * time.Millisecond // that ends a turn, the protocol's default
	linger  = 5 * time.Second        // for the last text
)

// liveEvent is a received event with its time in the audio.
type liveEvent struct {
	at      time.Duration
	Type    string
	ItemID  string `json:"item_id"`
	StartMS int    `json:"audio_start_ms"`
	EndMS   int    `json:"audio_end_ms"`
	Delta   string
	Text    string // of a partial
	Error   struct{ Message string }
}

// speakAndListen sends the speech in real time and returns all events.
func speakAndListen(ctx context.Context, address string, s clientSpeech) ([]liveEvent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.currentTime()+time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, //nolint:bodyclose // its documentation says that the body need not be closed
		"ws://"+address+"/compat/v1/realtime?intent=transcription",
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + apiKey}}})
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(1 << 20)
	update := `{"type":"session.update","session":{"type":"transcription",` +
		`"include":["item.input_audio_transcription.partial"]}}`
	if err := conn.Write(ctx, websocket.MessageText, []byte(update)); err != nil {
		return nil, err
	}
	began := time.Now()
	said := make(chan error, 1)
	go func() { said <- sendSound(ctx, conn, s.sound, began) }()
	return readEvents(ctx, conn, said, began)
}

// readEvents returns the events of a session until it is closed. said receives how sending the sound ended.
func readEvents(ctx context.Context, conn *websocket.Conn, said <-chan error, began time.Time) ([]liveEvent, error) {
	var events []liveEvent
	for {
		_, raw, err := conn.Read(ctx)
		at := time.Since(began)
		if err != nil {
			if spoken := <-said; spoken != nil {
				err = spoken
			} else if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
				err = nil
			}
			return events, err
		}
		e := liveEvent{at: at}
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, err
		}
		if e.Type == "error" {
			return nil, fmt.Errorf("the session said %s", e.Error.Message)
		}
		e.Type = strings.TrimPrefix(e.Type, "conversation.item.input_audio_transcription.")
		events = append(events, e)
	}
}

// sendSound sends each piece when it has been spoken, and closes a while after the last one.
func sendSound(ctx context.Context, conn *websocket.Conn, sound []float32, began time.Time) error {
	var raw []byte
	r := audio.NewResampler(rate, wire)
	for _, v := range r.Flush(r.Push(nil, sound)) {
		raw = binary.LittleEndian.AppendUint16(raw, uint16(pcmSample(v)))
	}
	size := int(piece.Seconds()*wire) * 2
	for n := 1; len(raw) > 0; n++ {
		time.Sleep(time.Until(began.Add(time.Duration(n) * piece)))
		one := raw[:min(size, len(raw))]
		raw = raw[len(one):]
		text := `{"type":"input_audio_buffer.append","audio":"` + base64.StdEncoding.EncodeToString(one) + `"}`
		if err := conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			return err
		}
	}
	time.Sleep(linger)
	return conn.Close(websocket.StatusNormalClosure, "")
}
