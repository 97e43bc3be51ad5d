package tts

import (
	"context"
	"sync"

	"munadi/engine/arabic"
)

// SpeechChecker checks whether texts can be spoken.
type SpeechChecker interface {
	// CheckSpeech returns why a text cannot be spoken, as [TextSpeaker.Speak] does. What a neural voice will speak is
	// checked by its phonemes, and synthesized afterwards in the background.
	CheckSpeech(ctx context.Context, r SpeechRequest) error
}

// CheckSpeech implements [SpeechChecker].
func (c *VoiceChain) CheckSpeech(ctx context.Context, r SpeechRequest) error {
	asked := c.neural.resolve(r.withNamedSource())
	if asked.neural == "" || asked.Source != Neural && c.FindVoice(ctx, r) != Neural {
		_, err := c.Speak(ctx, r)
		return err
	}
	if arabic.FoldSpelling(r.Text) == "" || len(r.Text) > longestText {
		return ErrNoVoice
	}
	if err := c.neural.checkText(ctx, asked); err != nil {
		if asked.Source == Neural {
			return err
		}
		_, err := c.Speak(ctx, r) // another voice of the chain may
		return err
	}
	c.ahead.addRequest(r, func(r SpeechRequest) { //nolint:contextcheck // it is synthesized after the check has ended
		_, _ = c.Speak(context.Background(), r)
	})
	return nil
}

// CheckSpeech implements [SpeechChecker].
func (v *SwappableChain) CheckSpeech(ctx context.Context, r SpeechRequest) error {
	return v.current.Load().CheckSpeech(ctx, r)
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
