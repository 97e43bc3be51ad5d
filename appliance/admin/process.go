package admin

import (
	"context"
	"net/http"
)

// Process is what only a running appliance can do, beside the work on its database.
type Process struct {
	ReloadModel func() error             // opens the model that is current now
	Reload      func() (Reloaded, error) // reads the settings again
	CheckUp     func(ctx context.Context) []Finding
	Support     func() (Support, error)
}

// WithProcess adds to h what asks a running appliance; see [Reload], [ReloadSettings], [CheckUp] and [AskSupport].
func WithProcess(h http.Handler, p Process) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", h)
	serveModel(mux, p.ReloadModel)
	serveReload(mux, p.Reload)
	serveSupport(mux, p)
	return mux
}
