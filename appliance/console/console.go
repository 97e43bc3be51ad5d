// Package console serves the admin console: the pages below /console, with sign-in, sessions, CSRF protection and
// roles.
//
// A handler maps a request to a view model of package ui, or a form to a use case of package service; it never calls a
// worker, and contains no HTML. One file holds one action (call_cancel.go, key_create.go). An action is a POST that
// redirects to the page with its result, with a flash message. Everything works without scripts, except live audio.
//
// Roles: a session cookie names a user. Viewers read; operators book and change calls; owners change keys, webhook,
// rules and users; an owner of the organization "default" governs the appliance and may select any organization, where
// it has an owner's rights. Data of other organizations is not found (404).
package console

import (
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/cluster"
	"munadi/appliance/modelhub"
	"munadi/appliance/recognizer"
	"munadi/appliance/service"
	"munadi/appliance/ssehub"
	"munadi/appliance/tlscert"
	"munadi/appliance/tts"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/restaurant"
	"munadi/ui/layout"
)

// Root is the base path of all routes of this package.
const Root = "/console"

// SessionGate authenticates session cookies.
type SessionGate interface {
	// LookUpSession returns a valid session and its user; store.CodeNotFound when there is none.
	LookUpSession(ctx context.Context, token string) (account.UserSession, account.User, error)
	// PeekSession is LookUpSession without extending the session's idle timeout.
	PeekSession(ctx context.Context, token string) (account.UserSession, account.User, error)
	// CSRFToken returns the CSRF token for the forms of a session.
	CSRFToken(s account.UserSession) string
}

// Dependencies is what the console needs.
type Dependencies struct {
	Store     store.Store       // what is read
	UseCases  *service.UseCases // what is changed
	Gate      SessionGate
	Accounts  *auth.AccountService // sign-in, users, set-up
	Now       func() time.Time
	Log       *slog.Logger
	Assets    string // URL prefix of all assets
	Version   string
	Simulated bool
	PublicURL func() string
	// Certificate returns the source of the listener's TLS certificate; nil without TLS.
	Certificate func() tlscert.CertificateSource
	// BuiltInPhrases returns the restaurant mode's phrases for organizations without their own.
	BuiltInPhrases func() restaurant.PhraseSet
	// Speaker speaks a scenario's lines (text-to-speech).
	Speaker tts.TextSpeaker
	// Rehearse holds a scenario's conversation in writing; nil: not available.
	Rehearse func(ctx context.Context, r TrialRequest) (TrialOutcome, error)
	// Decoder is the recognizer of the workbench, OpenSound opens its audio files, Samples are the bundled recordings.
	Decoder   DebugDecoder
	OpenSound recognizer.SoundOpener
	Samples   fs.FS
	// Recordings have the waveforms of calls; Events and Sound are the SSE and audio hubs of running calls.
	Recordings WaveformStore
	Events     *ssehub.EventHub
	Sound      *ssehub.SoundHub
	// LatestEvents returns the latest events of topics that other appliances publish, oldest first; nil: there are none.
	LatestEvents func(
		ctx context.Context, topics []ssehub.EventTopic, kind string, n int,
	) map[ssehub.EventTopic][]json.RawMessage
	// Live runs live microphone sessions; Microphones lists the microphones of this machine.
	Live        MicrophoneSessions
	Microphones func(ctx context.Context) ([]string, error)
	// LiveLatencies returns the latencies of live transcription that the model offers, the default first; none: no choice.
	LiveLatencies func() []time.Duration
	// Vitals returns the appliance's figures for the dashboard and the system page.
	Vitals func() ApplianceVitals
	// Appliances returns the appliances that share the database, this one included; nil or empty: there is only this one.
	Appliances func(ctx context.Context) ([]cluster.Member, error)
	// BackUp starts a backup in the background.
	BackUp func()
	// Models installs speech models; FindModel looks one up on the hub; ModelTopic is the SSE topic of installations.
	Models     SpeechModels
	FindModel  func(ctx context.Context, name, revision string) (*modelhub.Model, error)
	ModelTopic ssehub.EventTopic
}

// ConsoleService holds the handlers of the console. It is safe for concurrent use.
type ConsoleService struct {
	Dependencies
	flashSecrets *flashSecrets
	trialSlots   chan struct{} // limits concurrent typed trials
}

// NewService returns the console's handlers.
func NewService(d Dependencies) *ConsoleService {
	return &ConsoleService{
		Dependencies: d, flashSecrets: newFlashSecrets(d.Now), trialSlots: make(chan struct{}, maxTrials),
	}
}

// routeGroups are the groups of routes by required role; upload is for owners' uploads of any size.
type routeGroups struct{ public, viewer, operator, owner, upload *echo.Group }

// MountRoutes adds the routes to e with their shared middleware: security headers, body size limit, cross-origin check,
// session and role.
func (s *ConsoleService) MountRoutes(e *echo.Echo) {
	same := http.NewCrossOriginProtection()
	base := e.Group(Root, setSecurityHeaders, limitBody, sameOrigin(same))
	g := routeGroups{public: base}
	g.upload = e.Group(Root, setSecurityHeaders, sameOrigin(same), readStreamedForm, s.requireRole(account.Owner))
	g.owner = base.Group("", s.requireRole(account.Owner))
	g.operator = base.Group("", s.requireRole(account.Operator))
	g.viewer = base.Group("", s.requireRole(account.Viewer)) // must be last: echo uses its middleware for unknown paths
	s.mountSections(g)
}

func (s *ConsoleService) mountSections(g routeGroups) {
	s.mountAccounts(g)
	s.mountCalls(g)
	s.mountCampaigns(g)
	s.mountDashboard(g)
	s.mountAlerts(g)
	s.mountRulesAndScenarios(g)
	s.mountLive(g)
	s.mountModels(g)
}

// navigationSections returns the sections in a user's navigation.
func navigationSections(u account.User) []layout.ConsoleSection {
	all := []layout.ConsoleSection{
		layout.Dashboard, layout.Calls, layout.Campaigns, layout.Live, layout.Queue, layout.Reports, layout.Workbench,
		layout.Scenarios, layout.Rules, layout.Phrases,
	}
	if u.Role.Allows(account.Owner) {
		all = append(all, layout.Webhook, layout.Keys, layout.Users, layout.Audit)
	}
	return append(all, layout.Alerts, layout.System)
}
