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
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/cluster"
	"munadi/appliance/console/kit"
	"munadi/appliance/modelhub"
	"munadi/appliance/recognizer"
	"munadi/appliance/ssehub"
	"munadi/appliance/tlscert"
	"munadi/appliance/tts"
	"munadi/store/restaurant"
)

// Dependencies is what the console needs.
type Dependencies struct {
	kit.Shared
	Parts
}

// Parts is what single sections need.
type Parts struct {
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
	// Recordings have the waveforms of calls; Sound is the hub of running calls' audio.
	Recordings WaveformStore
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
	Vitals func() kit.ApplianceVitals
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
	*kit.Console
	Parts
	trialSlots chan struct{} // limits concurrent typed trials
}

// NewService returns the console's handlers.
func NewService(d Dependencies) *ConsoleService {
	return &ConsoleService{Console: kit.NewConsole(d.Shared), Parts: d.Parts, trialSlots: make(chan struct{}, maxTrials)}
}

// MountRoutes adds the routes of all sections to e.
func (s *ConsoleService) MountRoutes(e *echo.Echo) { s.MountSections(e, s.AllSections()) }
