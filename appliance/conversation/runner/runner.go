// Package runner runs the conversations of calls: it gives each the recognizer, the voice, the phrase book and the
// language model that all share, and publishes its progress.
package runner

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"math"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/certainty"
	"munadi/appliance/conversation"
	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/conversation/scenariotest"
	"munadi/appliance/dialer"
	"munadi/appliance/publisher"
	"munadi/appliance/recognizer"
	"munadi/appliance/takeover"
	"munadi/appliance/textform"
	"munadi/appliance/tts"
	"munadi/engine"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// Dependencies are shared by all conversations.
type Dependencies struct {
	Recognizer *recognizer.Recognizer
	Speaker    tts.TextSpeaker
	Voices     tts.VoiceFinder // of the speaker, for replays; nil: they speak every text
	Scenarios  fs.FS           // of the phrase book
	Chat       conversation.ChatModel
	Tools      conversation.ToolCaller
	FindRules  func(ctx context.Context, orgID string) (callrules.CallRules, error)
	// MayTransfer says why the organization's calls may not be transferred to a target.
	MayTransfer func(ctx context.Context, orgID string, to callrules.TransferTarget) error
	// FindBounds returns the bounds on wrong decisions of a scenario's questions; package certainty has one.
	FindBounds func(ctx context.Context, orgID string, s scenario.Scenario) map[string]certainty.AcceptBound
	Hubs       publisher.Hubs
	Desk       *takeover.Desk          // where staff take calls over
	CountReply func(gap time.Duration) // counts a reply by the silence that the person heard before it; nil: not counted
	// ReadClip returns the sound of an organization's clip for tests, at [carrier.Rate]; nil: there are none.
	ReadClip func(ctx context.Context, orgID, id string) ([]int16, error)
	// Callee returns a line to the simulator's callee of a number, for tests; nil: there are none.
	Callee func(number string) (carrier.Line, error)
	Log    *slog.Logger
}

// ConversationRunner runs the conversations of all calls. It is safe for concurrent use.
type ConversationRunner struct {
	Dependencies
	book *conversation.PhraseBook
}

// NewRunner returns a runner; its error is a phrase book that cannot be read.
func NewRunner(d Dependencies) (*ConversationRunner, error) {
	book, err := conversation.ReadBook(d.Scenarios)
	if err != nil {
		return nil, err
	}
	return &ConversationRunner{Dependencies: d, book: book}, nil
}

// Converse implements [dialer.Conversationalist].
func (r *ConversationRunner) Converse(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
	ctx = engine.WithClient(ctx, engine.ClientID{Organization: c.Call.OrgID})
	stream, err := r.Recognizer.OpenStream(engine.StreamOptions{Onset: true, Language: c.Scenario.Language})
	if err != nil {
		return dialer.TalkResult{}, err
	}
	deps := r.dependenciesOf(c.Call.OrgID, "call_id", c.Call.ID)
	deps.DialStaff, deps.LimitLine, deps.Joined = c.DialStaff, c.LimitLine, c.Joined
	announce := c.Recorded && c.Rules.Recording == callrules.RecordAnnounce
	in := newInput(c.Call, c.Scenario, c.Rules, announce)
	if c.Follows != nil {
		in = in.FollowUpCall(*c.Follows)
	}
	if c.Call.Trial {
		observeTrial(&deps, c, stream)
	} else {
		r.publishCall(&deps, c, in, stream)
	}
	requests, closeCall := r.Desk.OpenCall(c.Call.OrgID, c.Call.ID)
	defer closeCall()
	deps.TakeOvers = requests
	in.Bounds = r.FindBounds(ctx, c.Call.OrgID, c.Scenario)
	out, err := conversation.RunConversation(ctx, deps, in)
	if !c.Call.Trial {
		r.countReplies(out.Messages)
	}
	talk := dialer.TalkResult{Outcome: out.CallOutcome, Unrecognized: out.Unrecognized}
	if out.Suppress && !c.Call.Trial {
		talk.Suppress = &callrules.SuppressionEntry{
			OrgID: c.Call.OrgID, PhoneNumber: c.Call.PhoneNumber, Reason: "asked for in a call", Source: "call",
			CreatedAt: time.Now().UTC(),
		}
	}
	switch {
	case errors.Is(err, carrier.ErrHungUp):
		talk.Outcome.Status = call.Completed // the dialer sets another outcome where it knows why the call ended
		return talk, nil
	case ctx.Err() != nil:
		return talk, nil // ended from outside: the outcome is kept
	}
	return talk, err
}

// publishCall publishes the progress of a call to its viewers.
func (r *ConversationRunner) publishCall(
	deps *conversation.Dependencies, c dialer.ConversationInput, in conversation.ConversationInput,
	stream *recognizer.LiveStream,
) {
	progress := publisher.NewCallPublisher(r.Hubs, c.Call)
	progress.Form = in.SpokenForm
	progress.PublishState(call.InProgress)
	deps.Line = &publisher.TappedLine{Line: c.Line, Publisher: progress}
	deps.Hear = publishedStream{stream, progress, c.Rules.Redact}
	deps.OnMessage, deps.OnSlot, deps.OnStaff = progress.PublishMessage, progress.PublishSlot, progress.PublishStaff
}

