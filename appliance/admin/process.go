package admin

import (
	"context"
	"net/http"
)

// ProcessControl is what only a running appliance can do, beside the work on its database.
type ProcessControl struct {
	ReloadModel func() error                 // opens the model that is current now
	Reload      func() (ReloadResult, error) // reads the settings again
	CheckUp     func(ctx context.Context) []CheckFinding
	Support     func() (SupportReport, error)
}

// WithProcess adds to h what asks a running appliance; see [ReloadModel], [ReloadSettings], [CheckUp] and [AskSupport].
func WithProcess(h http.Handler, p ProcessControl) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", h)
	serveModel(mux, p.ReloadModel)
	serveReload(mux, p.Reload)
	serveSupport(mux, p)
	return mux
}
