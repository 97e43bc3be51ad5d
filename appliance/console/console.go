// Package console is the door for people: everything below /console.
//
// It translates a request into a view model of package ui and a form into a fact of the store; it never calls a worker,
// and knows no markup. One file holds one action (call_cancel.go, key_create.go). Every act is a POST that answers with
// a redirect to where its effect is seen; what was done is said there once. All of it works without scripts, but where
// sound is live.
//
// Who may do what: a session cookie names a user; viewers look, operators call and move calls, owners change keys,
// webhook, rules and users; an owner of the organization "default" governs the appliance and may look at any
// organization. Another organization's things look like none.
package console

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/ssehub"
	"munadi/appliance/tlscert"
	"munadi/appliance/tts"
	"munadi/engine/audio"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/restaurant"
	"munadi/store/scenario"
	"munadi/ui/layout"
)

// Root is where everything of this door lies.
const Root = "/console"

// SessionGate knows sessions by their cookie's value.
type SessionGate interface {
	// LookUpSession finds a live one and its user; an error that is store.CodeNotFound when there is none.
	LookUpSession(ctx context.Context, token string) (account.UserSession, account.User, error)
	// PeekSession is Session without counting as a use of the session.
	PeekSession(ctx context.Context, token string) (account.UserSession, account.User, error)
	// CSRFToken is the token that forms of a session carry.
	CSRFToken(s account.UserSession) string
}

// Dependencies is everything that the door needs. Each section's file lists in its own words what it uses of it.
type Dependencies struct {
	Store    store.Store
	Gate     SessionGate
	Accounts *auth.AccountService // sign-in, users, the first run
	Keys     *auth.KeyVerifier    // makes and ends API keys
	// CheckURL says why a webhook's address may not be called; nil when it may.
	CheckURL  func(ctx context.Context, url string) error
	Now       func() time.Time
	Log       *slog.Logger
	Assets    string // prefix of every asset
	Version   string
	Simulated bool
	PublicURL func() string
	// Certificate is what the listener proves itself with; nil where it does not encrypt.
	Certificate func() tlscert.CertificateSource
	// BuiltInPhrases are the restaurant mode's words of an organization that has set none.
	BuiltInPhrases func() restaurant.PhraseSet
	// Speaker says a scenario's lines.
	Speaker tts.TextSpeaker
	// Decoder is the recognizer of the workbench, OpenSound opens what it is given, Samples are the bundled sounds.
	Decoder   DebugDecoder
	OpenSound func(ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice) (OpenedSound, error)
	Samples   fs.FS
	BuiltIn   func() []scenario.Scenario // those that every organization has
	// Recordings are the calls' files; Events and Sound are what is watched and listened to while it happens.
	Recordings RecordingStore
	Events     *ssehub.EventHub
	Sound      *ssehub.SoundHub
	// Live keeps what is said into microphones; Microphones are the names of those of this machine.
	Live        MicrophoneSessions
	Microphones func(ctx context.Context) ([]string, error)
	// Scenarios judges scenarios when they are saved and booked; nil: nothing is said against them.
	Scenarios Scenarios
	// Vitals tells how the appliance fares, for the dashboard and the system page.
	Vitals func() ApplianceVitals
	// BackUp has a backup made, in the background.
	BackUp func()
}

// ConsoleService is the door. It is safe for concurrent use.
type ConsoleService struct {
	Dependencies
	once *flashSecrets
}

// NewService returns a door.
func NewService(d Dependencies) *ConsoleService {
	return &ConsoleService{Dependencies: d, once: newOnce(d.Now)}
}

// routeGroups are the three kinds of routes, by what they ask of the user.
type routeGroups struct{ open, look, act, own *echo.Group }

// MountRoutes adds the routes to e. Each section mounts its own.
func (s *ConsoleService) MountRoutes(e *echo.Echo) {
	same := http.NewCrossOriginProtection()
	base := e.Group(Root, setSecurityHeaders, limitBody, sameOrigin(same))
	g := routeGroups{open: base}
	g.own = base.Group("", s.signedIn(account.Owner))
	g.act = base.Group("", s.signedIn(account.Operator))
	g.look = base.Group("", s.signedIn(account.Viewer)) // the last: echo takes it for paths that nothing answers
	s.mountSections(g)
}

// mountSections lists the sections; each adds its own routes.
func (s *ConsoleService) mountSections(g routeGroups) {
	s.mountAccounts(g)
	s.mountCalls(g)
	s.mountLook(g)
	s.mountFlows(g)
	s.mountLive(g)
}

// navigationSections are what the navigation shows to a user.
func navigationSections(u account.User) []layout.ConsoleSection {
	all := []layout.ConsoleSection{
		layout.Dashboard, layout.Calls, layout.Live, layout.Workbench, layout.Scenarios, layout.Rules, layout.Phrases,
	}
	if u.Role.Allows(account.Owner) {
		all = append(all, layout.Webhook, layout.Keys, layout.Users, layout.Audit)
	}
	return append(all, layout.System)
}
