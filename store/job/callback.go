package job

import "time"

// The rules of callbacks are those of webhooks.
const (
	MaxCallbackTries = 3
	CallbackPause    = 2 * time.Second // between the end of a try and the next one
)

// CallbackState is how far the notification about a job's end is.
type CallbackState string

// The states; the last two are final.
const (
	CallbackWaiting   CallbackState = "waiting" // the job has not ended
	CallbackPending   CallbackState = "pending"
	CallbackDelivered CallbackState = "delivered"
	CallbackFailed    CallbackState = "failed"
)

// JobCallback is where the ended job is sent by POST, and what became of that.
type JobCallback struct {
	URL    string        `json:"url"`
	State  CallbackState `json:"state"`
	Tries  []CallbackTry `json:"tries,omitempty"`
	NextAt time.Time     `json:"next_at,omitzero"` // of the next try, while pending
}

// CallbackTry is one POST.
type CallbackTry struct {
	At         time.Time     `json:"at"`
	Duration   time.Duration `json:"duration"`
	StatusCode int           `json:"status_code,omitempty"` // 0: no answer
	Error      string        `json:"error,omitempty"`       // for people; empty: delivered
}

// NewCallback is the callback of a job that has not ended; nil for no URL.
func NewCallback(url string) *JobCallback {
	if url == "" {
		return nil
	}
	return &JobCallback{URL: url, State: CallbackWaiting}
}

// oweCallback makes the callback of a job that ended at now pending.
func (j Job) oweCallback(now time.Time) Job {
	if j.Callback != nil {
		next := *j.Callback
		next.State, next.NextAt = CallbackPending, now
		j.Callback = &next
	}
	return j
}

// OwesCallback says whether a try is to be made.
func (j Job) OwesCallback() bool { return j.Callback != nil && j.Callback.State == CallbackPending }

// RecordCallback is the job after a try that ended at now. A *TransitionError if none was owed.
func (j Job) RecordCallback(try CallbackTry, now time.Time) (Job, error) {
	if !j.OwesCallback() {
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
