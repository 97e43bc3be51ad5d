package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"munadi/engine/audio"
)

const (
	rivalName     = "rival"
	rivalPrefix   = "+96657" // of all numbers that it books
	rivalPatience = 9 * time.Second
)

// rivalOrganization is a second tenant that misbehaves all the time, while the first one's work is verified: floods of
// requests, expensive decodes, faulty bookings, a webhook receiver that never answers, streams that stall, a revoked
// key, uploads that are cut off. It must not see the first one's calls, and its faults must be answered as faults.
type rivalOrganization struct {
	a            *soakAppliance
	w            *soakWitness
	key, revoked string
	receiver     *http.Server
	speech       []byte // WAV of ten minutes
	spoken       []byte // a sentence for the realtime API
	booked       atomic.Int64
}

// newRival creates the organization on the running appliance, with a live key, a revoked key and a webhook.
func newRival(ctx context.Context, a *soakAppliance, w *soakWitness, l *mixedLoad) (*rivalOrganization, error) {
	r := &rivalOrganization{a: a, w: w, spoken: l.spoken}
	samples, err := audio.DecodeAll(ctx, bytes.NewReader(l.recording.bytes), audio.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	r.speech = repeatAsWAV(samples, 600)
	if _, said, err := a.runCommand(ctx, "orgs", "create", rivalName); err != nil {
		return nil, fmt.Errorf("second organization: %w: %s", err, said)
	}
	if r.key, _, err = r.createKey(ctx); err != nil {
		return nil, err
	}
	var id string
	if r.revoked, id, err = r.createKey(ctx); err != nil {
		return nil, err
	}
	if _, said, err := a.runCommand(ctx, "keys", "revoke", id); err != nil {
		return nil, fmt.Errorf("revoke key: %w: %s", err, said)
	}
	return r, r.serveSlowWebhook(ctx)
}

// createKey returns the plain key and its id.
func (r *rivalOrganization) createKey(ctx context.Context) (plain, id string, err error) {
	plain, said, err := r.a.runCommand(ctx, "keys", "create", "--org", rivalName, "--name", rivalName)
	words := strings.Fields(said) // Key ID …
	if err != nil || len(words) < 2 {
		return "", "", fmt.Errorf("create key: %w: %s", err, said)
	}
	return strings.TrimSpace(plain), words[1], nil
}

// serveSlowWebhook starts a receiver that holds each request until its sender gives up, and sets it as the webhook.
func (r *rivalOrganization) serveSlowWebhook(ctx context.Context) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	hold := func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() }
	r.receiver = &http.Server{Handler: http.HandlerFunc(hold), ReadHeaderTimeout: patience}
	go func() { _ = r.receiver.Serve(l) }() // until it is closed
	return r.a.setWebhook(ctx, "http://"+l.Addr().String()+"/", "Authorization", "Bearer "+r.key)
}

func (r *rivalOrganization) closeReceiver() { _ = r.receiver.Close() }

// misbehaviour is one kind of misbehaviour, repeated by a number of clients at once.
type misbehaviour struct {
	name   string
	atOnce int
	repeat func(context.Context) error
}

func (r *rivalOrganization) listMisdeeds() []misbehaviour {
	return []misbehaviour{
		{"flood of requests", 8, r.floodRequests},
		{"faulty bookings", 2, r.bookFaulty},
		{"many calls", 2, r.bookManyCalls},
		{"expensive decodes", 3, r.decodeExpensively},
		{"long recordings", 4, r.transcribeLong},
		{"realtime sessions that read nothing", 4, r.stallRealtime},
		{"streams that read nothing", 4, r.stallAnswer},
		{"uploads cut off", 4, r.cutUpload},
		{"a revoked key", 2, r.useRevokedKey},
	}
}

// runMisbehaviours repeats the misbehaviours until ctx ends.
func runMisbehaviours(ctx context.Context, deeds []misbehaviour) *sync.WaitGroup {
	var all sync.WaitGroup
	for _, m := range deeds {
		for range m.atOnce {
			all.Go(func() {
				for ctx.Err() == nil {
					if m.repeat(ctx) != nil {
						sleepContext(ctx, pause) // refused, or the power is cut
					}
				}
			})
		}
	}
	return &all
}

// sendRequest sends a request of the second organization.
func (r *rivalOrganization) sendRequest(ctx context.Context, method, path string, body any) (httpAnswer, error) {
	return r.a.requestJSON(ctx, method, path, body, "Authorization", "Bearer "+r.key)
}

// floodRequests lists its calls without a pause. A call of the first organization in the list is a fault.
func (r *rivalOrganization) floodRequests(ctx context.Context) error {
	got, err := r.sendRequest(ctx, http.MethodGet, "/api/v1/calls?limit=200", nil)
	for _, c := range got.body.listAt("data") {
		if !strings.HasPrefix(c.textAt("phone_number"), rivalPrefix) {
			r.w.addFault("wrong", "the second organization sees call %s", c.textAt("id"))
		}
	}
	return err
}

