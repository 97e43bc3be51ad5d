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
	"munadi/store/org"
)

// livePrincipal begins the key id of whoever came in with a token of the console; the session's id follows.
const livePrincipal = "live/"

// openLive makes what keeps microphones' sessions.
func (a *Appliance) openLive() (err error) {
	a.live, err = live.New(live.Deps{
		Store: a.store, Hub: a.events, Dir: a.liveDir(), Now: time.Now, Log: a.log,
		Hear:   func(o engine.StreamOptions) (live.Hearing, error) { return a.engine.hear(o) },
		Listen: mic.Listen,
	})
	return err
}

// liveDir is where the sound of live sessions is kept.
func (a *Appliance) liveDir() string { return filepath.Join(a.config.Data, "live") }

// liveToken lets a browser into the realtime protocol that the console has made a token for.
func (a *Appliance) liveToken(ctx context.Context, token string) (auth.Principal, bool) {
	session, alive, ok := a.live.Redeem(token)
	if ok && alive != nil {
		still, err := alive(ctx)
		ok = still || err != nil
	}
	return auth.Principal{
		OrgID: session.OrgID, KeyID: livePrincipal + session.ID, Scopes: []org.Scope{org.ScopeSTT}, Alive: alive,
	}, ok
}

// witness keeps what those say who came in with such a token; what comes in by an API key is nobody's but its holder's.
func (a *Appliance) witness(who auth.Principal) realtime.Witness {
	id, found := strings.CutPrefix(who.KeyID, livePrincipal)
	if !found {
		return nil
	}
	if r := a.live.Record(id); r != nil {
		return r
	}
	return nil
}

// listPatience is how long the sound system may take to name its microphones, while somebody waits for a page.
const listPatience = 3 * time.Second

// microphones are the names of this machine's, the default one first.
func microphones(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	devices, err := mic.Devices(ctx)
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
