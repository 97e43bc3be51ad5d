// Package rehearsal runs a scenario's conversation in writing: the conversation of calls (package conversation) on a
// line without audio, whose person answers with typed texts and keys instead of speech.
//
// It is stateless. A rehearsal is the list of its answers: each run starts from the beginning and stops where the next
// answer is needed, so that a changed scenario can be tried with the same answers. A language model is asked as in a
// call, in each run for its next reply only: like the answers, its earlier replies are part of the rehearsal.
package rehearsal

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/appliance/tts"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// Limits of a rehearsal.
const (
	MaxAnswers = scenario.MaxTestSays
	Timeout    = 5 * time.Second // of one run
	// modelTimeout is the timeout of a run of a scenario with steps of a language model, whose replies have their own.
	modelTimeout = 25 * time.Second
)

// Forms of answers: a spoken text, pressed keys, silence until the platform speaks again, a hang-up.
const (
	Says   = "say:"
	Keys   = "keys:"
	Silent = "silent"
	HangUp = "hangup"
)

// Request is a scenario with the values of a booking and the answers so far, each in one of the forms.
type Request struct {
	OrgID     string
	Scenario  scenario.Scenario
	Variables map[string]any
	Answers   []string
	Replies   []string  // of the language model and of tools, so far
	Now       time.Time // when the call is answered; zero: now
	ToEnd     bool      // after the last answer the person is silent, instead of the run waiting for the next one
}

// Outcome is the state of a conversation after the answers so far.
type Outcome struct {
	Messages    []call.Message
	Slots       map[string]any // found so far
	Waiting     bool           // for the next answer; else the conversation is over
	Slot, Kind  string         // of the question that waits
	Phrases     []string       // a choice's options
	Status      call.CallStatus
	Reason      call.FailureReason
	Errors      []call.CallError
	Report      json.RawMessage
	Transferred string   // target of the transfer
	Suppressed  bool     // the person asked never to be called again
	Steps       []string // ids of the steps that were reached, in order
	Replies     []string // of the language model and of tools, the new ones last
	Model       string   // result of the language model; empty: not needed
}

// Results of the language model.
const (
	ModelAsked   = "asked"
	ModelMissing = "missing" // the organization has no endpoint of that name
	ModelFailed  = "failed"  // it did not answer, or not in time
)

// errAwaiting ends a run that needs another answer.
var errAwaiting = errors.New("the next answer is awaited")

// Dependencies are what a rehearsal shares with a call.
type Dependencies struct {
	Book        *conversation.PhraseBook
	Chat        conversation.ChatModel
	Tools       conversation.ToolCaller
	Rules       callrules.CallRules // of the organization
	Zone        *time.Location
	MayTransfer func(ctx context.Context, to callrules.TransferTarget) error
}

// RunRehearsal runs a conversation by the organization's rules, of a scenario that passes [scenario.CheckScenario].
func RunRehearsal(ctx context.Context, d Dependencies, r Request) (Outcome, error) {
	limit := Timeout
	if r.Scenario.LLM != nil || slices.ContainsFunc(r.Scenario.Steps, func(s scenario.FlowStep) bool {
		return s.Type == scenario.Fetch
	}) {
		limit = modelTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	replies := newRememberedReplies(d, r.Replies)
	line := newLine(r.Answers[:min(len(r.Answers), MaxAnswers)])
	line.toEnd = r.ToEnd
	out := Outcome{Slots: map[string]any{}}
	talk, err := conversation.RunConversation(ctx, conversation.Dependencies{
		Line: line, Hear: typedWords{line}, Speak: silentVoice{}, Book: d.Book, Now: r.clock(line),
		Chat: replies, Tools: replies, Timeless: true,
		MayTransfer: d.MayTransfer,
		OnSlot: func(name string, value any) {
			out.Slots[name] = value
		},
		OnStep: func(id string) { out.Steps = append(out.Steps, id) },
	}, conversation.ConversationInput{
		OrgID: r.OrgID, Scenario: r.Scenario, Variables: r.Variables, Disclosure: d.Rules.Disclosure, Zone: d.Zone,
		City:     d.Rules.City,
		Announce: d.Rules.Recording == callrules.RecordAnnounce, MayCallBack: true,
	})
	out.Messages, out.Errors, out.Transferred, out.Suppressed = talk.Messages, talk.Errors, line.transferred, talk.Suppress
	out.Replies, out.Model = replies.usedReplies()
	if errors.Is(err, errAwaiting) {
		out.Waiting, out.Slot, out.Kind, out.Phrases = true, line.asked.Slot, line.asked.Kind, line.asked.Phrases
		return out, nil
	}
	out.Status, out.Reason, out.Report = talk.Status, call.ReasonOf(talk.Failure), talk.Report
	return out, err
}

// clock returns the clock of a run: the present, or a given time that goes on with the line.
func (r Request) clock(line *typedLine) func() time.Time {
	if r.Now.IsZero() {
		return time.Now
	}
	return func() time.Time { return r.Now.Add(time.Duration(line.n) * carrier.Tick) }
}

// silentVoice speaks silence, 100 ms for each word.
type silentVoice struct{}

// Speak implements [tts.TextSpeaker].
func (silentVoice) Speak(_ context.Context, r tts.SpeechRequest) (tts.SpokenSound, error) {
	words := max(1, len(strings.Fields(r.Text)))
	return tts.SpokenSound{PCM: make([]int16, words*carrier.Rate/10)}, nil
}
