package conversation

import (
	"fmt"
	"time"

	"munadi/appliance/conversation/template"
	"munadi/store/call"
)

func (s *conversationSession) addMessage(m call.Message) {
	s.messages = append(s.messages, m)
	if s.OnMessage != nil {
		s.OnMessage(m)
	}
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
			Code: code, Message: fmt.Sprintf(format, args...), At: s.now.Seconds(),
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
