package console_test

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/console"
	"munadi/appliance/event"
	"munadi/assets/scenarios"
	"munadi/assets/web"
	"munadi/engine/audio"
	"munadi/store"
	"munadi/store/badger"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/dialling"
	"munadi/store/live"
	"munadi/store/org"
	"munadi/store/restaurant"
	"munadi/store/scenario"
)

// The people of a world beside those of the bench, by their session's token.
const (
	governor org.Role = "governor" // owns the appliance's own organization
	rival    org.Role = "rival"    // owns another one
)

// peopleGate knows the three of the bench, the governor and the rival.
type peopleGate struct{ aGate }

func (g peopleGate) Session(ctx context.Context, token string) (org.Session, org.User, error) {
	home, is := map[string]string{string(governor): org.Default, string(rival): "other"}[token]
	if !is {
		s, u, err := g.aGate.Session(ctx, token)
		if err == nil {
			u.Password, err = goodHash()
		}
		return s, u, err
	}
	u := org.User{ID: "id-" + token, OrgID: home, Name: token, Role: org.Owner}
	return org.Session{UserID: u.ID, Hash: []byte(token)}, u, nil
}

func (g peopleGate) PeekSession(ctx context.Context, token string) (org.Session, org.User, error) {
	return g.Session(ctx, token)
}

// aLive starts sessions that nobody hears.
type aLive struct {
	store store.Store
	now   time.Time
}

func (l aLive) Start(ctx context.Context, orgID, by, device string) (live.Session, error) {
	s := live.Session{ID: "01890000-0000-7000-8000-0000000000ff", OrgID: orgID, Source: live.Server, By: by, Device: device, StartedAt: l.now}
	return s, l.store.BeginLive(ctx, s)
}

func (l aLive) Stop(ctx context.Context, orgID, id string) error {
	return l.store.EndLive(ctx, orgID, id, l.now, 1)
}
func (aLive) On(string) bool { return true }
func (aLive) Admit(string, string, string, auth.Alive) (_, _ string, _ error) {
	return "token", "id", nil
}
func (aLive) Sound(string, string) (*os.File, error) { return nil, fs.ErrNotExist }
func (aLive) Forget(string, string) error            { return nil }

// world is a bench on which everything is that a route may name, in organization acme.
type world struct {
	*callDesk
	accounts                              *auth.Accounts
	scheduled, running, over              call.Call
	key, someone, delivery, liveID, onAir string
}