// dependenciesOf returns what all conversations by sound of an organization share; named names one in the log.
func (r *ConversationRunner) dependenciesOf(orgID string, named ...any) conversation.Dependencies {
	return conversation.Dependencies{
		Speak: r.Speaker, Book: r.book, Chat: r.Chat, Tools: r.Tools, Now: time.Now, MayTransfer: r.mayTransfer(orgID),
		OnFault: func(err error) {
			r.Log.With(named...).Warn("a conversation continues without a voice, model or tool", "err", err)
		},
	}
}

// countReplies counts the replies of a call.
func (r *ConversationRunner) countReplies(messages []call.Message) {
	for _, m := range messages {
		if m.ReplyTiming != nil && r.CountReply != nil {
			r.CountReply(time.Duration(m.Heard) * time.Millisecond)
		}
	}
}

// mayTransfer binds MayTransfer to an organization.
func (r *ConversationRunner) mayTransfer(orgID string) func(context.Context, callrules.TransferTarget) error {
	return func(ctx context.Context, to callrules.TransferTarget) error { return r.MayTransfer(ctx, orgID, to) }
}

// loadTimeZone returns the time zone of a name; an unknown name counts as UTC, since the rules were validated when
// they were set.
func loadTimeZone(name string) *time.Location {
	if l, err := time.LoadLocation(name); err == nil {
		return l
	}
	return time.UTC
}

// CheckSpeech checks that all sentences of a call of a scenario can be spoken; tts.ErrNoVoice when not.
func (r *ConversationRunner) CheckSpeech(ctx context.Context, c call.Call, s scenario.Scenario) error {
	rules, err := r.FindRules(ctx, c.OrgID)
	if err != nil {
		return err
	}
	said := newInput(c, s, rules, rules.Recording == callrules.RecordAnnounce)
	for _, text := range conversation.CallTexts(r.book, said) {
		if _, err := r.Speaker.Speak(ctx, tts.SpeechRequest{OrgID: c.OrgID, Text: text, Voice: s.Voice}); err != nil {
			return err
		}
	}
	return nil
}

// RehearseScenario holds a conversation in writing, by the organization's rules.
func (r *ConversationRunner) RehearseScenario(ctx context.Context, q rehearsal.Request) (rehearsal.Outcome, error) {
	deps, err := r.rehearsalOf(ctx, q.OrgID)
	if err != nil {
		return rehearsal.Outcome{}, err
	}
	q.Bounds = r.FindBounds(ctx, q.OrgID, q.Scenario)
	for name, b := range q.Bounds {
		b.Draw = math.Floor(b.Draw)
		q.Bounds[name] = b
	}
	return rehearsal.RunRehearsal(ctx, deps, q)
}

// RunTests runs the tests of a scenario, by the rules of its organization.
func (r *ConversationRunner) RunTests(ctx context.Context, s scenario.Scenario) (scenario.TestRun, error) {
	deps, err := r.rehearsalOf(ctx, s.OrgID)
	if err != nil {
		return scenario.TestRun{}, err
	}
	return scenariotest.RunTests(engine.WithClient(ctx, engine.ClientID{Organization: s.OrgID}), deps, s)
}

// TryTest returns the steps and the report that a test's lines lead to.
func (r *ConversationRunner) TryTest(
	ctx context.Context, s scenario.Scenario, t scenario.ScenarioTest,
) ([]string, json.RawMessage, error) {
	deps, err := r.rehearsalOf(ctx, s.OrgID)
	if err != nil {
		return nil, nil, err
	}
	out, err := scenariotest.TryTest(ctx, deps, s, t)
	return out.Steps, out.Report, err
}

// rehearsalOf returns what conversations in writing share with the organization's calls.
func (r *ConversationRunner) rehearsalOf(ctx context.Context, orgID string) (rehearsal.Dependencies, error) {
	rules, err := r.FindRules(ctx, orgID)
	return rehearsal.Dependencies{
		Book: r.book, Chat: r.Chat, Tools: r.Tools, Rules: rules, Zone: loadTimeZone(rules.TimeZone),
		MayTransfer: r.mayTransfer(orgID), ReadClip: r.ReadClip, Callee: r.Callee,
		Listen: func() (conversation.StreamRecognizer, error) { return OpenBackground(r.Recognizer) },
	}, err
}

// newInput returns the scenario, variables and rules of a call's conversation.
func newInput(
	c call.Call, s scenario.Scenario, rules callrules.CallRules, announce bool,
) conversation.ConversationInput {
	return conversation.ConversationInput{
		OrgID: c.OrgID, CallID: c.ID, Scenario: s, Variables: c.Variables, Disclosure: rules.Disclosure,
		Announce: announce,
		Zone:     loadTimeZone(rules.TimeZone), City: rules.City, Text: textOptions(rules),
		MayCallBack: c.Attempt.CanRetry() || c.Trial, PersonCalled: c.Way() == call.Inbound,
	}
}

// textOptions returns the form of transcripts by an organization's rules.
func textOptions(rules callrules.CallRules) textform.Options {
	return textform.Options{
		Form: textform.Form(rules.TextForm), Numerals: textform.Numerals(rules.Numerals), Country: rules.Country(),
		Redact: rules.Redact,
	}
}

// CallTexts returns the texts that a call of the scenario will have to speak, as far as they are known before it.
func (r *ConversationRunner) CallTexts(
	s scenario.Scenario, variables map[string]any, rules callrules.CallRules,
) []string {
	return conversation.CallTexts(r.book, conversation.ConversationInput{
		OrgID: s.OrgID, Scenario: s, Variables: variables, Disclosure: rules.Disclosure,
		Announce: rules.Recording == callrules.RecordAnnounce,
	})
}
