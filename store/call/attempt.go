package call

import (
	"slices"
	"time"
)

// AttemptChain links the attempts to reach one person: each attempt is a separate call.
type AttemptChain struct {
	Number      int        `json:"attempt_number"` // from 1
	Max         int        `json:"max_attempts"`
	ChainID     string     `json:"retry_chain_id"` // the first call's id
	PreviousID  *string    `json:"previous_call_id"`
	NextID      *string    `json:"next_call_id"`
	NextRetryAt *time.Time `json:"next_retry_at"` // while another attempt is planned

	Plan RetryPlan `json:"plan"`
}

// CanRetry reports whether another attempt is allowed.
func (a AttemptChain) CanRetry() bool { return a.Number < a.Max }

// RetryPlan is the retry policy: how often, when and after which outcomes a call is repeated. The zero value never
// retries.
type RetryPlan struct {
	MaxAttempts int `json:"max_attempts"` // attempts in total, 1..10; 0 counts as 1
	// DelayMinutes are the delays before the second, third, … attempt; the last one repeats. Empty: [DefaultDelay].
	DelayMinutes []int `json:"delay_minutes,omitempty"`
	// On lists the outcomes to retry; nil: the defaults of [RetryPlan.WantsRetry]; empty: none.
	On []CallStatus `json:"on,omitzero"`
}

// DefaultDelay is the delay before a retry unless the plan says otherwise.
const DefaultDelay = 10 * time.Minute

// MaxAttempts is the maximum length of a retry chain.
const MaxAttempts = 10

// DelayBefore returns the delay before attempt n (2 and up).
func (r RetryPlan) DelayBefore(n int) time.Duration {
	if len(r.DelayMinutes) == 0 {
		return DefaultDelay
	}
	i := min(max(n-2, 0), len(r.DelayMinutes)-1)
	return time.Duration(r.DelayMinutes[i]) * time.Minute
}

// WantsRetry reports whether a call with this outcome is retried. By default: no answer, unavailable (except an invalid
// number), answering machine, busy, and failures not caused by rules or a person. A declined call is never retried,
// even if the plan lists its status.
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

// Limits of requested dial times.
const (
	MinLead  = 10 * time.Minute    // for rescheduling
	MaxAhead = 30 * 24 * time.Hour // for booking and rescheduling
)

// IsReschedulable reports whether a call may be moved to at, requested at now.
func IsReschedulable(at, now time.Time) bool {
	return !at.Before(now.Add(MinLead)) && !at.After(now.Add(MaxAhead))
}

// IsBookable reports whether a new call may have the dial time at, requested at now. To tolerate clock skew, up to
// [slack] in the past counts as now.
func IsBookable(at, now time.Time) bool {
	return !at.Before(now.Add(-slack)) && !at.After(now.Add(MaxAhead))
}

// slack is the tolerated clock skew of a new call's dial time.
const slack = 30 * time.Second