// bookFaulty sends bookings that break a rule: each must be refused as the client's fault.
func (r *rivalOrganization) bookFaulty(ctx context.Context) error {
	number := rivalPrefix + "0000090"
	for _, body := range []any{
		"no object",
		[]int{1},
		jsonObject{},
		jsonObject{"phone_number": "12", "scenario_id": "appointment_confirmation"},
		jsonObject{"phone_number": number, "scenario_id": "none"},
		jsonObject{
			"phone_number": number, "scenario_id": "appointment_confirmation", "variables": jsonObject{"time": "99:99"},
		},
		jsonObject{
			"phone_number": number, "scenario_id": "appointment_confirmation",
			"metadata": jsonObject{"much": strings.Repeat("x", 1<<20)},
		},
	} {
		got, err := r.sendRequest(ctx, http.MethodPost, "/api/v1/calls", body)
		if err != nil {
			return err
		}
		if got.status/100 != 4 && got.status != http.StatusServiceUnavailable {
			r.w.addFault("wrong", "a faulty booking answers %d %s", got.status, got.raw)
		}
	}
	return nil
}

// bookManyCalls books calls that take all lines for as long as they can: the other side is silent.
func (r *rivalOrganization) bookManyCalls(ctx context.Context) error {
	_, err := r.sendRequest(ctx, http.MethodPost, "/api/v1/calls", jsonObject{
		"phone_number": fmt.Sprintf("%s%05d97", rivalPrefix, r.booked.Add(1)), "scenario_id": "appointment_confirmation",
	})
	sleepContext(ctx, pause)
	return err
}

// decodeExpensively asks for the debug decode with the largest parameters that are accepted.
func (r *rivalOrganization) decodeExpensively(ctx context.Context) error {
	return r.uploadFile(ctx, "/debug/decode", "beam_enabled", "true", "beam_size", "64", "beam_temperature", "10",
		"ctc_weight", "1")
}

// transcribeLong sends ten minutes of speech.
func (r *rivalOrganization) transcribeLong(ctx context.Context) error {
	return r.uploadFile(ctx, "/compat/v1/audio/transcriptions")
}

// uploadFile sends the long recording, with form fields as pairs; a refusal is an error.
func (r *rivalOrganization) uploadFile(ctx context.Context, path string, fields ...string) error {
	got, err := r.a.uploadRecording(ctx, path, r.speech, fields, "Authorization", "Bearer "+r.key)
	if err == nil && got.status != http.StatusOK {
		err = fmt.Errorf("%s answers %d", path, got.status)
	}
	return err
}

// stallRealtime starts a realtime session, sends speech and reads nothing.
func (r *rivalOrganization) stallRealtime(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, rivalPatience)
	defer cancel()
	conn, err := r.a.dialRealtime(ctx, r.key)
	if err != nil {
		return err
	}
	defer func() { _ = conn.CloseNow() }()
	for ctx.Err() == nil {
		sendSentence(ctx, conn, r.spoken)
	}
	return nil
}

// stallAnswer requests a streamed transcription and reads nothing of it.
func (r *rivalOrganization) stallAnswer(ctx context.Context) error {
	return r.sendRaw(ctx, len(r.speech), r.speech, rivalPatience)
}

// cutUpload promises a large body and closes the connection after its beginning.
func (r *rivalOrganization) cutUpload(ctx context.Context) error {
	return r.sendRaw(ctx, 50<<20, r.speech[:256<<10], pause)
}

// sendRaw sends the beginning of a streamed transcription that promises size bytes of sound, waits and hangs up.
func (r *rivalOrganization) sendRaw(ctx context.Context, size int, sound []byte, wait time.Duration) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(r.a.url, "http://"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(rivalPatience)); err != nil {
		return err
	}
	form := "--b\r\nContent-Disposition: form-data; name=\"stream\"\r\n\r\ntrue\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n"
	tail := "\r\n--b--\r\n"
	head := fmt.Sprintf("POST /compat/v1/audio/transcriptions HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n", r.key, len(form)+size+len(tail))
	for _, part := range [][]byte{[]byte(head + form), sound, []byte(tail)} {
		if _, err := conn.Write(part); err != nil {
			return err
		}
	}
	sleepContext(ctx, wait)
	return nil
}

// useRevokedKey must get 401.
func (r *rivalOrganization) useRevokedKey(ctx context.Context) error {
	got, err := r.a.requestJSON(ctx, http.MethodGet, "/api/v1/calls", nil, "Authorization", "Bearer "+r.revoked)
	if err == nil && got.status != http.StatusUnauthorized && got.status != http.StatusServiceUnavailable {
		r.w.addFault("wrong", "a revoked key gets %d", got.status)
	}
	sleepContext(ctx, pause)
	return err
}

// repeatAsWAV repeats samples until the file has this length in seconds: 16-bit mono.
func repeatAsWAV(samples []float32, seconds int) []byte {
	n := seconds * audio.Rate
	out := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	for _, v := range []uint32{audio.Rate, 2 * audio.Rate, 16<<16 | 2} {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	out = binary.LittleEndian.AppendUint32(append(out, "data"...), uint32(2*n))
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8+2*n))
	for i := range n {
		v := samples[i%len(samples)]
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(max(-1, min(v, 1))*32767)))
	}
	return out
}
