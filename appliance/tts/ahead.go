package tts

import (
	"context"
	"sync"

	"munadi/engine/arabic"
)

// SpeechChecker checks whether texts can be spoken.
type SpeechChecker interface {
	// StartCheck looks up the voice and the recordings of a request once and returns a function that checks texts by
	// them: it returns why a text cannot be spoken, as [TextSpeaker.Speak] does. What a neural voice will speak is checked
	// by its phonemes, and synthesized afterwards in the background. A check is for the lines of one booking or scenario:
	// what is recorded, installed or selected meanwhile counts for the next one.
	StartCheck(r SpeechRequest) func(ctx context.Context, text string) error
}

// StartCheck implements [SpeechChecker].
func (c *VoiceChain) StartCheck(r SpeechRequest) func(context.Context, string) error {
	found := c.lookUp(r)
	return func(ctx context.Context, text string) error {
		plain, asked := r, found
		plain.Text, asked.Text = text, text
		return c.checkSpeech(ctx, plain, asked)
	}
}

// checkSpeech checks the text of a request; asked is the same request looked up.
func (c *VoiceChain) checkSpeech(ctx context.Context, r, asked SpeechRequest) error {
	if asked.neural == "" || asked.Source != Neural && c.FindVoice(ctx, asked) != Neural {
		_, err := c.Speak(ctx, asked)
		return err
	}
	if arabic.FoldSpelling(r.Text) == "" || len(r.Text) > longestText {
		return ErrNoVoice
	}
	if err := c.neural.checkText(ctx, asked); err != nil {
		if asked.Source == Neural {
			return err
		}
		_, err := c.Speak(ctx, asked) // another voice of the chain may
		return err
	}
	c.ahead.addRequest(r, func(r SpeechRequest) { //nolint:contextcheck // it is synthesized after the check has ended
		_, _ = c.Speak(context.Background(), r)
	})
	return nil
}

// StartCheck implements [SpeechChecker].
func (v *SwappableChain) StartCheck(r SpeechRequest) func(context.Context, string) error {
	return v.current.Load().StartCheck(r)
}

// maxAhead is how many texts wait to be synthesized before they are needed; others are when they are spoken.
const maxAhead = 500

// renderQueue synthesizes texts in the background, one at a time.
type renderQueue struct {
	mu      sync.Mutex
	waiting []SpeechRequest
	running bool
}

// addRequest queues a text, unless it waits already.
func (q *renderQueue) addRequest(r SpeechRequest, speak func(SpeechRequest)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, w := range q.waiting {
		if w == r {
			return
		}
	}
	if len(q.waiting) == maxAhead {
		return
	}
	q.waiting = append(q.waiting, r)
	if !q.running {
		q.running = true
		go q.speakWaiting(speak)
	}
}

// speakWaiting works until no text waits.
func (q *renderQueue) speakWaiting(speak func(SpeechRequest)) {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.running = false
			q.mu.Unlock()
			return
		}
		r := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		speak(r)
	}
}
