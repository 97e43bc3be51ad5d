// Package conversation holds a scenario's conversation over an answered line: it speaks, listens, understands, and
// brings home what was found out.
//
// It knows a line, a recognizer, a voice and a scenario; neither who dialled nor where outcomes are kept. One
// goroutine reads the line frame by frame, and the line's frames are its clock: a simulated call may run faster than
// time, and does the same each time. Only what may be slow, speech synthesis and an llm, runs concurrently
// while the frames go on, each with a hard deadline, so that a call never hangs on them.
//
// The shape of a call: the organization's disclosure and recording notice if there are any, then the steps. What is
// said in a say step is said to its end; a question is left off once the person has spoken for 300 ms, and the
// message keeps the words that were played. What is said before a question began is no answer to it. Keys work
// wherever they make sense: 1 and 2 for yes and no, an option's key or place, a number's digits.
//
// The recognizer is given each question's grammar, and reports what an answer may have been with probabilities; package
// slot decides by them what is believed, doubted or not understood. A doubtful yes or no is asked once more, and taken
// when it comes twice; another doubtful value is read back. Silence and what is not understood are asked again as often
// as the step says, each time with an error entry (no_input, no_match), then its on_failure is taken. After a
// misunderstanding a question with few answers offers keys (DTMF): "نعم اضغط واحد لا اضغط اثنين".
//
// What people ask for at any time (the phrases are data, words/phrases_ar.json):
//
//	don't call me again   acknowledged, the number is to be suppressed, the call ends
//	wrong number          an apology, the call ends                                      error wrong_number
//	I'm busy, call later  acknowledged, the call ends; see below                         error call_later
//	let me talk to a person   the scenario's transfer step, if it has one; else as busy  error agent_requested
//	who is calling        the scenario's identify lines, or its first step's, and the question again
//	say that again        the question again, without counting as an answer that failed
//	hello?                the same
//	one moment            20 s of patience
//	goodbye               where the answer is nothing else: the call ends                error goodbye
//
// The first four are heeded while the platform speaks, too. "Busy" and "wrong number" are not looked for in the answer
// to an open question, where they may be the answer.
//
// What is said of calling back is true: a promise ("سنتصل بكم لاحقا"), the platform's own or a scenario's, is said only
// where another attempt can be booked, and makes the outcome ask for it (CallBack). Else it is left out; where the
// scenario did not mark the line (call_back), with the error call_back_left_out.
//
// A model's answer (llm steps) is spoken sentence by sentence while it streams. Its deadline, and any failure, leads to
// the step's on_failure or next step. Values of variables and slots reach it as data, apart from the instructions.
//
// How a call ends: completed, when the flow came to its end, however little was said; when the person hung up after a
// word or a key; at the longest duration (error max_duration). A hang-up before a word is user_rejected
// (hung_up_early). Machines end it as package amd says, unless the scenario's policy is another. A report that does not
// follow its schema loses the properties that break it (error report_invalid).
package conversation

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation/llm"
	"munadi/appliance/conversation/slot"
	"munadi/appliance/tts"
	"munadi/engine/grammar"
	"munadi/store/call"
	"munadi/store/scenario"
)

// IncompleteSilence ends a turn that only begins an answer, for [engine.StreamOptions]: people who read out a number
// pause between its groups.
const IncompleteSilence = 1500 * time.Millisecond

// StreamRecognizer is a recognizer that follows one call. It belongs to one goroutine.
type StreamRecognizer interface {
	// Push hears the next samples, 16 kHz in [-1, 1]. A turn that ends is recognised before it returns.
	Push(ctx context.Context, samples []float32) ([]RecognizerReport, error)
	// Flush ends the audio: an open turn is recognized with what it has.
	Flush(ctx context.Context) ([]RecognizerReport, error)
	// ExpectPhrases says which phrases the next answer is likely to hold, and what it may be; nil: anything.
	ExpectPhrases(phrases []string, answers *grammar.RuleGrammar) error
}

// HeardKind says what the recognizer reports.
type HeardKind int

// The kinds. A turn gives one Started, a Continues every 300 ms or so, and one Final.
const (
	Started HeardKind = iota
	Continues
	Final
)

// RecognizerReport is one thing that a recognizer reports. Start and End are those of the turn so far, in seconds
// since the first sample; Text and Confidence (0 to 1) are a Final's, empty where no words were heard.
type RecognizerReport struct {
	Kind       HeardKind
	Start, End float64
	Text       string
	Confidence float64
	Readings   []slot.AnswerReading // a Final's where a grammar was expected: what it may have been, likeliest first
}

// ChatModel answers for llm steps; package llm has one. onText gets the pieces of the answer while they stream; an
// error of it stops the answer. The answer whole is returned.
type ChatModel interface {
	Reply(ctx context.Context, r llm.ChatRequest, onText func(piece string) error) (string, error)
}

// Dependencies is what a conversation is held with.
type Dependencies struct {
	Line  carrier.Line
	Hear  StreamRecognizer
	Speak tts.TextSpeaker
	Book  *PhraseBook
	Chat  ChatModel        // nil: llm steps fail
	Now   func() time.Time // for what "tomorrow" is

	// MayTransfer says why a call may not be transferred to an address; nil allows every one.
	MayTransfer func(ctx context.Context, to string) error

	// Each may be nil.
	OnFrame   func(carrier.Frame) // every frame, before it is looked at
	OnMessage func(call.Message)  // every turn as soon as it is over, in the order of their ends
	OnSlot    func(string, any)   // a slot and its value, once it is found out; nil for an answer that has none
	OnFault   func(error)         // a voice or a language model failed, and the call goes on
	Hangup    <-chan struct{}     // closed when a person ends the call
	// Timeless is a line whose frames come as fast as they are read: what runs beside it is waited for without frames.
	Timeless bool
}

// ConversationInput is what the conversation is about.
type ConversationInput struct {
	OrgID      string
	Scenario   scenario.Scenario // one that [scenario.CheckScenario] lets pass
	Variables  map[string]any    // of the booking
	Disclosure string            // spoken first; empty: none
	Announce   bool              // then: that the call is recorded
	Zone       *time.Location    // of the organization; nil: UTC

	// MayCallBack says that another attempt can be booked. Without it no line that promises a call is said.
	MayCallBack bool
}

// ConversationOutcome is what came of a conversation. Its recording is the caller's affair.
type ConversationOutcome struct {
	call.CallOutcome
	Suppress bool // the person asked never to be called again
}

// RunConversation holds a conversation and hangs up. With an error the outcome still holds what was said until then:
//   - the context's error, and a failed outcome of reason interrupted;
//   - [carrier.ErrHungUp], and no status, where the line was hung up by someone else on our side, who knows why;
//   - whatever else the line failed with, and a failed outcome.
func RunConversation(ctx context.Context, deps Dependencies, in ConversationInput) (ConversationOutcome, error) {
	s := newSession(deps, in)
	err := s.runConversation(ctx)
	s.Line.Hangup()
	s.drainRecognizer(ctx)
	return s.settleOutcome(ctx, err)
}
