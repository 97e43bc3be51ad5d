package scenario

import "time"

// MaxDuration is the longest time that the conversation may take.
func (s Scenario) MaxDuration() time.Duration {
	return seconds(s.MaxDurationSeconds, DefaultMaxDuration)
}

// Ring is how long a dial may ring.
func (s Scenario) Ring() time.Duration { return seconds(s.RingSeconds, DefaultRing) }

// Machine is what to do about answering machines.
func (s Scenario) Machine() MachinePolicy {
	if s.AnsweringMachine == "" {
		return MachineHangUp
	}
	return s.AnsweringMachine
}

// Reasks is how often the question is asked again.
func (s Step) Reasks() int {
	if s.MaxReasks == nil {
		return DefaultReasks
	}
	return *s.MaxReasks
}

// Timeout is how much silence after the question is an answer missed.
func (s Step) Timeout() time.Duration { return seconds(s.TimeoutSeconds, DefaultTimeout) }

// Turns is how often the model may answer.
func (s Step) Turns() int {
	if s.MaxTurns == 0 {
		return DefaultTurns
	}
	return s.MaxTurns
}

// Timeout is how long the model may take for one answer.
func (l LLM) Timeout() time.Duration { return seconds(l.TimeoutSeconds, DefaultLLMTimeout) }

func seconds(n int, otherwise time.Duration) time.Duration {
	if n == 0 {
		return otherwise
	}
	return time.Duration(n) * time.Second
}
