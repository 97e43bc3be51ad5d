package conversation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/appliance/conversation/template"
	"munadi/store/call"
	"munadi/store/scenario"
)

func (s *conversationSession) addMessage(m call.Message) {
	if s.OnMessage != nil {
		s.OnMessage(s.formatMessage(m, s.messages))
	}
	s.messages = append(s.messages, m)
}

// formatMessage returns a message in the transcript's form, after the earlier ones.
func (s *conversationSession) formatMessage(m call.Message, earlier []call.Message) call.Message {
	before := ""
	for _, one := range slices.Backward(earlier) {
		if one.Role == m.Role {
			before = one.Content
			break
		}
	}
	m.Content = s.Text.FormatTextAfter(before, m.Content)
	return m
}

// transcript returns the messages in the order of their beginnings, in the transcript's form.
func (s *conversationSession) transcript() []call.Message {
	slices.SortStableFunc(s.messages, func(a, b call.Message) int { return cmp.Compare(a.Start, b.Start) })
	if !s.Text.Changes() {
		return s.messages
	}
	out := make([]call.Message, len(s.messages))
	for i, m := range s.messages {
		out[i] = s.formatMessage(m, s.messages[:i])
	}
	return out
}

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
