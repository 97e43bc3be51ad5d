package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// worker does one thing after another. What it began and does not know the end of, because the power went, it begins
// its next turn with.
type worker interface {
	// turn does one; an error is that nobody answers.
	turn(ctx context.Context) error
}

// load is the mixed work.
type load struct{ workers []worker }

// recording is one that is sent, and the words that must be heard.
type recording struct {
	bytes []byte
	words string
}

func newLoad(ctx context.Context, a *appliance, w *witness, samples string) (*load, error) {
	var recordings []recording
	for name, words := range map[string]string{
		"confirm.flac": "نعم أؤكد الموعد", "time.flac": "الساعة الخامسة مساء",
	} {
		b, err := os.ReadFile(filepath.Join(samples, name))
		if err != nil {
			return nil, err
		}
		recordings = append(recordings, recording{b, words})
	}
	spoken, err := pcm(ctx, recordings[0].bytes)
	if err != nil {
		return nil, err
	}
	l := &load{workers: []worker{
		&hearer{a, w, recordings[0]}, &hearer{a, w, recordings[1]}, &jobber{a, w, recordings[0]},
		&talker{a, w, spoken}, &clerk{a: a, w: w}, &suppressor{a: a, w: w},
	}}
	for n := range 3 {
		l.workers = append(l.workers, &booker{a: a, w: w, name: fmt.Sprintf("%d", n+1)})
	}
	return l, nil
}

// begin has everybody work until ctx ends, or nobody answers any more.
func (l *load) begin(ctx context.Context) *sync.WaitGroup {
	var all sync.WaitGroup
	for _, w := range l.workers {
		all.Go(func() {
			for ctx.Err() == nil && w.turn(ctx) == nil {
			}
		})
	}
	return &all
}

// hearer sends a recording and waits for its text.
type hearer struct {
	a *appliance
	w *witness
	recording
}

func (h *hearer) turn(ctx context.Context) error {
	got, err := h.a.upload(ctx, "/compat/v1/audio/transcriptions", h.bytes)
	if err != nil {
		return err
	}
	switch text := got.body.text("text"); {
	case got.status == 503 || got.status == 429: // it starts
	case got.status != 200 || text != h.words:
		h.w.fault("wrong", "a transcription answers %d %q", got.status, text)
	default:
		h.w.note(func() { h.w.transcribed++ })
	}
	return nil
}

// jobber leaves recordings to be heard later.
type jobber struct {
	a *appliance
	w *witness
	recording
}

func (j *jobber) turn(ctx context.Context) error {
	got, err := j.a.upload(ctx, "/compat/v1/audio/jobs", j.bytes)
	if err != nil {
		return err
	}
	if got.status == 202 {
		j.w.note(func() { j.w.jobs[got.body.text("id")] = j.words })
	} else if got.status != 503 && got.status != 429 {
		j.w.fault("wrong", "a job answers %d %s", got.status, got.raw)
	}
	sleep(ctx, pause)
	return nil
}

// clerk makes keys at the command line, and ends every other one.
type clerk struct {
	a *appliance
	w *witness
	n int
}

func (c *clerk) turn(ctx context.Context) error {
	c.n++
	name, made := fmt.Sprintf("soak-%d", c.n), &issued{}
	c.w.note(func() { c.w.keys[name] = made })
	printed, explained, err := c.a.munadi(ctx, "keys", "create", "--name", name)
	if err != nil {
		return err
	}
	c.w.note(func() { made.plain = strings.TrimSpace(printed) })
	if words := strings.Fields(explained); c.n%2 == 0 && len(words) > 1 { // Key ID …
		c.w.note(func() { made.revoking = true })
		if _, _, err := c.a.munadi(ctx, "keys", "revoke", words[1]); err != nil {
			return err
		}
		c.w.note(func() { made.revoked = true })
	}
	sleep(ctx, pause)
	return nil
}

// suppressor puts numbers on the list of those that must not be called.
type suppressor struct {
	a *appliance
	w *witness
	n int
}

func (s *suppressor) turn(ctx context.Context) error {
	s.n++
	number := fmt.Sprintf("+96659%07d", s.n)
	s.w.note(func() { s.w.suppressed[number] = false })
	got, err := s.a.ask(ctx, "POST", "/api/v1/suppressions", object{"phone_number": number, "reason": "soak"})
	if err != nil {
		return err
	}
	if got.status/100 != 2 {
		s.w.fault("wrong", "a suppression answers %d %s", got.status, got.raw)
	} else {
		s.w.note(func() { s.w.suppressed[number] = true })
	}
	sleep(ctx, pause)
	return nil
}
