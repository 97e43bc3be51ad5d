package stt

import (
	"encoding/json"
	"net/http"

	"munadi/appliance/httpserver/middleware"
	"munadi/engine/audio"
	"munadi/store/job"
	"munadi/store/jsontext"
)

type jobBody struct {
	ID       string        `json:"id"`
	Status   job.JobStatus `json:"status"`
	Progress float64       `json:"progress"`
	Result   any           `json:"result,omitempty"`
	Detail   any           `json:"detail,omitempty"`
	Callback *callbackBody `json:"callback,omitempty"`
}

// callbackBody is the delivery state of a job's callback. The URL, which may hold a secret, is left out.
type callbackBody struct {
	State    job.CallbackState `json:"state"`
	Attempts []callbackTryBody `json:"attempts"`
}

type callbackTryBody struct {
	At         string  `json:"at"`
	StatusCode *int    `json:"status_code"` // null: no response
	Error      *string `json:"error"`       // null: delivered
	DurationMS int64   `json:"duration_ms"`
}

// jobBodyOf returns a job as in GET responses and callbacks.
func jobBodyOf(j job.Job) (jobBody, error) {
	b := jobBody{
		ID: j.ID, Status: j.Status, Progress: roundScore(j.Progress), Detail: detailOf(j.Failure),
		Callback: callbackBodyOf(j.Callback),
	}
	if j.Result == nil {
		return b, nil
	}
	var order transcriptionOrder
	if err := json.Unmarshal(j.Parameters, &order); err != nil {
		return b, err
	}
	b.Result = readResult(j.Result).responseBody(order.Format, order.Logprobs)
	return b, nil
}

// JobBody returns the body of a job's callback: as in GET, without the callback state, so that every attempt sends the
// same bytes.
func JobBody(j job.Job) ([]byte, error) {
	b, err := jobBodyOf(j)
	if err != nil {
		return nil, err
	}
	b.Callback = nil
	return json.Marshal(b)
}

func callbackBodyOf(c *job.JobCallback) *callbackBody {
	if c == nil {
		return nil
	}
	b := &callbackBody{State: c.State, Attempts: []callbackTryBody{}}
	for _, try := range c.Tries {
		one := callbackTryBody{At: jsontext.FormatTime(try.At), DurationMS: try.Duration.Milliseconds()}
		if try.StatusCode != 0 {
			one.StatusCode = &try.StatusCode
		}
		if try.Error != "" {
			one.Error = &try.Error
		}
		b.Attempts = append(b.Attempts, one)
	}
	return b
}

// detailOf returns the detail that a synchronous request would have had for the same failure.
func detailOf(f *job.JobFailure) any {
	if f == nil {
		return nil
	}
	switch audio.ErrorCode(f.Code) {
	case audio.CodeDecode, audio.CodeEmpty:
		return audioFault(f.Code, f.Message)
	default:
		return f.Message
	}
}

// jobResult is the stored result of a job: everything that any format needs.
type jobResult struct {
	Transcript *verboseBody `json:"transcript"`

	old json.RawMessage // body in the job's own format, from an older version
}

// readResult decodes a stored result.
func readResult(raw json.RawMessage) jobResult {
	var r jobResult
	if err := json.Unmarshal(raw, &r); err == nil && r.Transcript != nil {
		return r
	}
	var verbose verboseBody
	if err := json.Unmarshal(raw, &verbose); err == nil && verbose.Segments != nil {
		return jobResult{Transcript: &verbose}
	}
	return jobResult{old: raw}
}

// responseBody returns the transcription body in a format.
func (r jobResult) responseBody(format string, logprobs bool) any {
	if r.Transcript == nil {
		return r.old
	}
	return r.Transcript.responseBody(format, logprobs)
}

// resultFile returns the bare result with its media type, in the order's format.
func (r jobResult) resultFile(o transcriptionOrder) (kind string, content []byte, err error) {
	if r.Transcript == nil {
		return "", nil, &middleware.HTTPProblem{
			Status: http.StatusConflict,
			Detail: "The result was stored by an older version, only in the job's own format: " +
				"GET /compat/v1/audio/jobs/{id} returns it",
		}
	}
	return r.Transcript.encodeBody(o)
}
