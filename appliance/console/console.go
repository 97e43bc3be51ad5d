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
	"munadi/appliance/certificate"
	"munadi/appliance/event"
	"munadi/appliance/speech"
	"munadi/store"
	"munadi/store/org"
	"munadi/store/restaurant"
	"munadi/store/scenario"
	"munadi/ui/shell"
)

// Root is where everything of this door lies.
const Root = "/console"

// Gate knows sessions by their cookie's value.
type Gate interface {
	// Session finds a live one and its user; an error that is store.CodeNotFound when there is none.
	Session(ctx context.Context, token string) (org.Session, org.User, error)
	// PeekSession is Session without counting as a use of the session.
	PeekSession(ctx context.Context, token string) (org.Session, org.User, error)
	// CSRF is the token that forms of a session carry.
	CSRF(s org.Session) string
}

// Deps is everything that the door needs. Each section's file lists in its own words what it uses of it.
type Deps struct {
	Store    store.Store
	Gate     Gate
	Accounts *auth.Accounts // sign-in, users, the first run
	Keys     *auth.Auth     // makes and ends API keys
	// CheckURL says why a webhook's address may not be called; nil when it may.
	CheckURL  func(ctx context.Context, url string) error
	Now       func() time.Time
	Log       *slog.Logger
	Assets    string // prefix of every asset
	Version   string
	Simulated bool
	PublicURL func() string
	// Certificate is what the listener proves itself with; nil where it does not encrypt.
	Certificate func() certificate.Source
	// BuiltInPhrases are the restaurant mode's words of an organization that has set none.
	BuiltInPhrases func() restaurant.Phrases
	// Speaker says a scenario's lines.
	Speaker speech.Speaker
	// Decoder is the recognizer of the workbench, OpenSound opens what it is given, Samples are the bundled sounds.
	Decoder   Decoder
	OpenSound func(ctx context.Context, r io.ReadSeeker, longest time.Duration) (Sounding, error)
	Samples   fs.FS
	BuiltIn   func() []scenario.Scenario // those that every organization has
	// Recordings are the calls' files; Events and Sound are what is watched and listened to while it happens.
	Recordings Recordings
	Events     *event.Hub
	Sound      *event.Sound
	// Live keeps what is said into microphones; Microphones are the names of those of this machine.
	Live        Live
	Microphones func(ctx context.Context) ([]string, error)
	// Vitals tells how the appliance fares, for the dashboard and the system page.
	Vitals func() Vitals
	// BackUp has a backup made, in the background.
	BackUp func()
}

// Service is the door. It is safe for concurrent use.
type Service struct {
	Deps
	once *once
}

// New returns a door.
func New(d Deps) *Service { return &Service{Deps: d, once: newOnce(d.Now)} }

// groups are the three kinds of routes, by what they ask of the user.
type groups struct{ open, look, act, own *echo.Group }

// Mount adds the routes to e. Each section mounts its own.
func (s *Service) Mount(e *echo.Echo) {
	same := http.NewCrossOriginProtection()
	base := e.Group(Root, secure, bounded, sameOrigin(same))
	g := groups{open: base}
	g.own = base.Group("", s.signedIn(org.Owner))
	g.act = base.Group("", s.signedIn(org.Operator))
	g.look = base.Group("", s.signedIn(org.Viewer)) // the last: echo takes it for paths that nothing answers
	s.mountSections(g)
}

// mountSections lists the sections; each adds its own routes.
func (s *Service) mountSections(g groups) {
	s.mountAccounts(g)
	s.mountCalls(g)
	s.mountLook(g)
	s.mountFlows(g)
	s.mountLive(g)
}

// sections are what the navigation shows to a user.
func sections(u org.User) []shell.Section {
	all := []shell.Section{
		shell.Dashboard, shell.Calls, shell.Live, shell.Workbench, shell.Scenarios, shell.Rules, shell.Phrases,
	}
	if u.Role.May(org.Owner) {
		all = append(all, shell.Webhook, shell.Keys, shell.Users, shell.Audit)
	}
	return append(all, shell.System)
}
