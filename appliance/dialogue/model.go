package dialogue

import (
	"context"
	"errors"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dialogue/llm"
	"munadi/store/call"
	"munadi/store/scenario"
)

// finished is what the model ends its last answer with.
const finished = "[END]"

// manner is what every model is told behind the step's own instructions.
const manner = "\n\nYou are speaking on the telephone. Answer in one or two short sentences of plain spoken text, " +
	"without markup, lists or digits. When the aim is reached, or the person wants to stop, end your answer with " +
	finished + "."

// silenceBeforeMoment is how long the other side waits for the model without a word.
const silenceBeforeMoment = 2500 * time.Millisecond

var errModel = errors.New("the model does not answer")

// model lets a language model lead the conversation for some turns. Whatever goes wrong with it, its deadline
// included, leads to on_failure, or with an apology to the next step.
func (s *session) model(ctx context.Context, i int) (int, error) {
	step := s.Scenario.Steps[i]
	err := s.chat(ctx, step)
	if !errors.Is(err, errModel) {
		return s.Scenario.Next(i, step.Next), err
	}
	s.trouble("llm_failed", "The language model gave no answer that could be spoken.")
	if step.OnFailure != "" {
		return s.Scenario.Next(i, step.OnFailure), nil
	}
	return s.Scenario.Next(i, step.Next), s.tellCommon(ctx, notUnderstood)
}

func (s *session) chat(ctx context.Context, step scenario.Step) error {
	begun := len(s.messages)
	if len(step.Say) > 0 {
		if ok, err := s.exchange(ctx, step, step.Say); !ok || err != nil {
			return err
		}
	}
	for n := 1; ; n++ {
		answer, err := s.reply(ctx, step, begun)
		if err != nil {
			return err
		}
		answer, last := strings.CutSuffix(strings.TrimSpace(answer), finished)
		if last || n >= step.Turns() {
			return s.tell(ctx, literal(answer))
		}
		if ok, err := s.exchange(ctx, step, literal(answer)); !ok || err != nil {
			return err
		}
	}
}

// literal is a model's answer as something to say: its braces are no templates.
func literal(answer string) scenario.Lines {
	answer = strings.TrimSpace(strings.NewReplacer("{", "", "}", "").Replace(answer))
	if answer == "" {
		return nil
	}
	return scenario.Lines{{Text: answer}}
}

// exchange says something and waits for any answer. False: none came, or nothing could be said.
func (s *session) exchange(ctx context.Context, step scenario.Step, lines scenario.Lines) (bool, error) {
	for n := range 2 {
		r, err := s.put(ctx, question{
			slot: scenario.Slot{Name: step.ID, Type: scenario.Text}, lines: lines, again: n,
			timeout: step.Timeout(), noBarge: step.NoBargeIn,
		})
		switch {
		case err != nil:
			return false, err
		case r.kind == unspoken:
			return false, errModel
		case r.kind == leaving:
			return false, &interruption{goodbye}
		case r.kind == silent:
			s.trouble("no_input", "Nothing was answered to %s.", step.ID)
		case r.kind != askAgain && r.kind != askWho:
			return true, nil
		}
	}
	return false, nil
}

// reply asks the model for its next answer.
func (s *session) reply(ctx context.Context, step scenario.Step, begun int) (string, error) {
	if s.Chat == nil || s.Scenario.LLM == nil {
		return "", errModel
	}
	prompt, ok := s.words(step.Prompt)
	if !ok {
		prompt = step.Prompt
	}
	messages := []llm.Message{{Role: "system", Content: prompt + manner}}
	for _, m := range s.messages[min(begun, len(s.messages)):] {
		messages = append(messages, llm.Message{Role: role(m.Role), Content: m.Content})
	}
	from, said := s.now, false
	moment := func(ctx context.Context) error {
		if said || s.now-from < silenceBeforeMoment {
			return nil
		}
		said = true
		_, err := s.queue(ctx, s.commons(oneMoment), carrier.Expectation{})
		return err
	}
	answer, err := beside(ctx, s, s.Scenario.LLM.Timeout(), moment, func(ctx context.Context) (string, error) {
		return s.Chat.Reply(ctx, *s.Scenario.LLM, messages)
	})
	var failed *besideError
	if errors.As(err, &failed) || err == nil && strings.TrimSpace(answer) == "" {
		return "", errModel
	}
	return answer, err
}

func role(r call.Role) string {
	if r == call.User {
		return "user"
	}
	return "assistant"
}
