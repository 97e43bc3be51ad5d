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

// livePrincipal begins the key id of whoever came in with a token of the console; the session's id follows.
const livePrincipal = "live/"

// openLive makes what keeps microphones' sessions.
func (a *Appliance) openLive() (err error) {
	a.live, err = live.NewService(live.Dependencies{
		Store: a.store, Hub: a.events, Dir: a.liveDir(), Now: time.Now, Log: a.log,
		Hear:   func(o engine.StreamOptions) (live.LiveHearing, error) { return a.engine.openHearing(o) },
		Listen: mic.ListenTo,
	})
	return err
}

// liveDir is where the sound of live sessions is kept.
func (a *Appliance) liveDir() string { return filepath.Join(a.config.Data, "live") }

// liveToken lets a browser into the realtime protocol that the console has made a token for.
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

// realtimeWitness keeps what those say who came in with such a token; what comes in by an API key is nobody's but its holder's.
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

// listPatience is how long the sound system may take to name its microphones, while somebody waits for a page.
const listPatience = 3 * time.Second

// microphoneNames are the names of this machine's, the default one first.
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
