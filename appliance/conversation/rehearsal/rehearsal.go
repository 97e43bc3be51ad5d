// Package rehearsal runs a scenario's conversation without a call: the conversation of calls (package conversation) on
// a line whose frames are the clock, and whose person answers with typed texts and keys, or with sounds that the
// recognizer hears: recorded clips, the person's channel of a recording, or a callee of the simulator.
//
// It is stateless. A rehearsal is the list of its answers: each run starts from the beginning and stops where the next
// answer is needed, so that a changed scenario can be tried with the same answers. A language model is asked as in a
// call, in each run for its next reply only: like the answers, its earlier replies are part of the rehearsal.
package rehearsal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/certainty"
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
	// SoundTimeout is the timeout of a run with sounds.
	SoundTimeout = time.Minute
)

// Forms of answers: a spoken text, pressed keys, silence until the platform speaks again, a hang-up, and a recorded
// clip by its name.
const (
	Says   = "say:"
	Keys   = "keys:"
	Silent = "silent"
	HangUp = "hangup"
	Clip   = scenario.ClipLine
)

// Act is what the person does next: an answer in one of the forms, or a sound.
type Act struct {
	Answer string
	Sound  []int16 // at [carrier.Rate]; nil: Answer is no clip
	// Into is how long after the platform began to speak the act begins, even if it still speaks: of an act that
	// interrupted it in a recorded call, or that came before it. Otherwise, and 0, it begins when the platform is quiet.
	Into time.Duration
	// Fresh means that the platform is to speak again before Into begins.
	Fresh bool
}

// Request is a scenario with the values of a booking and the answers so far, each in one of the forms.
type Request struct {
	OrgID     string
	Scenario  scenario.Scenario
	Variables map[string]any
	Answers   []string
	Acts      []Act  // after Answers
	Callee    string // a callee of the simulator, who answers instead; empty: none
	// Pace is how long the platform takes to speak a word; 0: 100 ms.
	Pace    time.Duration
	Limit   time.Duration // of the run; 0: the usual one
	Replies []string      // of the language model and of tools, so far
	Now     time.Time     // when the call is answered; zero: now
	// Bounds are those on wrong decisions, by slot; none: the bounds of the slots' types hold.
	Bounds map[string]certainty.AcceptBound
	ToEnd  bool // after the last answer the person is silent, instead of the run waiting for the next one

	// Of a recorded call that is held again.
	PersonCalled bool                  // it was an inbound call
	Follows      *call.FollowedCall    // by it; nil: none
	Decided      []call.AnswerDecision // its answers to questions with a bound on wrong decisions
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
	// SlotActs are the numbers of the acts, from 0, that were the latest ones when each slot was found.
	SlotActs map[string]int
	Heard    []HeardTurn
}

// HeardTurn is what was recognized of the person, and the number of the act, from 0, that was the latest one.
type HeardTurn struct {
	Act  int
	Text string
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
	Voices      tts.VoiceFinder // nil: every text can be spoken

	// Listen opens the recognizer of one run; nil: nothing with a sound can be run.
	Listen func() (conversation.StreamRecognizer, error)
	// ReadClip returns the sound of a clip of an organization, at [carrier.Rate]; nil: there are none.
	ReadClip func(ctx context.Context, orgID, name string) ([]int16, error)
	// Callee returns the line to the simulator's callee of a number; nil: there are none.
	Callee func(number string) (carrier.Line, error)
}

// ErrNoSound means that a person's sounds cannot be heard here.
var ErrNoSound = errors.New("sounds cannot be heard here: there is no recognizer")

