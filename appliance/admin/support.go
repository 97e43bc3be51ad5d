package admin

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// The states of a [CheckFinding].
const (
	Well = "ok"
	Note = "note" // worth knowing; the appliance runs without
	Ill  = "FAIL"
)

// CheckFinding is the outcome of one check.
type CheckFinding struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Text  string `json:"text"`
}

// SupportReport is what a running appliance tells of itself to whoever helps its operator: no secrets and nothing of the
// people who were called.
type SupportReport struct {
	Version    string    `json:"version"`
	Started    time.Time `json:"started"`
	Settings   string    `json:"settings"` // in force, a line each
	Metrics    string    `json:"metrics"`
	Log        []string  `json:"log"` // last lines
	Goroutines string    `json:"goroutines"`
	// Signalling are the last SIP messages, without numbers and credentials; empty without a trunk.
	Signalling []string `json:"signalling"`
}

// serveSupport adds to mux: GET /checkup → 200 list of Finding; GET /support → 200 Support.
func serveSupport(mux *http.ServeMux, p ProcessControl) {
	mux.HandleFunc("GET /checkup", func(w http.ResponseWriter, r *http.Request) {
		writeAnswer(w, http.StatusOK, p.CheckUp(r.Context()), nil)
	})
	mux.HandleFunc("GET /support", func(w http.ResponseWriter, _ *http.Request) {
		s, err := p.Support()
		writeAnswer(w, http.StatusOK, s, err)
	})
}

// CheckUp asks the appliance on a data folder how it fares. It says false when none runs there.
func CheckUp(ctx context.Context, dir string) (found []CheckFinding, running bool, err error) {
	running, err = askRunning(ctx, dir, "/checkup", &found)
	return found, running, err
}

// AskSupport asks it what is of use to who helps its operator.
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
