package conversation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/endpoint"
	"munadi/store/call"
	"munadi/store/scenario"
)

// silenceBeforeMoment is how long the other side waits for the model's first sentence before it is asked for patience.
const silenceBeforeMoment = 2500 * time.Millisecond

var (
	errModel      = errors.New("the model does not answer")
	errUngrounded = errors.New("a sentence of the model states what nothing in the call says")
	errBargeIn    = errors.New("the person interrupted the model")
)

// runModelStep lets a language model lead the conversation for some turns. Any failure, deadline included, leads to
// on_failure, or without one to the next step, so that the scenario's own words follow.
func (s *conversationSession) runModelStep(ctx context.Context, i int) (int, error) {
	step := s.Scenario.Steps[i]
	for _, slot := range step.Slots {
		s.wasAsked[slot.Name] = true
	}
	err := s.chatTurns(ctx, step)
	switch {
	case errors.Is(err, errUngrounded): // has its own error
	case errors.Is(err, errModel):
		const model = "The language model"
		s.addError("llm_failed", wholeSentence,
			cmp.Or(endpoint.DescribeFault(model, err), model+" gave no answer that could be spoken."))
	default:
		return s.Scenario.NextStep(i, step.Next), err
	}
	if err := s.awaitPlayed(ctx); err != nil {
		return 0, err
	}
	next := s.Scenario.NextStep(i, cmp.Or(step.OnFailure, step.Next))
	if next == len(s.Scenario.Steps) {
		return next, s.sayCommonTexts(ctx, goodbyeText)
	}
	return next, nil
}

// chatTurns holds the model's turns, then has it fill the step's slots.
func (s *conversationSession) chatTurns(ctx context.Context, step scenario.FlowStep) error {
	begun := len(s.messages)
	err := s.turnsOfModel(ctx, step, begun)
	if err != nil {
		return err
	}
	if err := s.fillSlots(ctx, step, begun); err != nil {
		return err
	}
	return s.awaitPlayed(ctx)
}

// turnsOfModel alternates between the model and the person, until the model ends it, its turns are used up, or the
// person stays silent.
func (s *conversationSession) turnsOfModel(ctx context.Context, step scenario.FlowStep, begun int) error {
	if len(step.Say) > 0 {
		if ok, err := s.sayAndListen(ctx, step, step.Say, nil); !ok || err != nil {
			return err
		}
	}
	facts := s.knownFacts()
	for n := 1; ; n++ {
		a := modelAnswer{conversationSession: s, step: step, facts: facts, q: s.freeQuestion(step, 0), from: s.now}
		if err := a.runAnswer(ctx, begun); err != nil {
			return err
		}
		if a.ended || n >= step.TurnLimit() {
			return nil
		}
		if ok, err := s.sayAndListen(ctx, step, a.lines, &a); !ok || err != nil {
			return err
		}
	}
}

// freeQuestion is a question that any words answer.
func (s *conversationSession) freeQuestion(step scenario.FlowStep, again int) openQuestion {
	return openQuestion{
		slot: scenario.AnswerSlot{Name: step.ID, Type: scenario.Text}, again: again, timeout: step.AnswerTimeout(),
		noBarge: step.NoBargeIn, patience: step.PatienceFactor(),
	}
}

// sayAndListen speaks a text and waits for any answer. The model's text was spoken already; it is repeated after
// silence or on request. It returns false without an answer.
func (s *conversationSession) sayAndListen(
	ctx context.Context, step scenario.FlowStep, lines scenario.SpokenLines, heard *modelAnswer,
) (ok bool, err error) {
	for n := range 2 {
		var r questionReply
		if n == 0 && heard != nil {
			r, err = heard.awaitReply(ctx)
		} else {
			q := s.freeQuestion(step, n)
			q.lines = lines
			r, err = s.askQuestion(ctx, q)
		}
		switch {
		case err != nil:
			return false, err
		case r.kind == unspoken:
			return false, errModel
		case r.kind == leaving:
			return false, &intentInterruption{goodbye}
		case r.kind == silent:
			s.addError("no_input", "Nothing was answered to %s.", step.ID)
		case !r.kind.isRequest() && r.kind != resumed:
			return true, nil
		}
	}
	return false, nil
}

// modelAnswer is one answer of the model, which is spoken sentence by sentence while it streams.
type modelAnswer struct {
	*conversationSession
	step          scenario.FlowStep
	facts         *callFacts
	q             openQuestion
	from          time.Duration        // when the model was asked
	lines         scenario.SpokenLines // sentences that are spoken
	leftOut       bool                 // a sentence was left out
	asksTool      bool                 // a tool is being asked
	toolFrom      time.Duration        // since when
	askedPatience bool                 // the person was asked for patience
	ended         bool                 // the model ended the conversation
}

