package conversation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/appliance/conversation/template"
	"munadi/appliance/textform"
	"munadi/store/call"
	"munadi/store/scenario"
)

// recordedMessage is a message as it was said.
type recordedMessage struct {
	call.Message
	unsaid string // rest of a text that was interrupted
}

func (s *conversationSession) addMessage(m call.Message) { s.addCutMessage(m, "") }

// addCutMessage adds a message whose text would have gone on.
func (s *conversationSession) addCutMessage(m call.Message, unsaid string) {
	s.messages = append(s.messages, recordedMessage{m, unsaid})
	if s.OnMessage != nil {
		s.OnMessage(s.formatMessage(len(s.messages) - 1))
	}
}

// formatMessage returns a message in the transcript's form. A number may have begun in the speaker's last message and
// go on in the next ones, as long as nobody else speaks.
func (s *conversationSession) formatMessage(i int) call.Message {
	m := s.messages[i]
	before, after := "", m.unsaid
	for j, one := range slices.Backward(s.messages[:i]) {
		if one.Role != m.Role {
			continue
		}
		before = one.Content + " " + before
		if j > 0 && s.messages[j-1].Role != m.Role {
			break
		}
	}
	for _, one := range s.messages[i+1:] {
		if one.Role != m.Role {
			break
		}
		after += " " + one.Content
	}
	m.Content = s.Text.FormatTextWithin(before, m.Content, after)
	return m.Message
}

// transcript returns the messages in the order of their beginnings, in the transcript's form.
func (s *conversationSession) transcript() []call.Message {
	slices.SortStableFunc(s.messages, func(a, b recordedMessage) int { return cmp.Compare(a.Start, b.Start) })
	var out []call.Message
	for i := range s.messages {
		out = append(out, s.formatMessage(i))
	}
	return out
}

// markUnrecognized marks the sound since the person's last words as unrecognized.
func (s *conversationSession) markUnrecognized() {
	span := call.SoundSpan{To: s.lineAt(s.now).Seconds()}
	for _, m := range s.messages {
		if m.Role == call.User {
			span.From = max(span.From, m.End)
		}
	}
	s.unrecognized = append(s.unrecognized, span)
}

// textForm returns the form of the transcript, with the called person's names.
func (in ConversationInput) textForm() textform.Options {
	if in.Text.Redact {
		in.Text.Names = personalNames(in.Scenario, in.Scenario.WithDefaults(in.Variables))
	}
	return in.Text
}

// SpokenForm formats a text of the call as its transcript does.
func (in ConversationInput) SpokenForm(text string) string { return in.textForm().FormatText(text) }

// personalNames returns the name of the called person, as a whole and in its words: the values of variables with the
// role of a name.
func personalNames(s scenario.Scenario, values map[string]any) []string {
	var out []string
	for _, v := range s.Variables {
		name, ok := values[v.Name].(string)
		if !ok || v.Role != scenario.NameRole {
			continue
		}
		out = append(out, name)
		for word := range strings.FieldsSeq(name) {
			if utf8.RuneCountInString(word) > 2 {
				out = append(out, word)
			}
		}
	}
	return out
}

// setSlot stores a slot's value; nil removes it.
func (s *conversationSession) setSlot(name string, value any) {
	s.found[name] = value
	if s.OnSlot != nil {
		s.OnSlot(name, value)
	}
}

// maxTroubles limits the error entries of a call.
const maxTroubles = 50

func (s *conversationSession) addError(code, format string, args ...any) {
	if len(s.troubles) < maxTroubles {
		s.troubles = append(s.troubles, call.CallError{
			Code: code, Message: fmt.Sprintf(format, args...), At: s.lineAt(s.now).Seconds(),
		})
	}
}

// slotValue returns the value of a slot or variable; nil if it is unknown.
func (s *conversationSession) slotValue(name string) any {
	if _, ok := s.slots[name]; ok {
		return s.found[name]
	}
	return s.variables[name]
}

func (s *conversationSession) renderText(text string) (string, bool) {
	return template.RenderText(text, s.slotValue, s.slots)
}

// localDay returns the current day in the organization's time zone.
func (s *conversationSession) localDay() time.Time { return s.Now().In(s.Zone) }
