package appliance

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dial"
	"munadi/appliance/dialogue"
	"munadi/appliance/dialogue/llm"
	"munadi/appliance/dialogue/slot"
	"munadi/appliance/event"
	"munadi/appliance/speech"
	"munadi/appliance/webhook"
	"munadi/assets/scenarios"
	"munadi/engine"
	"munadi/engine/grammar"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/dialling"
	"munadi/store/scenario"
)

// talker holds the conversations of all calls.
type talker struct {
	engine  *holder
	speaker speech.Speaker
	book    *dialogue.Book
	chat    dialogue.Chat
	events  *event.Hub
	sound   *event.Sound
	log     *slog.Logger
}

// newTalker reads what every conversation knows.
func (a *Appliance) newTalker() (*talker, error) {
	book, err := dialogue.ReadBook(scenarios.Files())
	if err != nil {
		return nil, err
	}
	return &talker{
		engine: &a.engine, speaker: &a.calls.speaker, book: book, chat: a.newChat(),
		events: a.events, sound: &a.sound, log: a.log,
	}, nil
}

// newChat makes the client of the operator's language models. Their addresses are the operator's, so that private
// networks are reached whatever webhook-to says.
func (a *Appliance) newChat() *llm.Client {
	transport := webhook.Network{Proxy: a.config.Outbound()}.Transport()
	return llm.New(transport, func(orgID, name string) (llm.Endpoint, bool) {
		e, ok := a.inForce().LLMEndpoints.Find(orgID, name)
		return llm.Endpoint{URL: e.URL, Model: e.Model, KeyEnv: e.KeyEnv}, ok
	})
}

// Converse implements [dial.Talker].
func (t *talker) Converse(ctx context.Context, c dial.Conversation) (dial.Talk, error) {
	ctx = engine.WithClient(ctx, engine.Client{Organization: c.Call.OrgID})
	hearing, err := t.engine.hear(engine.StreamOptions{})
	if err != nil {
		return dial.Talk{}, err
	}
	shown := newShow(t.events, t.sound, c.Call)
	shown.state(call.InProgress)
	deps := dialogue.Deps{
		Line: &stage{Line: c.Line, show: shown}, Hear: ears{hearing, shown}, Speak: t.speaker, Book: t.book,
		Chat: t.chat, Now: time.Now, OnMessage: shown.message, OnSlot: shown.slot,
		OnFault: func(err error) { t.log.Warn("a call goes on without an answer", "call_id", c.Call.ID, "err", err) },
	}
	announce := c.Recorded && c.Rules.Recording == dialling.RecordAnnounce
	out, err := dialogue.Run(ctx, deps, input(c.Call, c.Scenario, c.Rules, announce))
	talk := dial.Talk{Outcome: out.Outcome}
	if out.Suppress {
		talk.Suppress = &dialling.Suppression{
			OrgID: c.Call.OrgID, PhoneNumber: c.Call.PhoneNumber, Reason: "asked for in a call", Source: "call",
			CreatedAt: time.Now().UTC(),
		}
	}
	switch {
	case errors.Is(err, carrier.ErrHungUp):
		talk.Outcome.Status = call.Completed // the dialler knows why it hung up, and says otherwise where it must
		return talk, nil
	case ctx.Err() != nil:
		return talk, nil //nolint:nilerr // ended from outside: what was said counts
	}
	return talk, err
}

// zone is a time zone by its name; one that is not known counts as UTC, since the rules were checked when set.
func zone(name string) *time.Location {
	if l, err := time.LoadLocation(name); err == nil {
		return l
	}
	return time.UTC
}

// ears is a hearing in the dialogue's words, which shows the words while they come.
type ears struct {
	*hearing
	show *show
}

// Push implements [dialogue.Hear].
func (e ears) Push(ctx context.Context, samples []float32) ([]dialogue.Heard, error) {
	e.Show(e.show.every())
	events, err := e.hearing.Push(ctx, samples)
	for _, h := range events {
		switch {
		case h.Type != engine.Final:
			e.show.partial(h.Start, h.End, h.Text)
		case h.Text == "":
			e.show.nothing()
		}
	}
	return heard(events), err
}

// Flush implements [dialogue.Hear].
func (e ears) Flush(ctx context.Context) ([]dialogue.Heard, error) {
	events, err := e.hearing.Flush(ctx)
	return heard(events), err
}

// Expect implements [dialogue.Hear].
func (e ears) Expect(phrases []string, answers *grammar.Grammar) error {
	return e.SetExpected(phrases, answers)
}

func heard(events []engine.StreamEvent) []dialogue.Heard {
	kinds := map[engine.StreamEventType]dialogue.HeardKind{
		engine.SpeechStarted: dialogue.Started, engine.SpeechContinues: dialogue.Continues, engine.Final: dialogue.Final,
	}
	var all []dialogue.Heard
	for _, e := range events {
		if kind, known := kinds[e.Type]; known {
			all = append(all, dialogue.Heard{
				Kind: kind, Start: e.Start, End: e.End, Text: e.Text, Confidence: e.Confidence,
				Readings: readings(e.Readings),
			})
		}
	}
	return all
}

func readings(all []engine.Reading) []slot.Reading {
	var out []slot.Reading
	for _, r := range all {
		out = append(out, slot.Reading{Text: r.Text, Probability: r.Probability})
	}
	return out
}

// canSpeak says whether everything that a call must say can be spoken; speech.ErrNoVoice when not.
func (a *Appliance) canSpeak(ctx context.Context, c call.Call) error {
	s, err := a.calls.flows.Scenario(ctx, c.OrgID, c.ScenarioID)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil // the dialler's affair: it has a reason of its own
	}
	if err != nil {
		return err
	}
	rules, err := a.store.Rules(ctx, c.OrgID)
	if err != nil {
		return err
	}
	said := input(c, s, rules, rules.Recording == dialling.RecordAnnounce)
	for _, text := range dialogue.Texts(a.calls.talker.book, said) {
		if _, err := a.calls.speaker.Speak(ctx, speech.Request{OrgID: c.OrgID, Text: text, Voice: s.Voice}); err != nil {
			return err
		}
	}
	return nil
}

// input is what a call's conversation is about.
func input(c call.Call, s scenario.Scenario, rules dialling.Rules, announce bool) dialogue.Input {
	return dialogue.Input{
		OrgID: c.OrgID, Scenario: s, Variables: c.Variables, Disclosure: rules.Disclosure, Announce: announce,
		Zone: zone(rules.TimeZone),
	}
}
