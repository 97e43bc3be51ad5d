package conversation

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation/amd"
	"munadi/appliance/conversation/phrase"
	"munadi/appliance/conversation/slot"
	"munadi/engine/audio"
	"munadi/store/call"
	"munadi/store/scenario"
)

// Errors that end a conversation outside of its steps.
var (
	errRemoteHungUp = errors.New("the other side hung up")
	errOperator     = errors.New("a hang-up of the call was requested")
	errTooLong      = errors.New("the maximum duration of the call is over")
	errMachine      = errors.New("a machine answered")
	errNoVoice      = errors.New("no voice can speak a required text")
	errMoved        = errors.New("the call was transferred")
)

// conversationSession is the state of one conversation.
type conversationSession struct {
	Dependencies
	ConversationInput
	slots     map[string]scenario.AnswerSlot
	variables map[string]any
	optOuts   phrase.PhraseList
	questions []phrase.PhraseList // of the scenario, in its order

	now       time.Duration // end of the last frame, in the dialogue's time, which stands still while the call is held
	ears      lineListener
	detector  *amd.MachineDetector // nil: the policy is off
	pressed   string               // unprocessed keys
	pressing  time.Duration        // when the first of them was pressed
	pressedAt time.Duration        // and the last
	turns     []speechTurn         // unprocessed
	asked     *openQuestion        // whose answer is listened for; nil: none
	open      bool                 // the question is open: its answer may contain any words
	hint      *recognizerHint      // applied once the person is silent; nil: unchanged
	closing   bool                 // saying goodbye: further input is ignored

	greeting *greetingTracker // follows the level while the person's greeting is waited for; else nil

	awaiting       *awaitedReply // the person's speech that the next utterance answers; nil: none
	playing        []queuedUtterance
	growing        *growingSound // of the last utterance; nil: it is whole
	held           *heldSpeech   // the prompt is silent until it is clear whether the person interrupts it
	echo           echoDetector
	firstStepHeard bool // the first step was played to its end

	messages      []recordedMessage
	troubles      []call.CallError
	found         map[string]any  // slots
	wasAsked      map[string]bool // slots whose question was asked
	filledAside   map[string]bool // slots filled by the answer to another question, or in an earlier call
	ran           map[int]bool    // steps that were reached
	toolKeys      atomic.Int64    // idempotency keys that were given out, also beside the line
	heardAside    map[string]any  // doubtful values in the answer to another question: they are read back
	transferTried bool            // a transfer was tried
	personReacted bool            // the other side said a word or pressed a key
	suppress      bool
	callBack      bool                 // another call was promised
	introduced    bool                 // disclosure and recording notice were spoken to their end
	told          scenario.SpokenLines // by the last say step
	step          int                  // that runs, or that is to run first
	transferred   bool                 // the call was transferred
	decisions     []call.AnswerDecision
	neverRefers   bool // the trunk does not transfer calls
	transfers     []call.CallTransfer
	withStaff     time.Duration // that was spent with people who took the call
	changesAsked  int           // times that was asked which answer is to change
	answerMissed  bool          // a question was not answered in all its attempts
	followUpAtEnd bool          // the last step requires that staff follow the call up

	onHold    bool          // the other side holds the call
	holds     []holdSpan    // in which the dialogue stood still
	heldTime  time.Duration // of all of them
	callHolds []call.CallHold

	unrecognized []call.SoundSpan // without a transcript
}

// speechTurn is one turn of the other side.
type speechTurn struct {
	text       string
	words      []string
	start, end time.Duration
	confidence float64
	readings   []slot.AnswerReading
}

func newSession(d Dependencies, in ConversationInput) *conversationSession {
	if in.Zone == nil {
		in.Zone = time.UTC
	}
	s := &conversationSession{
		Dependencies: d, ConversationInput: in,
		slots: map[string]scenario.AnswerSlot{}, variables: in.Scenario.WithDefaults(in.Variables),
		optOuts: optOutPhrases(d.Book, in.Scenario.OptOutPhrases), questions: questionPhrases(in.Scenario),
		ears:  lineListener{hear: d.Hear, resampler: audio.NewResampler(carrier.Rate, audio.Rate)},
		step:  in.Scenario.FirstStep(),
		found: map[string]any{}, wasAsked: map[string]bool{}, filledAside: map[string]bool{},
		heardAside: map[string]any{}, ran: map[int]bool{},
	}
	s.Text = in.textForm()
	for _, asked := range in.Scenario.AllSlots() {
		s.slots[asked.Name] = asked
		if answer, given := in.Answers[asked.Name]; given {
			s.setSlot(asked.Name, answer)
			s.filledAside[asked.Name] = true
		}
	}
	if in.Scenario.MachinePolicyOrDefault() != scenario.MachineOff {
		s.detector = amd.NewDetector(d.Book.machines)
	}
	return s
}

