package appliance

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/appliance/conversation/llm"
	"munadi/appliance/conversation/slot"
	"munadi/appliance/dialer"
	"munadi/appliance/ssehub"
	"munadi/appliance/tts"
	"munadi/appliance/webhook"
	"munadi/assets/scenarios"
	"munadi/engine"
	"munadi/engine/grammar"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// conversationHolder runs the conversations of all calls.
type conversationHolder struct {
	engine  *engineHolder
	speaker tts.TextSpeaker
	book    *conversation.PhraseBook
	chat    conversation.ChatModel
	rules   func(ctx context.Context, orgID string) (callrules.CallRules, error)
	events  *ssehub.EventHub
	sound   *ssehub.SoundHub
	log     *slog.Logger
}

// newTalker loads what all conversations share.
func (a *Appliance) newTalker() (*conversationHolder, error) {
	book, err := conversation.ReadBook(scenarios.ScenarioFiles())
	if err != nil {
		return nil, err
	}
	return &conversationHolder{
		engine: &a.engine, speaker: &a.calls.speaker, book: book, chat: a.newChat(), rules: a.store.FindRules,
		events: a.events, sound: a.sound, log: a.log,
	}, nil
}

// newChat returns the client of the operator's language models (LLM). Their URLs are set by the operator, so private
// networks are allowed whatever webhook-to says.
func (a *Appliance) newChat() *llm.ChatClient {
	transport := webhook.OutboundNetwork{Proxy: a.config.OutboundProxy()}.NewTransport()
	return llm.NewClient(transport, func(orgID, name string) (llm.ChatEndpoint, bool) {
		e, ok := a.inForce().LLMEndpoints.FindEndpoint(orgID, name)
		return llm.ChatEndpoint{URL: e.URL, Model: e.Model, KeyEnv: e.KeyEnv}, ok
	})
}

// Converse implements [dialer.Conversationalist].
func (t *conversationHolder) Converse(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
	ctx = engine.WithClient(ctx, engine.ClientID{Organization: c.Call.OrgID})
	hearing, err := t.engine.openHearing(engine.StreamOptions{})
	if err != nil {
		return dialer.TalkResult{}, err
	}
	shown := newShow(t.events, t.sound, c.Call)
	shown.publishState(call.InProgress)
	deps := conversation.Dependencies{
		Line:        &tappedLine{Line: c.Line, show: shown},
		Hear:        shownHearing{hearing, shown},
		Speak:       t.speaker,
		Book:        t.book,
		Chat:        t.chat,
		Now:         time.Now,
		MayTransfer: t.mayTransfer(c),
		OnMessage:   shown.publishMessage,
		OnSlot:      shown.publishSlot,
		OnFault:     func(err error) { t.log.Warn("a call continues without its LLM", "call_id", c.Call.ID, "err", err) },
	}
	announce := c.Recorded && c.Rules.Recording == callrules.RecordAnnounce
	out, err := conversation.RunConversation(ctx, deps, conversationInput(c.Call, c.Scenario, c.Rules, announce))
	talk := dialer.TalkResult{Outcome: out.CallOutcome}
	if out.Suppress {
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
		return talk, nil //nolint:nilerr // ended from outside: what was said counts
	}
	return talk, err
}

// mayTransfer checks a transfer's target against the organization's dialling rules at the time of the transfer.
func (t *conversationHolder) mayTransfer(c dialer.ConversationInput) func(context.Context, string) error {
	return func(ctx context.Context, to string) error {
		rules, err := t.rules(ctx, c.Call.OrgID)
		if err != nil {
			rules = c.Rules
		}
		return rules.CheckTransfer(to)
	}
}

// loadTimeZone returns the time zone of a name; an unknown name counts as UTC, since the rules were validated when
// they were set.
func loadTimeZone(name string) *time.Location {
	if l, err := time.LoadLocation(name); err == nil {
		return l
	}
	return time.UTC
}

