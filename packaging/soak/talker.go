package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"munadi/engine/audio"
)

const (
	liveRate  = 24000 // Hz, the protocol's own
	livePiece = liveRate / 10
)

// realtimePCM returns a recording as the realtime protocol takes it, with silence after it that ends the turn.
func realtimePCM(ctx context.Context, recording []byte) ([]byte, error) {
	samples, err := audio.DecodeAll(ctx, bytes.NewReader(recording), audio.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	r := audio.NewResampler(audio.Rate, liveRate)
	var out []byte
	for _, v := range r.Flush(r.Push(nil, append(samples, make([]float32, 2*audio.Rate)...))) {
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(max(-1, min(v, 1))*32767)))
	}
	return out, nil
}

// realtimeWorker sends a sentence live, repeatedly, in one session until the appliance is killed.
type realtimeWorker struct {
	a      *soakAppliance
	w      *soakWitness
	spoken []byte
}

func (s *realtimeWorker) runTurn(ctx context.Context) error {
	conn, err := s.a.dialRealtime(ctx, key)
	if err != nil {
		return err
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(1 << 20)
	for ctx.Err() == nil {
		speaking, enough := context.WithCancel(ctx)
		go sendSentence(speaking, conn, s.spoken)
		err := s.awaitText(ctx, conn)
		enough()
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// dialRealtime opens a realtime session with a key.
func (a *soakAppliance) dialRealtime(ctx context.Context, key string) (*websocket.Conn, error) {
	url := "ws" + strings.TrimPrefix(a.url, "http") + "/compat/v1/realtime?intent=transcription"
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{ //nolint:bodyclose // as its documentation says
		HTTPHeader: http.Header{"Authorization": {"Bearer " + key}},
	})
	return conn, err
}

// sendSentence sends the sentence twice as fast as it was spoken.
func sendSentence(ctx context.Context, conn *websocket.Conn, spoken []byte) {
	for rest := spoken; len(rest) > 0 && ctx.Err() == nil; sleepContext(ctx, 50*time.Millisecond) {
		piece := rest[:min(len(rest), 2*livePiece)]
		rest = rest[len(piece):]
		text, err := json.Marshal(jsonObject{
			"type": "input_audio_buffer.append", "audio": base64.StdEncoding.EncodeToString(piece),
		})
		if err != nil || conn.Write(ctx, websocket.MessageText, text) != nil {
			return // the reader sees it too
		}
	}
}

// awaitText waits for the sentence's text.
func (s *realtimeWorker) awaitText(ctx context.Context, conn *websocket.Conn) error {
	for {
		_, text, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		var e jsonObject
		if err := json.Unmarshal(text, &e); err != nil {
			s.w.addFault("wrong", "a live event is no JSON: %s", text)
			return errors.New("no JSON")
		}
		switch kind := e.textAt("type"); {
		case kind == "error":
			s.w.addFault("wrong", "a live session says %s", text)
		case strings.HasSuffix(kind, "transcription.completed"):
			s.w.updateRecords(func() { s.w.talked++ })
			return nil
		}
	}
}
