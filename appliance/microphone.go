package appliance

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/live"
	"munadi/appliance/stt/realtime"
	"munadi/engine"
	"munadi/engine/mic"
	"munadi/store/account"
)

// livePrincipal is the key id prefix of a client that authenticated with a console's live token; the session's id
// follows.
const livePrincipal = "live/"

// openLive constructs the service of live microphone sessions.
func (a *Appliance) openLive() (err error) {
	a.live, err = live.NewService(live.Dependencies{
		Store: a.store, Hub: a.events, Dir: a.liveDir(), Now: time.Now, Log: a.log,
		Hear:   func(o engine.StreamOptions) (live.LiveHearing, error) { return a.engine.OpenStream(o) },
		Listen: mic.ListenTo,
	})
	return err
}

// liveDir returns the folder of live sessions' recordings.
func (a *Appliance) liveDir() string { return filepath.Join(a.config.Data, "live") }

// liveToken authenticates a browser in the realtime protocol by a token that the console issued.
func (a *Appliance) liveToken(ctx context.Context, token string) (auth.Principal, bool) {
	session, alive, ok := a.live.RedeemToken(token)
	if ok && alive != nil {
		still, err := alive(ctx)
		ok = still || err != nil
	}
	return auth.Principal{
		OrgID: session.OrgID, KeyID: livePrincipal + session.ID, Scopes: []account.KeyScope{account.ScopeSTT}, Alive: alive,
	}, ok
}

// realtimeWitness returns the recorder of a live session's transcript for a client with such a token; sessions with
// an API key are not recorded.
func (a *Appliance) realtimeWitness(who auth.Principal) realtime.SessionWitness {
	id, found := strings.CutPrefix(who.KeyID, livePrincipal)
	if !found {
		return nil
	}
	if r := a.live.RecordSession(id); r != nil {
		return r
	}
	return nil
}

// listPatience is the timeout for listing microphones, while a page waits for it.
const listPatience = 3 * time.Second

// microphoneNames returns the names of this machine's microphones, the default one first.
func microphoneNames(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	devices, err := mic.ListDevices(ctx)
	var names []string
	for _, d := range devices {
		if d.Default {
			names = append([]string{d.Name}, names...)
		} else {
			names = append(names, d.Name)
		}
	}
	return names, err
}
