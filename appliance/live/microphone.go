package live

import (
	"context"
	"time"

	"munadi/appliance/recovery"
	"munadi/engine"
	"munadi/engine/mic"
	"munadi/store"
	"munadi/store/live"
)

// activeMicrophone is a microphone of this machine that is being captured.
type activeMicrophone struct {
	session live.LiveSession
	stop    context.CancelFunc
	done    chan struct{} // closed when the session has been recorded
}

// StartSession starts a session of a microphone of this machine; an empty device is the default one. latency is one
// that the model offers ([engine.StreamOptions]); 0 is the default. CodeConflict if the organization already listens to
// this microphone, or at the limit of sessions; if the microphone cannot be opened, the error says what is missing.
func (s *LiveService) StartSession(
	ctx context.Context, orgID, by, device string, latency time.Duration,
) (live.LiveSession, error) {
	now := s.Now().UTC()
	session := live.LiveSession{
		ID: live.NewID(now), OrgID: orgID, Source: live.Server, Device: device, By: by, StartedAt: now,
	}
	on, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if err := s.reserveSession(session, cancel); err != nil {
		cancel()
		return session, err
	}
	opened := make(chan error, 1)
	go func() {
		defer s.busy.Done()
		defer cancel()
		defer s.releaseSession(session.ID)
		s.listenToMicrophone(on, session, latency, opened)
	}()
	select {
	case err := <-opened:
		return session, err
	case <-ctx.Done():
		cancel()
		return session, ctx.Err()
	}
}

// reserveSession registers the session, unless the service is closed or a limit is reached.
func (s *LiveService) reserveSession(session live.LiveSession, stop context.CancelFunc) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := 0
	for _, l := range s.running {
		if l.session.OrgID != session.OrgID {
			continue
		}
		if own++; l.session.Device == session.Device {
			return store.Errorf(store.CodeConflict, "a live session uses this microphone already")
		}
	}
	if s.closed || own >= maxOrgSessions || len(s.running) >= maxSessions {
		return store.Errorf(store.CodeConflict, "too many microphones are in use; stop a live session first")
	}
	s.busy.Add(1)
	s.running[session.ID] = &activeMicrophone{session, stop, make(chan struct{})}
	return nil
}

func (s *LiveService) releaseSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.running[id].done)
	delete(s.running, id)
}

// StopSession ends an organization's session and returns when it has been recorded; an unknown session is no error.
func (s *LiveService) StopSession(ctx context.Context, orgID, id string) error {
	s.mu.Lock()
	l := s.running[id]
	s.mu.Unlock()
	if l == nil || l.session.OrgID != orgID {
		return nil
	}
	l.stop()
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// listenToMicrophone captures a microphone until ctx ends; opened receives once whether it could be opened.
func (s *LiveService) listenToMicrophone(
	ctx context.Context, session live.LiveSession, latency time.Duration, opened chan<- error,
) {
	ctx = engine.WithClient(ctx, engine.ClientID{Organization: session.OrgID})
	hearing, err := s.OpenStream(engine.StreamOptions{Partial: partialInterval, Latency: latency})
	if err != nil {
		opened <- err
		return
	}
	r, err := s.recordMicrophone(ctx, session, hearing, opened)
	if r == nil {
		if err == nil {
			err = context.Canceled
		}
		opened <- err
		return
	}
	if err != nil {
		s.Log.Error("a live session failed", "session", session.ID, "err", err)
	}
	s.flushStream(context.WithoutCancel(ctx), hearing, r)
	r.EndSession()
}

// recordMicrophone recognizes and records a microphone's sound until ctx ends or it fails. Recording begins with the
// first samples, which are reported to opened; the recorder is nil when none came.
func (s *LiveService) recordMicrophone(
	ctx context.Context, session live.LiveSession, hearing RecognizerStream, opened chan<- error,
) (r *sessionRecorder, err error) {
	err = recovery.RecoverPanic(func() error {
		return s.Listen(ctx, session.Device, mic.SoundListener{
			Sound: func(samples []float32) (err error) {
				if r == nil {
					if r, err = s.newRecorder(ctx, session); err != nil {
						return err
					}
					opened <- nil
				}
				r.AddSound(samples)
				events, err := hearing.Push(ctx, samples)
				r.addEvents(events)
				return err
			},
			Gone: func(reason error) {
				s.flushStream(ctx, hearing, r) // the last sentence may be unfinished
				r.publishState("gone", reason.Error())
			},
			Back: func() { r.publishState("listening", "") },
		})
	})
	return r, err
}

// flushStream records the end of the transcript.
func (s *LiveService) flushStream(ctx context.Context, hearing RecognizerStream, r *sessionRecorder) {
	if r == nil {
		return
	}
	err := recovery.RecoverPanic(func() error {
		events, err := hearing.Flush(ctx)
		r.addEvents(events)
		return err
	})
	if err != nil {
		s.Log.Error("the end of a live session could not be stored", "session", r.session.ID, "err", err)
	}
}