// runAnswer asks the model and speaks its answer. It returns when the answer is complete, though it may still be
// played. An interruption cancels the request.
func (a *modelAnswer) runAnswer(ctx context.Context, begun int) error {
	s := a.conversationSession
	if s.Chat == nil || s.Scenario.LLM == nil {
		return errModel
	}
	s.prepareQuestion(a.q)
	defer func() { s.open = false }()
	asked := s.newModelRounds(a.step, begun)
	waiting := func(ctx context.Context) error { return a.whileStreaming(ctx, asked.events) }
	ended, err := runBesideLine(ctx, s, s.Scenario.LLM.ReplyTimeout(), waiting, asked.runRounds)
	var failed *besideError
	switch {
	case errors.Is(err, errBargeIn):
		return nil
	case errors.As(err, &failed):
		return fmt.Errorf("%w: %w", errModel, failed)
	case err != nil:
		return err
	}
	a.ended = ended
	if err := a.takeEvents(ctx, asked.events); err != nil {
		return err
	}
	if len(a.lines) == 0 && (a.leftOut || !ended) {
		return errModel
	}
	return nil
}

// whileStreaming handles each frame until the answer is complete.
func (a *modelAnswer) whileStreaming(ctx context.Context, events <-chan modelEvent) error {
	if a.isInterrupted() {
		a.stopSpeaking()
		return errBargeIn
	}
	if err := a.takeEvents(ctx, events); err != nil {
		return err
	}
	slowTool := a.asksTool && a.now-a.toolFrom >= silenceBeforeFiller && !a.isSpeaking()
	slowModel := len(a.lines) == 0 && a.now-a.from >= silenceBeforeMoment
	if a.askedPatience || !slowTool && !slowModel {
		return nil
	}
	a.askedPatience = true
	_, err := a.queueLines(ctx, a.commonLines(oneMoment), carrier.AnswerExpectation{})
	return err
}

// isInterrupted reports whether the person has spoken for a while since the answer started to play.
func (a *modelAnswer) isInterrupted() bool {
	return len(a.lines) > 0 && !a.q.noBarge && a.ears.long && a.ears.since >= a.q.from-earlyTolerance &&
		!a.echo.isEcho()
}

// takeEvents takes what the model has written and its tools have answered.
func (a *modelAnswer) takeEvents(ctx context.Context, events <-chan modelEvent) error {
	for {
		select {
		case e := <-events:
			if err := a.takeEvent(ctx, e); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// wholeSentence is the form of a fault that is a sentence already.
const wholeSentence = "%s"

func (a *modelAnswer) takeEvent(ctx context.Context, e modelEvent) error {
	switch {
	case e.sentence != "":
		return a.speakSentence(ctx, e.sentence)
	case e.fault != "":
		a.addError("llm_tool", wholeSentence, e.fault)
		if e.cause != nil && a.OnFault != nil {
			a.OnFault(e.cause)
		}
	case e.answer != "":
		a.facts.AddAnswer(e.answer)
	}
	a.asksTool, a.toolFrom = e.tool != "", a.now
	return nil
}

// speakSentence speaks a sentence that is complete, unless it states what nothing in the call says.
func (a *modelAnswer) speakSentence(ctx context.Context, sentence string) error {
	if claim, found := a.findUngrounded(sentence); found {
		a.withholdSentence(sentence, claim)
		return errUngrounded
	}
	lines := scenario.SpokenLines{{Text: sayableText(sentence)}}
	start := a.now + a.Line.Queued()
	n, err := a.queueLines(ctx, lines, carrier.AnswerExpectation{})
	if err != nil {
		return err
	}
	a.leftOut = a.leftOut || n == 0
	if n > 0 && len(a.lines) == 0 {
		a.q.from, a.q.listened = max(start, a.now), a.now
	}
	if n > 0 {
		a.lines = append(a.lines, lines...)
	}
	return nil
}

// awaitReply waits for the person's reply to the answer.
func (a *modelAnswer) awaitReply(ctx context.Context) (questionReply, error) {
	a.open = true
	defer func() { a.open = false }()
	if err := a.awaitGrown(ctx); err != nil {
		return questionReply{}, err
	}
	last := a.lines[len(a.lines)-1]
	a.Line.Say(carrier.Speech{Text: last.Text, PCM: make([]int16, carrier.Samples), Expects: simulatorExpectation(a.q)})
	return a.listenForAnswer(ctx, &a.q)
}

func messageRole(r call.SpeakerRole) string {
	if r == call.User {
		return "user"
	}
	return "assistant"
}
