// Package conversation runs a scenario's conversation over an answered line: it speaks, listens, interprets answers and
// returns a report.
//
// It depends on a line, a recognizer, a voice and a scenario; not on the dialer or the store. One goroutine reads the
// line frame by frame, and the line's frames are its clock: a simulated call may run faster than time,
// deterministically. Only slow work, speech synthesis and an llm, runs concurrently with the frames, each with a hard
// deadline, so that a call never hangs on it.
//
// The order of a call: the organization's disclosure and recording notice if there are any, then the steps. A say step
// is played to its end; a question falls silent as soon as the person seems to speak (barge-in). Words end it, and the
// message keeps those that were played; it goes on after a noise, its own echo, or a back-channel while something is
// told before the question. Speech from before a question began is no answer to it. Keys (DTMF) are accepted where they
// make sense: 1 and 2 for yes and no, an option's key or place, a number's digits.
//
// An answer ends after a silence that depends on what was said so far (endpoint.go): short when the question's grammar
// knows it as complete, long when it is only a beginning.
//
// The recognizer is given each question's grammar, and returns the possible readings of an answer with probabilities;
// by these package slot accepts, doubts or rejects the answer. A doubtful yes or no is asked once more, and accepted if
// it is given twice; another doubtful value is read back. After silence or an unrecognized answer the question is
// repeated as often as the step allows, each time with an error entry (no_input, no_match), then its on_failure is
// taken. After a misunderstanding a question with few answers offers keys (DTMF): "نعم اضغط واحد لا اضغط اثنين".
//
// Intents that are recognized at any time (the phrases are data, words/phrases_ar.json):
//
//	don't call me again   acknowledged, the number is to be suppressed, the call ends
//	wrong number          an apology, the call ends                                      error wrong_number
//	I'm busy, call later  acknowledged, the call ends; see below                         error call_later
//	let me talk to a person   the scenario's transfer step, if it has one; else as busy  error agent_requested
//	who is calling        the scenario's identify lines, or its first step's, and the question again
//	say that again        the question again, without counting as an answer that failed
//	hello?                the same
//	one moment            20 s of patience
//	goodbye               if it answers no question: the call ends                       error goodbye
//
// The first four are recognized while the platform speaks, too. "Busy" and "wrong number" are not searched in the
// answer to an open question, where they may be the answer.
//
// Promises of a call back are true: a promise ("سنتصل بكم لاحقا"), the platform's own or a scenario's, is spoken only
// if another attempt can be booked, and sets CallBack in the outcome. Otherwise it is left out, with the error
// call_back_left_out if the scenario did not mark the line (call_back).
//
// A model's answer (llm steps) is spoken sentence by sentence while it streams. Its deadline, and any failure, leads to
// the step's on_failure or next step. Values of variables and slots reach it as data, apart from the instructions. It
// may call the step's tools before it answers. A sentence with a number, time, date or name that nothing in the call
// says (package grounding) is not spoken, and the step fails (error llm_ungrounded).
//
// How a call ends: completed, when the flow came to its end, even without answers; when the person hung up after a word
// or a key; at the longest duration (error max_duration). A hang-up before a word is user_rejected (hung_up_early).
// Machines end it as package amd documents, unless the scenario's policy differs. Report properties that violate the
// schema are removed (error report_invalid).
package conversation

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/certainty"
	"munadi/appliance/conversation/llm"
	"munadi/appliance/conversation/slot"
	"munadi/appliance/conversation/tool"
	"munadi/appliance/textform"
	"munadi/appliance/tts"
	"munadi/engine/grammar"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// StreamRecognizer is a recognizer that follows one call. It belongs to one goroutine.
type StreamRecognizer interface {
	// Push processes the next samples, 16 kHz in [-1, 1]. A turn that ends is recognized before it returns.
	Push(ctx context.Context, samples []float32) ([]RecognizerReport, error)
	// Flush ends the audio: an open turn is recognized from its audio so far.
	Flush(ctx context.Context) ([]RecognizerReport, error)
	// ExpectPhrases sets the phrases that the next answer probably contains, and its grammar; nil: anything.
	ExpectPhrases(phrases []string, answers *grammar.RuleGrammar) error
	// EndTurnsBy sets who decides how long the silence after a turn's words must be to end it; it is asked within Push.
	EndTurnsBy(silenceAfter func(PausedTurn) time.Duration)
}

// HeardKind is the kind of a recognizer report.
type HeardKind int

// The kinds. A turn gives one Started, a Continues every 300 ms or so, and one Final. A Likely may precede it, or come
// alone.
const (
	Likely HeardKind = iota // probably the start of a turn
	Started
	Continues
	Final
)

