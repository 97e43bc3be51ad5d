package admin

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// The states of a [CheckFinding].
const (
	StateOK      = "ok"
	StateWarning = "note" // a warning; the appliance runs in spite of it
	StateFailed  = "FAIL"
)

// CheckFinding is the result of one check of munadi doctor.
type CheckFinding struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Text  string `json:"text"`
}

// SupportReport is a running appliance's part of a support bundle, without secrets and personal data.
type SupportReport struct {
	Version    string    `json:"version"`
	Started    time.Time `json:"started"`
	Settings   string    `json:"settings"` // in force, one a line
	Metrics    string    `json:"metrics"`
	Log        []string  `json:"log"` // last lines
	Goroutines string    `json:"goroutines"`
	// Signalling holds the last SIP messages, without numbers and credentials; empty without a trunk.
	Signalling []string `json:"signalling"`
}

// serveSupport adds GET /checkup → 200 list of CheckFinding and GET /support → 200 SupportReport.
func serveSupport(mux *http.ServeMux, p ProcessControl) {
	mux.HandleFunc("GET /checkup", func(w http.ResponseWriter, r *http.Request) {
		writeAnswer(w, http.StatusOK, p.CheckUp(r.Context()), nil)
	})
	mux.HandleFunc("GET /support", func(w http.ResponseWriter, _ *http.Request) {
		s, err := p.Support()
		writeAnswer(w, http.StatusOK, s, err)
	})
}

// CheckUp runs the checks of the appliance on a data folder. It returns false when none runs there.
func CheckUp(ctx context.Context, dir string) (found []CheckFinding, running bool, err error) {
	running, err = askRunning(ctx, dir, "/checkup", &found)
	return found, running, err
}

// AskSupport fetches the support report of the appliance on a data folder. It returns false when none runs there.
func AskSupport(ctx context.Context, dir string) (s SupportReport, running bool, err error) {
	running, err = askRunning(ctx, dir, "/support", &s)
	return s, running, err
}

func askRunning(ctx context.Context, dir, target string, result any) (running bool, err error) {
	a, running := connectRunning(ctx, dir)
	if !running {
		return false, nil
	}
	defer func() { _ = a.Close() }()
	return true, a.callEndpoint(ctx, http.MethodGet, target, json.RawMessage("null"), result)
}