// RunRehearsal runs a conversation by the organization's rules, of a scenario that passes [scenario.CheckScenario].
func RunRehearsal(ctx context.Context, d Dependencies, r Request) (Outcome, error) {
	acts, err := d.readActs(ctx, r)
	if err != nil {
		return Outcome{}, err
	}
	line := newLine(acts)
	line.toEnd = r.ToEnd
	ctx, cancel := context.WithTimeout(ctx, r.timeout(acts))
	defer cancel()
	deps, err := d.openLine(r, line)
	if err != nil {
		return Outcome{}, err
	}
	replies := newRememberedReplies(d, r.Replies)
	out := Outcome{Slots: map[string]any{}, SlotActs: map[string]int{}}
	deps.Speak, deps.Now = silentVoice{cmp.Or(r.Pace, usualPace), d.Voices}, r.clock(line)
	deps.Book, deps.MayTransfer = d.Book, d.MayTransfer
	deps.Chat, deps.Tools, deps.Timeless = replies, replies, true
	deps.OnSlot = func(name string, value any) { out.Slots[name], out.SlotActs[name] = value, line.begun-1 }
	deps.OnStep = func(id string) { out.Steps = append(out.Steps, id) }
	deps.OnMessage = func(m call.Message) {
		if m.Role == call.User {
			out.Heard = append(out.Heard, HeardTurn{line.begun - 1, m.Content})
		}
	}
	in := conversation.ConversationInput{
		OrgID: r.OrgID, Scenario: r.Scenario, Variables: r.Variables, Disclosure: d.Rules.Disclosure, Zone: d.Zone,
		City:     d.Rules.City,
		Announce: d.Rules.Recording == callrules.RecordAnnounce, MayCallBack: true, PersonCalled: r.PersonCalled,
		Bounds: r.Bounds, Decided: r.Decided,
	}
	if r.Follows != nil {
		in = in.FollowUpCall(*r.Follows)
	}
	talk, err := conversation.RunConversation(ctx, deps, in)
	out.Messages, out.Errors = talk.Messages, talk.Errors
	out.Transferred, out.Suppressed = line.transferred, talk.Suppress
	out.Replies, out.Model = replies.usedReplies()
	if errors.Is(err, errAwaiting) {
		out.Waiting, out.Slot, out.Kind, out.Phrases = true, line.asked.Slot, line.asked.Kind, line.asked.Phrases
		return out, nil
	}
	out.Status, out.Reason, out.Report = talk.Status, call.ReasonOf(talk.Failure), talk.Report
	return out, err
}

// readActs returns the person's acts with their sounds.
func (d Dependencies) readActs(ctx context.Context, r Request) ([]Act, error) {
	var acts []Act
	for _, answer := range r.Answers[:min(len(r.Answers), MaxAnswers)] {
		a := Act{Answer: answer}
		if name, isClip := strings.CutPrefix(answer, Clip); isClip {
			if d.ReadClip == nil {
				return nil, ErrNoSound
			}
			var err error
			if a.Sound, err = d.ReadClip(ctx, r.OrgID, name); err != nil {
				return nil, fmt.Errorf("the clip %s cannot be read: %w", name, err)
			}
		}
		acts = append(acts, a)
	}
	return append(acts, r.Acts...), nil
}

// needsEars reports whether an act has a sound.
func (r Request) needsEars(acts []Act) bool {
	return r.Callee != "" || slices.ContainsFunc(acts, func(a Act) bool { return a.Sound != nil })
}

// timeout returns the time limit of a run.
func (r Request) timeout(acts []Act) time.Duration {
	asks := func(s scenario.FlowStep) bool { return s.Type == scenario.Fetch }
	switch {
	case r.Limit > 0:
		return r.Limit
	case r.needsEars(acts):
		return SoundTimeout
	case r.Scenario.LLM != nil || slices.ContainsFunc(r.Scenario.Steps, asks):
		return modelTimeout
	}
	return Timeout
}

// openLine returns the line of a run and its recognizer.
func (d Dependencies) openLine(r Request, line *typedLine) (deps conversation.Dependencies, err error) {
	ears := lineRecognizer{line: line}
	if r.needsEars(line.acts) {
		if d.Listen == nil || r.Callee != "" && d.Callee == nil {
			return deps, ErrNoSound
		}
		if ears.stream, err = d.Listen(); err != nil {
			return deps, err
		}
	}
	deps.Line, deps.Hear = line, ears
	if r.Callee == "" {
		return deps, nil
	}
	callee, err := d.Callee(r.Callee)
	deps.Line = calleeLine{callee, line}
	return deps, err
}

// clock returns the clock of a run: the present, or a given time that goes on with the line.
func (r Request) clock(line *typedLine) func() time.Time {
	if r.Now.IsZero() {
		return time.Now
	}
	return func() time.Time { return r.Now.Add(time.Duration(line.n) * carrier.Tick) }
}

// usualPace is how long a word takes that nobody hears.
const usualPace = 100 * time.Millisecond

// silentVoice speaks silence, each word as long as its pace, in place of the voices; nil stands for ones that speak
// every text.
type silentVoice struct {
	pace   time.Duration
	voices tts.VoiceFinder
}

// Speak implements [tts.TextSpeaker].
func (v silentVoice) Speak(ctx context.Context, r tts.SpeechRequest) (tts.SpokenSound, error) {
	if v.voices != nil && v.voices.FindVoice(ctx, r) == "" {
		return tts.SpokenSound{}, tts.ErrNoVoice
	}
	words := max(1, len(strings.Fields(r.Text)))
	return tts.SpokenSound{PCM: make([]int16, words*int(v.pace*carrier.Rate/time.Second))}, nil
}
