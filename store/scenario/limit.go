package scenario

import "time"

// MaxDuration returns the maximum duration of the conversation.
func (s Scenario) MaxDuration() time.Duration {
	return secondsOr(s.MaxDurationSeconds, DefaultMaxDuration)
}

// RingTimeout returns the ring timeout of a dial.
func (s Scenario) RingTimeout() time.Duration { return secondsOr(s.RingSeconds, DefaultRing) }

// MachinePolicyOrDefault returns the answering machine policy.
func (s Scenario) MachinePolicyOrDefault() MachinePolicy {
	if s.AnsweringMachine == "" {
		return MachineHangUp
	}
	return s.AnsweringMachine
}

// ReaskLimit returns how often a question is repeated.
func (s FlowStep) ReaskLimit() int {
	if s.MaxReasks == nil {
		return DefaultReasks
	}
	return *s.MaxReasks
}

// AnswerTimeout returns the silence after a question that counts as no answer.
func (s FlowStep) AnswerTimeout() time.Duration { return secondsOr(s.TimeoutSeconds, DefaultTimeout) }

// PatienceFactor returns the factor of the silences that end an answer.
func (s FlowStep) PatienceFactor() float64 {
	if s.Patience == nil {
		return 1
	}
	return *s.Patience
}

// TurnLimit returns the maximum number of the model's replies.
func (s FlowStep) TurnLimit() int {
	if s.MaxTurns == 0 {
		return DefaultTurns
	}
	return s.MaxTurns
}

// ReplyTimeout returns the timeout of one reply of the model.
func (l ModelEndpoint) ReplyTimeout() time.Duration {
	return secondsOr(l.TimeoutSeconds, DefaultLLMTimeout)
}

func secondsOr(n int, otherwise time.Duration) time.Duration {
	if n == 0 {
		return otherwise
	}
	return time.Duration(n) * time.Second
}
