package live

import (
	"context"
	"math"

	"munadi/appliance/ssehub"
	"munadi/engine"
	"munadi/store/call"
	"munadi/store/live"
)

const (
	sampleRate       = 16000
	levelSamples     = sampleRate / 10
	maxRecordedHours = 12 // limit of recorded audio; later audio is only transcribed
)

// sessionRecorder records one session and publishes its events. It belongs to one goroutine.
type sessionRecorder struct {
	service *LiveService
	session live.LiveSession
	topic   ssehub.EventTopic
	file    *soundFile
	sum     *call.RecordingSum // of the closed file; nil: not closed, or not known
	ctx     context.Context    //nolint:containedctx // a session outlives the request that started it

	squareSum    float64 // sum of squares since the last level event
	levelCount   int
	totalSamples int // samples
}

// newRecorder starts to record a session.
func (s *LiveService) newRecorder(ctx context.Context, session live.LiveSession) (*sessionRecorder, error) {
	ctx = context.WithoutCancel(ctx)
	if err := s.Store.BeginLive(ctx, session); err != nil {
		return nil, err
	}
	r := &sessionRecorder{service: s, session: session, topic: sessionTopic(session.OrgID, session.ID), ctx: ctx}
	var err error
	if r.file, err = s.createSound(session.OrgID, session.ID); err != nil {
		s.Log.Error("a live session is not recorded", "session", session.ID, "err", err)
	}
	r.publishState("listening", "")
	return r, nil
}

// sessionTopic returns the SSE topic of a session.
func sessionTopic(orgID, id string) ssehub.EventTopic {
	return ssehub.EventTopic{OrgID: orgID, Name: "live/" + id}
}

func (r *sessionRecorder) publishState(state, reason string) {
	if r != nil {
		r.service.Hub.PublishEvent(r.topic, "state", map[string]string{"state": state, "reason": reason})
	}
}

// AddSound records audio; it must be called before the audio's events are added.
func (r *sessionRecorder) AddSound(samples []float32) {
	r.totalSamples += len(samples)
	if r.file != nil && r.totalSamples < maxRecordedHours*3600*sampleRate {
		if err := r.file.writeSamples(samples); err != nil {
			r.service.Log.Error("the recording of a live session was stopped", "session", r.session.ID, "err", err)
			r.sum = r.file.closeFile()
			r.file = nil
		}
	}
	for _, v := range samples {
		r.squareSum += float64(v) * float64(v)
	}
	if r.levelCount += len(samples); r.levelCount >= levelSamples {
		level := meterLevel(r.squareSum / float64(r.levelCount))
		r.service.Hub.PublishTransient(r.topic, "level", map[string]float64{"level": level})
		r.squareSum, r.levelCount = 0, 0
	}
}

// meterLevel converts a mean square to a meter's level: 0 at −55 dBFS, 1 at −10 dBFS.
func meterLevel(square float64) float64 {
	decibels := 10 * math.Log10(square+1e-9)
	return math.Round(min(1, max(0, (decibels+55)/45))*100) / 100
}

func (r *sessionRecorder) addEvents(events []engine.StreamEvent) {
	for _, e := range events {
		r.AddEvent(e)
	}
}

// AddEvent publishes an event, and stores it if it is a final segment.
func (r *sessionRecorder) AddEvent(e engine.StreamEvent) {
	switch e.Type {
	case engine.SpeechStarted:
		r.service.Hub.PublishTransient(r.topic, "speech", map[string]float64{"start": e.Start})
	case engine.Partial:
		r.service.Hub.PublishTransient(r.topic, "partial", map[string]any{"start": e.Start, "end": e.End, "text": e.Text})
	case engine.Final:
		r.addFinal(e)
	}
}

func (r *sessionRecorder) addFinal(e engine.StreamEvent) {
	if e.Text == "" {
		r.service.Hub.PublishTransient(r.topic, "partial", map[string]any{"start": e.Start, "end": e.End, "text": ""})
		return
	}
	g := live.LiveSegment{Start: e.Start, End: e.End, Text: e.Text, Confidence: math.Round(e.Confidence*1e4) / 1e4}
	for _, w := range e.Words {
		g.Words = append(g.Words, live.SegmentWord{
			Text: w.Text, Start: w.Start, End: w.End, Confidence: math.Round(w.Confidence*1e4) / 1e4,
		})
	}
	if err := r.service.Store.AddLiveSegment(r.ctx, r.session.OrgID, r.session.ID, g); err != nil {
		r.service.Log.Error("a live transcript could not be stored", "session", r.session.ID, "err", err)
	}
	r.service.Hub.PublishEvent(r.topic, "segment", g)
}

// EndSession ends the recording.
func (r *sessionRecorder) EndSession() {
	if r.file != nil {
		r.sum = r.file.closeFile()
	}
	seconds := math.Round(float64(r.totalSamples)/sampleRate*1000) / 1000
	err := r.service.Store.EndLive(r.ctx, r.session.OrgID, r.session.ID, r.service.Now().UTC(), seconds, r.sum)
	if err != nil {
		r.service.Log.Error("the end of a live session could not be stored", "session", r.session.ID, "err", err)
	}
	r.service.Hub.EndTopic(r.topic)
}