// goodHash is the good password's, made once: it is slow by design.
var goodHash = sync.OnceValues(func() (string, error) {
	s, err := badger.Open("", badger.Options{InMemory: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return "", err
	}
	defer func() { _ = s.Close() }()
	ctx := context.Background()
	if err := s.CreateOrganization(ctx, org.Organization{ID: "acme", Name: "acme"}); err != nil {
		return "", err
	}
	accounts := auth.NewAccounts(s, auth.Secret{1}, time.Now, slog.New(slog.DiscardHandler))
	u, err := accounts.CreateUser(ctx, "acme", "somebody", org.Viewer, goodPassword, "test")
	return u.Password, err
})

func newWorld(t *testing.T) *world {
	t.Helper()
	builtIn, err := scenario.BuiltIn(scenarios.Files())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{callDesk: &callDesk{events: event.New(event.Options{})}}
	t.Cleanup(w.events.Close)
	if w.recordings, err = blob.Open(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	w.aBench = newBench(t, func(d *console.Deps) {
		quiet, now := slog.New(slog.DiscardHandler), d.Now
		w.accounts = auth.NewAccounts(d.Store, auth.Secret{1}, now, quiet)
		d.Gate, d.Accounts, d.Keys = peopleGate{}, w.accounts, auth.New(d.Store, auth.Secret{1}, now, quiet)
		d.CheckURL = func(context.Context, string) error { return nil }
		d.PublicURL = func() string { return "http://munadi.test" }
		d.BuiltInPhrases = func() restaurant.Phrases { return restaurant.Phrases{} }
		d.Speaker, d.Decoder, d.Samples = &aSpeaker{}, &aDecoder{}, web.Files()
		d.OpenSound = func(ctx context.Context, r io.ReadSeeker, longest time.Duration) (console.Sounding, error) {
			return audio.Open(ctx, r, audio.Options{MaxDuration: longest, FFmpeg: "none"})
		}
		d.BuiltIn = func() []scenario.Scenario { return builtIn }
		d.Recordings, d.Events, d.Sound = w.recordings, w.events, &event.Sound{}
		d.Live = aLive{d.Store, d.Now()}
		d.Microphones = func(context.Context) ([]string, error) { return []string{"Desk"}, nil }
		d.BackUp = func() {}
		d.Vitals = func() console.Vitals { return console.Vitals{} }
	})
	w.furnish()
	return w
}

// furnish makes one of each thing.
func (w *world) furnish() {
	w.t.Helper()
	w.populate()
	w.scheduled, w.running = w.booked("acme", anyNumber, nil), w.booked("acme", "+966512345602", nil)
	_, err := w.store.ReleaseCall(w.t.Context(), "acme", w.running.ID, w.running.ScheduledAt)
	w.must(err)
	w.over = w.booked("acme", "+966512345603", func(c *call.Call) { c.Metadata = map[string]string{"order": "4711"} })
	w.over = w.ended(w.over, w.talk(w.over))
	w.speak()
	w.connect()
}

// populate adds the people.
func (w *world) populate() {
	ctx := w.t.Context()
	hash, err := goodHash()
	w.must(err)
	w.must(w.store.CreateOrganization(ctx, org.Organization{ID: org.Default, Name: "Default", CreatedAt: w.now}))
	add := func(id, orgID string, role org.Role) {
		w.must(w.store.CreateUser(ctx, org.User{
			ID: id, OrgID: orgID, Name: id, Role: role, Password: hash, CreatedAt: w.now,
		}, "test"))
	}
	for _, role := range org.Roles() {
		add("id-"+string(role), "acme", role)
	}
	add("id-governor", org.Default, org.Owner)
	add("id-rival", "other", org.Owner)
	w.someone = "00000000-0000-4000-8000-000000000001"
	add(w.someone, "acme", org.Viewer)
}

// speak adds what was said into microphones.
func (w *world) speak() {
	ctx := w.t.Context()
	w.liveID, w.onAir = "01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002"
	for _, id := range []string{w.liveID, w.onAir} {
		w.must(w.store.BeginLive(ctx, live.Session{ID: id, OrgID: "acme", Source: live.Server, By: "test", StartedAt: w.now}))
		w.must(w.store.HearLive(ctx, "acme", id, live.Segment{Start: 0, End: 1, Text: "نعم"}))
	}
	w.must(w.store.EndLive(ctx, "acme", w.liveID, w.now, 1))
}

// connect adds what programs use: a key, a receiver and a notification; and what is not to be called.
func (w *world) connect() {
	ctx := w.t.Context()
	w.key = "00000000-0000-4000-8000-000000000002"
	w.must(w.store.CreateKey(ctx, org.Key{
		ID: w.key, OrgID: "acme", Name: "shop", Prefix: "mnd_shop", Hash: []byte("hash"), Scopes: org.Scopes(), CreatedAt: w.now,
	}))
	w.must(w.store.PutWebhook(ctx, "acme", delivery.Webhook{URL: "http://shop.test/hook", UpdatedAt: w.now}, "test", w.now))
	d := delivery.New("acme", delivery.Test, call.NewID(), w.now)
	w.delivery = d.ID
	w.must(w.store.AddDelivery(ctx, d))
	_, err := w.store.RecordTry(ctx, "acme", d.ID, delivery.Try{At: w.now, StatusCode: http.StatusOK}, w.now)
	w.must(err)
	w.must(w.store.Suppress(ctx, []dialling.Suppression{{OrgID: "acme", PhoneNumber: "+966500000000", CreatedAt: w.now}}, "test", w.now))
	own, err := scenario.BuiltIn(scenarios.Files())
	w.must(err)
	own[0].OrgID, own[0].ID, own[0].BuiltIn = "acme", "mine", false
	w.must(w.store.PutScenario(ctx, own[0], "test", w.now))
}