// nextFrame reads the next frame: 20 ms of the call. On an error the current work must stop.
func (s *conversationSession) nextFrame(ctx context.Context) error {
	select {
	case <-s.Hangup:
		return errOperator
	case t := <-s.TakeOvers:
		return &takeOverInterruption{t}
	default:
	}
	f, err := s.Line.Next(ctx)
	switch {
	case errors.Is(err, io.EOF):
		return errRemoteHungUp
	case err != nil:
		return err
	}
	if s.OnFrame != nil {
		s.OnFrame(f)
	}
	if f.Held {
		return s.passHeldFrame()
	}
	if s.onHold {
		s.resumeFromHold()
	}
	s.setTime(f)
	f.At = s.now - carrier.Tick
	s.growSpeech(ctx)
	s.echo.pushFrame(f.In[:], f.Out[:], s.ears.likely)
	if s.detector != nil {
		s.detector.PushFrame(f.At, f.In[:])
	}
	if err := s.listenTo(ctx, f); err != nil {
		return err
	}
	s.recordPlayed()
	return s.checkLimits()
}

// listenTo passes a frame of the other side to the detector and the recognizer.
func (s *conversationSession) listenTo(ctx context.Context, f carrier.Frame) error {
	if s.greeting != nil {
		s.greeting.pushFrame(f.In[:])
	}
	if f.Digits != "" {
		if s.pressed == "" {
			s.pressing = f.At
		}
		s.pressed += f.Digits
		s.pressedAt, s.personReacted = s.now, true
	}
	heard, err := s.ears.pushFrame(ctx, f)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.markUnrecognized()
		s.addError("recognizer_failed", "What the person said could not be recognized.")
	}
	var first error
	for _, h := range heard {
		if err := s.takeReport(h); first == nil {
			first = err
		}
	}
	return first
}

// takeReport processes one report of the recognizer.
func (s *conversationSession) takeReport(h RecognizerReport) error {
	if h.Kind == Likely {
		s.echo.takeShare()
	}
	if !s.ears.takeReport(h) {
		return nil
	}
	if s.echo.takeShare() >= echoShare {
		return nil
	}
	t := s.recordTurn(h)
	if s.hint != nil {
		s.expectNow()
	}
	s.turns = append(s.turns, t)
	s.suppress = s.suppress || s.optOuts.IndexIn(t.words) >= 0
	if s.closing || len(t.words) == 0 {
		return nil
	}
	if s.detector != nil {
		s.detector.PushTurn(t.text, t.start, t.end, s.now)
		if err := s.checkLimits(); err != nil {
			return err
		}
	}
	if i := s.findBreakingIntent(t.words, s.open); i != noIntent {
		s.noteAnswered(t.end)
		return &intentInterruption{i}
	}
	return nil
}

// recordTurn adds a turn to the transcript.
func (s *conversationSession) recordTurn(h RecognizerReport) speechTurn {
	t := speechTurn{
		text: h.Text, words: phrase.FoldWords(h.Text), start: s.ears.lineTime(h.Start), end: s.ears.lineTime(h.End),
		confidence: max(0, min(1, h.Confidence)), readings: h.Readings,
	}
	if h.Text != "" {
		s.personReacted = true
		s.addMessage(call.Message{
			Role: call.User, Content: h.Text, Start: s.lineAt(t.start).Seconds(), End: s.lineAt(t.end).Seconds(),
			Confidence: t.confidence,
		})
	}
	return t
}

// checkLimits returns an error if the call must end now.
func (s *conversationSession) checkLimits() error {
	if !s.closing && s.isMachineToEnd() {
		return errMachine
	}
	if s.now+s.heldTime-s.withStaff >= s.Scenario.MaxDuration() {
		return errTooLong
	}
	return nil
}

// isMachineToEnd reports whether a machine was detected to which the call ends: a line tone, or any by the scenario's
// policy.
func (s *conversationSession) isMachineToEnd() bool {
	if s.detector == nil {
		return false
	}
	v := s.detector.Decision().Verdict
	return v.IsLineTone() || v.IsMachine() && s.Scenario.MachinePolicyOrDefault() == scenario.MachineHangUp
}

// drainRecognizer recognizes the last turn after the line has ended, and of its intents heeds only "don't call me
// again".
func (s *conversationSession) drainRecognizer(ctx context.Context) {
	s.recordInterrupted(s.now)
	if ctx.Err() != nil {
		s.markUnrecognized()
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	heard, err := s.Hear.Flush(ctx)
	if err != nil {
		s.markUnrecognized()
		s.addError("recognizer_failed", "What the person said last could not be recognized.")
	}
	for _, h := range heard {
		if !s.ears.takeReport(h) {
			continue
		}
		t := s.recordTurn(h)
		s.suppress = s.suppress || s.optOuts.IndexIn(t.words) >= 0
		if s.detector != nil {
			s.detector.PushTurn(t.text, t.start, t.end, s.now)
		}
	}
}
