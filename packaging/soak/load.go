package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// loadWorker runs one kind of operation repeatedly. An operation with an unknown result, because of a kill, is
// resumed in its next turn.
type loadWorker interface {
	// runTurn runs one operation; an error means that the appliance does not respond.
	runTurn(ctx context.Context) error
}

// mixedLoad is the mixed work.
type mixedLoad struct {
	workers   []loadWorker
	recording soakRecording // a short one
	spoken    []byte        // the same for the realtime API
}

// soakRecording is a recording to send, and the expected words.
type soakRecording struct {
	bytes []byte
	words string
}

func newLoad(ctx context.Context, a *soakAppliance, w *soakWitness, samples string) (*mixedLoad, error) {
	var recordings []soakRecording
	for _, r := range [][2]string{{"confirm.flac", "نعم أؤكد الموعد"}, {"time.flac", "الساعة الخامسة مساء"}} {
		b, err := os.ReadFile(filepath.Join(samples, r[0]))
		if err != nil {
			return nil, err
		}
		recordings = append(recordings, soakRecording{b, r[1]})
	}
	spoken, err := realtimePCM(ctx, recordings[0].bytes)
	if err != nil {
		return nil, err
	}
	l := &mixedLoad{recording: recordings[0], spoken: spoken, workers: []loadWorker{
		&uploadWorker{a, w, recordings[0]}, &uploadWorker{a, w, recordings[1]}, &jobWorker{a, w, recordings[0]},
		&realtimeWorker{a, w, spoken}, &keyWorker{a: a, w: w}, &suppressionWorker{a: a, w: w},
	}}
	for n := range 3 {
		l.workers = append(l.workers, &callBooker{a: a, w: w, name: fmt.Sprintf("%d", n+1)})
	}
	return l, nil
}

// startWorkers starts all workers until ctx ends, or the appliance does not respond any more.
func (l *mixedLoad) startWorkers(ctx context.Context) *sync.WaitGroup {
	var all sync.WaitGroup
	for _, w := range l.workers {
		all.Go(func() {
			for ctx.Err() == nil && w.runTurn(ctx) == nil {
			}
		})
	}
	return &all
}

// uploadWorker sends a recording and waits for its text.
type uploadWorker struct {
	a apiClient
	w *soakWitness
	soakRecording
}

func (h *uploadWorker) runTurn(ctx context.Context) error {
	got, err := h.a.uploadRecording(ctx, "/compat/v1/audio/transcriptions", h.bytes, nil)
	if err != nil {
		return err
	}
	switch text := got.body.textAt("text"); {
	case got.status == 503 || got.status == 429: // it starts
	case got.status != 200 || text != h.words:
		h.w.addFault("wrong", "a transcription answers %d %q", got.status, text)
	default:
		h.w.updateRecords(func() { h.w.transcribed++ })
	}
	return nil
}

// jobWorker submits recordings as transcription jobs.
type jobWorker struct {
	a apiClient
	w *soakWitness
	soakRecording
}

func (j *jobWorker) runTurn(ctx context.Context) error {
	got, err := j.a.uploadRecording(ctx, "/compat/v1/audio/jobs", j.bytes, nil)
	if err != nil {
		return err
	}
	if got.status == 202 {
		j.w.updateRecords(func() { j.w.jobs[got.body.textAt("id")] = j.words })
	} else if got.status != 503 && got.status != 429 {
		j.w.addFault("wrong", "a job answers %d %s", got.status, got.raw)
	}
	sleepContext(ctx, pause)
	return nil
}

// keyWorker creates keys on the command line, and revokes every other one.
type keyWorker struct {
	a *soakAppliance
	w *soakWitness
	n int
}

func (c *keyWorker) runTurn(ctx context.Context) error {
	c.n++
	name, made := fmt.Sprintf("soak-%d", c.n), &issuedKey{}
	c.w.updateRecords(func() { c.w.keys[name] = made })
	printed, explained, err := c.a.runCommand(ctx, "keys", "create", "--name", name)
	if err != nil {
		return err
	}
	c.w.updateRecords(func() { made.plain = strings.TrimSpace(printed) })
	if words := strings.Fields(explained); c.n%2 == 0 && len(words) > 1 { // Key ID …
		c.w.updateRecords(func() { made.revoking = true })
		if _, _, err := c.a.runCommand(ctx, "keys", "revoke", words[1]); err != nil {
			return err
		}
		c.w.updateRecords(func() { made.revoked = true })
	}
	sleepContext(ctx, pause)
	return nil
}

// suppressionWorker suppresses numbers.
type suppressionWorker struct {
	a apiClient
	w *soakWitness
	n int
}

func (s *suppressionWorker) runTurn(ctx context.Context) error {
	s.n++
	number := fmt.Sprintf("+96659%07d", s.n)
	s.w.updateRecords(func() { s.w.suppressed[number] = false })
	got, err := s.a.requestJSON(ctx, "POST", "/api/v1/suppressions", jsonObject{"phone_number": number, "reason": "soak"})
	if err != nil {
		return err
	}
	if got.status/100 != 2 {
		s.w.addFault("wrong", "a suppression answers %d %s", got.status, got.raw)
	} else {
		s.w.updateRecords(func() { s.w.suppressed[number] = true })
	}
	sleepContext(ctx, pause)
	return nil
}