// shownHearing adapts a live stream to package conversation and publishes partial results to the call's viewers.
type shownHearing struct {
	*liveHearing
	show *callPublisher
}

// Push implements [conversation.StreamRecognizer].
func (e shownHearing) Push(ctx context.Context, samples []float32) ([]conversation.RecognizerReport, error) {
	e.Show(e.show.partialInterval())
	events, err := e.liveHearing.Push(ctx, samples)
	for _, h := range events {
		switch {
		case h.Type != engine.Final:
			e.show.publishPartial(h.Start, h.End, h.Text)
		case h.Text == "":
			e.show.publishNoWords()
		}
	}
	return toReports(events), err
}

// Flush implements [conversation.StreamRecognizer].
func (e shownHearing) Flush(ctx context.Context) ([]conversation.RecognizerReport, error) {
	events, err := e.liveHearing.Flush(ctx)
	return toReports(events), err
}

// ExpectPhrases implements [conversation.StreamRecognizer].
func (e shownHearing) ExpectPhrases(phrases []string, answers *grammar.RuleGrammar) error {
	return e.SetExpected(phrases, answers)
}

func toReports(events []engine.StreamEvent) []conversation.RecognizerReport {
	kinds := map[engine.StreamEventType]conversation.HeardKind{
		engine.SpeechStarted:   conversation.Started,
		engine.SpeechContinues: conversation.Continues,
		engine.Final:           conversation.Final,
	}
	var all []conversation.RecognizerReport
	for _, e := range events {
		if kind, known := kinds[e.Type]; known {
			all = append(all, conversation.RecognizerReport{
				Kind: kind, Start: e.Start, End: e.End, Text: e.Text, Confidence: e.Confidence,
				Readings: slotReadings(e.Readings),
			})
		}
	}
	return all
}

func slotReadings(all []engine.GrammarReading) []slot.AnswerReading {
	var out []slot.AnswerReading
	for _, r := range all {
		out = append(out, slot.AnswerReading{Text: r.Text, Probability: r.Probability})
	}
	return out
}

// canSpeak checks that all sentences of a call can be spoken; tts.ErrNoVoice when not.
func (a *Appliance) canSpeak(ctx context.Context, c call.Call) error {
	s, err := a.calls.flows.Scenario(ctx, c.OrgID, c.ScenarioID)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil // the dialer fails the call with a reason of its own
	}
	if err != nil {
		return err
	}
	rules, err := a.store.FindRules(ctx, c.OrgID)
	if err != nil {
		return err
	}
	said := conversationInput(c, s, rules, rules.Recording == callrules.RecordAnnounce)
	for _, text := range conversation.CallTexts(a.calls.talker.book, said) {
		if _, err := a.calls.speaker.Speak(ctx, tts.SpeechRequest{OrgID: c.OrgID, Text: text, Voice: s.Voice}); err != nil {
			return err
		}
	}
	return nil
}

// conversationInput returns the scenario, variables and rules of a call's conversation.
func conversationInput(
	c call.Call,
	s scenario.Scenario,
	rules callrules.CallRules,
	announce bool,
) conversation.ConversationInput {
	return conversation.ConversationInput{
		OrgID: c.OrgID, Scenario: s, Variables: c.Variables, Disclosure: rules.Disclosure, Announce: announce,
		Zone: loadTimeZone(rules.TimeZone), MayCallBack: c.Attempt.CanRetry(),
	}
}

// callTexts returns the texts that a call of the scenario will have to speak, as far as they are known before it.
func (t *conversationHolder) callTexts(
	s scenario.Scenario, variables map[string]any, rules callrules.CallRules,
) []string {
	return conversation.CallTexts(t.book, conversation.ConversationInput{
		OrgID: s.OrgID, Scenario: s, Variables: variables, Disclosure: rules.Disclosure,
		Announce: rules.Recording == callrules.RecordAnnounce,
	})
}
