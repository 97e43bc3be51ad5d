package job

import "time"

// Callback rules are the same as those of webhooks.
const (
	MaxCallbackTries = 3
	CallbackPause    = 2 * time.Second // between the end of one attempt and the next
)

// CallbackState is the state of the notification about a job's end.
type CallbackState string

// States; the last two are final.
const (
	CallbackWaiting   CallbackState = "waiting" // the job has not ended
	CallbackPending   CallbackState = "pending"
	CallbackDelivered CallbackState = "delivered"
	CallbackFailed    CallbackState = "failed"
)

// JobCallback is the URL that receives the ended job by POST, and the state of that delivery.
type JobCallback struct {
	URL    string        `json:"url"`
	State  CallbackState `json:"state"`
	Tries  []CallbackTry `json:"tries,omitempty"`
	NextAt time.Time     `json:"next_at,omitzero"` // time of the next attempt, while pending
}

// CallbackTry is one delivery attempt.
type CallbackTry struct {
	At         time.Time     `json:"at"`
	Duration   time.Duration `json:"duration"`
	StatusCode int           `json:"status_code,omitempty"` // 0: no answer
	Error      string        `json:"error,omitempty"`       // for people; empty: delivered
}

// NewCallback returns the callback of a new job; nil for an empty URL.
func NewCallback(url string) *JobCallback {
	if url == "" {
		return nil
	}
	return &JobCallback{URL: url, State: CallbackWaiting}
}

// withPendingCallback makes the callback of a job that ended at now pending.
func (j Job) withPendingCallback(now time.Time) Job {
	if j.Callback != nil {
		next := *j.Callback
		next.State, next.NextAt = CallbackPending, now
		j.Callback = &next
	}
	return j
}

// HasPendingCallback reports whether another attempt is pending.
func (j Job) HasPendingCallback() bool {
	return j.Callback != nil && j.Callback.State == CallbackPending
}

// RecordCallback returns the job after an attempt that ended at now; *TransitionError if none was pending.
func (j Job) RecordCallback(try CallbackTry, now time.Time) (Job, error) {
	if !j.HasPendingCallback() {
		return j, &TransitionError{From: j.Status, Event: "callback"}
	}
	next := *j.Callback
	next.Tries = append(next.Tries[:len(next.Tries):len(next.Tries)], try)
	switch {
	case try.Error == "":
		next.State, next.NextAt = CallbackDelivered, time.Time{}
	case len(next.Tries) >= MaxCallbackTries:
		next.State, next.NextAt = CallbackFailed, time.Time{}
	default:
		next.NextAt = now.Add(CallbackPause)
	}
	j.Callback = &next
	return j, nil
}
