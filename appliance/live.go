package appliance

import (
	"path/filepath"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/live"
	"munadi/appliance/stt/realtime"
	"munadi/engine"
	"munadi/engine/mic"
)

// openLive constructs the service of live microphone sessions.
func (a *Appliance) openLive() (err error) {
	a.live, err = live.NewService(live.Dependencies{
		Store: a.store, Hub: a.events, Dir: a.liveDir(), Sounds: a.liveRecordings, Now: time.Now, Log: a.log,
		OpenStream: func(o engine.StreamOptions) (live.RecognizerStream, error) { return a.engine.OpenStream(o) },
		Listen:     mic.ListenTo,
	})
	return err
}

// liveDir returns the folder of live sessions' recordings.
func (a *Appliance) liveDir() string { return filepath.Join(a.config.Data, "live") }

// realtimeObserver returns the recorder of a session with a live token; sessions with an API key are not recorded.
func (a *Appliance) realtimeObserver(who auth.Principal) realtime.SessionObserver {
	if r := a.live.RecorderOf(who); r != nil {
		return r
	}
	return nil
}