// RecognizerReport is one event of a recognizer. Start and End are those of the turn so far, in seconds since the first
// sample; Text and Confidence (0 to 1) are a Final's, empty if no words were recognized.
type RecognizerReport struct {
	Kind       HeardKind
	Start, End float64
	Text       string
	Confidence float64
	Readings   []slot.AnswerReading // of a Final with a grammar: its possible readings, likeliest first
}

// ChatModel answers for llm steps; package llm has one. onText gets the pieces of the answer while they stream; an
// error of onText stops the answer. The whole answer is returned, with the tools that it calls.
type ChatModel interface {
	Reply(ctx context.Context, r llm.ChatRequest, onText func(piece string) error) (llm.ChatReply, error)
}

// ToolCaller asks tools for fetch and llm steps; package tool has one. The answer is a JSON object.
type ToolCaller interface {
	CallTool(ctx context.Context, r tool.Request) (answer string, err error)
}

// Dependencies are a conversation's dependencies.
type Dependencies struct {
	Line  carrier.Line
	Hear  StreamRecognizer
	Speak tts.TextSpeaker
	Book  *PhraseBook
	Chat  ChatModel        // nil: llm steps fail
	Tools ToolCaller       // nil: fetch steps fail, and the tools of llm steps
	Now   func() time.Time // for relative days

	// MayTransfer says why a call may not be transferred to a target; nil allows every one.
	MayTransfer func(ctx context.Context, to callrules.TransferTarget) error
	// DialStaff calls a member of staff; nil: calls are transferred by their line alone. Its line is hung up by the
	// conversation.
	DialStaff func(ctx context.Context, d StaffDial) (carrier.Line, error)

	// Joined is the line of a member of staff who waits for the person: the call is theirs after the disclosure and the
	// recording notice, and no step is run; nil: the scenario's steps are. It is hung up by the conversation.
	Joined *JoinedStaff

	// Each may be nil.
	OnFrame   func(carrier.Frame) // every frame, before it is processed
	OnMessage func(call.Message)  // every turn as soon as it is over, in the order of their ends
	OnSlot    func(string, any)   // a slot and its value, once it is found out; nil for an answer that has none
	OnStep    func(id string)     // a step that is reached, each time
	OnStaff   func(on bool)       // a member of staff talks with the person from now on, or no longer
	OnFault   func(error)         // a voice, language model or tool failed, and the call continues
	LimitLine func(time.Duration) // sets how long the line may be up from now on
	Hangup    <-chan struct{}     // closed when a person ends the call
	TakeOvers <-chan *TakeOver    // by staff
	// Timeless means a line whose frames come as fast as they are read: concurrent work is awaited without reading
	// frames.
	Timeless bool
}

// ConversationInput is the content of one conversation.
type ConversationInput struct {
	OrgID      string
	CallID     string            // for the keys of tools' requests; empty: they are random
	Scenario   scenario.Scenario // must pass [scenario.CheckScenario]
	Variables  map[string]any    // of the booking
	Disclosure string            // spoken first; empty: none
	Announce   bool              // then: that the call is recorded
	Zone       *time.Location    // of the organization; nil: UTC
	City       string            // of the organization, for times named by prayers; empty: none
	Text       textform.Options  // form of the transcript
	// Answers are those of the call that the person follows up, by slot: these questions are not asked again.
	Answers map[string]any
	// PersonCalled means an inbound call: the platform speaks first.
	PersonCalled bool

	// Bounds are those on wrong decisions, by slot; none: the bounds of the slots' types hold.
	Bounds map[string]certainty.AcceptBound
	// Decided are the decisions of a recorded call that is held again: before bounds, the same answers are read back.
	Decided []call.AnswerDecision

	// MayCallBack means that another attempt can be booked. Without it no line that promises a call is spoken.
	MayCallBack bool
}

// ConversationOutcome is the result of a conversation. The caller keeps the recording.
type ConversationOutcome struct {
	call.CallOutcome
	Suppress bool // the person asked never to be called again
	// Unrecognized are the spans without a transcript: the person spoke with staff, or the recognizer failed.
	Unrecognized []call.SoundSpan
}

// RunConversation runs a conversation and hangs up. With an error the outcome still holds everything said until then:
//   - the context's error, and a failed outcome of reason interrupted;
//   - [carrier.ErrHungUp], and no status, if other code on our side hung up, which knows the reason;
//   - any other error of the line, and a failed outcome.
func RunConversation(ctx context.Context, deps Dependencies, in ConversationInput) (ConversationOutcome, error) {
	s := newSession(deps, in)
	s.Hear.EndTurnsBy(s.turnSilence)
	err := s.runConversation(ctx)
	s.Line.Hangup()
	s.drainRecognizer(ctx)
	return s.settleOutcome(ctx, err)
}
