package call

import (
	"slices"
	"time"
)

// AttemptChain links the dials to one person: each is a call of its own.
type AttemptChain struct {
	Number      int        `json:"attempt_number"` // from 1
	Max         int        `json:"max_attempts"`
	ChainID     string     `json:"retry_chain_id"` // the first call's id
	PreviousID  *string    `json:"previous_call_id"`
	NextID      *string    `json:"next_call_id"`
	NextRetryAt *time.Time `json:"next_retry_at"` // while a further attempt is planned

	Plan RetryPlan `json:"plan"`
}

// RetryPlan says how often, when and after what a call is tried again. The zero value never is.
type RetryPlan struct {
	MaxAttempts int `json:"max_attempts"` // dials in all, 1..10; 0 counts as 1
	// DelayMinutes before the second, third, … attempt; the last one repeats. Empty: [DefaultDelay].
	DelayMinutes []int `json:"delay_minutes,omitempty"`
	// On lists the outcomes that are retried; nil: the defaults of [RetryPlan.WantsRetry]; empty: none.
	On []CallStatus `json:"on,omitzero"`
}

// DefaultDelay is the wait before a retry for which none was given.
const DefaultDelay = 10 * time.Minute

// MaxAttempts is the longest retry chain.
const MaxAttempts = 10

// DelayBefore is the wait before attempt number n (2 and up).
func (r RetryPlan) DelayBefore(n int) time.Duration {
	if len(r.DelayMinutes) == 0 {
		return DefaultDelay
	}
	i := min(max(n-2, 0), len(r.DelayMinutes)-1)
	return time.Duration(r.DelayMinutes[i]) * time.Minute
}

// WantsRetry says whether a call that ended so is tried again. By default: no answer, unavailable (but not an invalid
// number), a machine, a failure that was not decided by the rules or a person, and busy. One that was declined is
// never retried, whatever the plan says.
func (r RetryPlan) WantsRetry(status CallStatus, f *CallFailure) bool {
	reason := ReasonOf(f)
	if !reason.IsRetryable() {
		return false
	}
	if r.On != nil {
		return slices.Contains(r.On, status)
	}
	switch status {
	case NoAnswer, UserUnavailable, Automation, Failed:
		return true
	case UserRejected:
		return reason == Busy
	default:
		return false
	}
}
