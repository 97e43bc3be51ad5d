package scenario

import "time"

// MaxDuration returns the longest time that the conversation may take.
func (s Scenario) MaxDuration() time.Duration {
	return secondsOr(s.MaxDurationSeconds, DefaultMaxDuration)
}

// RingTimeout returns how long a dial may ring.
func (s Scenario) RingTimeout() time.Duration { return secondsOr(s.RingSeconds, DefaultRing) }

// MachinePolicyOrDefault returns what to do about answering machines.
func (s Scenario) MachinePolicyOrDefault() MachinePolicy {
	if s.AnsweringMachine == "" {
		return MachineHangUp
	}
	return s.AnsweringMachine
}

// ReaskLimit returns how often the question is asked again.
func (s FlowStep) ReaskLimit() int {
	if s.MaxReasks == nil {
		return DefaultReasks
	}
	return *s.MaxReasks
}

// AnswerTimeout returns how much silence after the question is an answer missed.
func (s FlowStep) AnswerTimeout() time.Duration { return secondsOr(s.TimeoutSeconds, DefaultTimeout) }

// TurnLimit returns how often the model may answer.
func (s FlowStep) TurnLimit() int {
	if s.MaxTurns == 0 {
		return DefaultTurns
	}
	return s.MaxTurns
}

// ReplyTimeout returns how long the model may take for one answer.
func (l ModelEndpoint) ReplyTimeout() time.Duration {
	return secondsOr(l.TimeoutSeconds, DefaultLLMTimeout)
}

func secondsOr(n int, otherwise time.Duration) time.Duration {
	if n == 0 {
		return otherwise
	}
	return time.Duration(n) * time.Second
}
