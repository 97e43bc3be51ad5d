package call

import (
	"slices"
	"time"
)

// Attempt links the dials to one person: each is a call of its own.
type Attempt struct {
	Number      int        `json:"attempt_number"` // from 1
	Max         int        `json:"max_attempts"`
	ChainID     string     `json:"retry_chain_id"` // the first call's id
	PreviousID  *string    `json:"previous_call_id"`
	NextID      *string    `json:"next_call_id"`
	NextRetryAt *time.Time `json:"next_retry_at"` // while a further attempt is planned

	Plan Retry `json:"plan"`
}

// Retry says how often, when and after what a call is tried again. The zero value never is.
type Retry struct {
	MaxAttempts int `json:"max_attempts"` // dials in all, 1..10; 0 counts as 1
	// DelayMinutes before the second, third, … attempt; the last one repeats. Empty: [DefaultDelay].
	DelayMinutes []int `json:"delay_minutes,omitempty"`
	// On lists the outcomes that are retried; nil: the defaults of [Retry.Wants]; empty: none.
	On []Status `json:"on,omitzero"`
}

// DefaultDelay is the wait before a retry for which none was given.
const DefaultDelay = 10 * time.Minute

// MaxAttempts is the longest retry chain.
const MaxAttempts = 10

// Delay is the wait before attempt number n (2 and up).
func (r Retry) Delay(n int) time.Duration {
	if len(r.DelayMinutes) == 0 {
		return DefaultDelay
	}
	i := min(max(n-2, 0), len(r.DelayMinutes)-1)
	return time.Duration(r.DelayMinutes[i]) * time.Minute
}

// Wants says whether a call that ended so is tried again. By default: no answer, unavailable (but not an invalid
// number), a machine, a failure that was not decided by the rules or a person, and busy. One that was declined is
// never retried, whatever the plan says.
func (r Retry) Wants(status Status, f *Failure) bool {
	reason := ReasonOf(f)
	if !reason.Retryable() {
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
