package kit

import (
	"context"
	"log/slog"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/evidence"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/service"
	"munadi/appliance/ssehub"
	"munadi/appliance/tlscert"
	"munadi/appliance/tts"
	"munadi/store"
	"munadi/store/account"
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

// Shared is what the handlers of all sections need.
type Shared struct {
	Store     store.Store       // what is read
	UseCases  *service.UseCases // what is changed
	Gate      SessionGate
	Accounts  *auth.AccountService // sign-in, users, set-up
	Events    *ssehub.EventHub     // what pages follow while they are open (SSE)
	Signer    evidence.SigningKey  // signs what leaves the appliance as evidence
	Now       func() time.Time
	Log       *slog.Logger
	Assets    string // URL prefix of all assets
	Version   string
	Simulated bool
	PublicURL func() string
	// Certificate returns the source of the listener's TLS certificate; nil without TLS.
	Certificate func() tlscert.CertificateSource
	// Speaker speaks a scenario's lines (text-to-speech).
	Speaker tts.TextSpeaker
	// Voices says which voice speaks a line; nil: it is not shown.
	Voices tts.VoiceFinder
	// NeuralNames lists the installed neural voices, which a scenario may name; nil: none.
	NeuralNames func() []string
	// Rehearse holds a scenario's conversation in writing; nil: not available.
	Rehearse func(ctx context.Context, r TrialRequest) (TrialOutcome, error)
	Talk     service.TalkFunc // nil: not available
	Ring     service.RingFunc // a trial at a telephone; nil: not available
	// Vitals returns the appliance's figures.
	Vitals func() ApplianceVitals
}

// Console is what all sections share: session and role, frame, flash messages, lists, exports. It is safe for
// concurrent use once its sections are mounted.
type Console struct {
	Shared
	FlashSecrets *flashSecrets
	sections     []Section     // in the order of the navigation
	trialSlots   chan struct{} // limits concurrent typed trials
	large        *middleware.LargeBodies
}

// NewConsole returns a console without sections.
func NewConsole(shared Shared) *Console {
	return &Console{
		Shared: shared, FlashSecrets: newFlashSecrets(shared.Now), trialSlots: make(chan struct{}, maxTrials),
		large: middleware.NewLargeBodies(),
	}
}
