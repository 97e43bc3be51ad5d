package admin

import (
	"context"
	"net/http"

	"munadi/appliance/config"
)

// ProcessControl holds the operations that need a running appliance, in addition to those on its database.
type ProcessControl struct {
	ReloadModel func() error                 // opens the model that is selected now
	Reload      func() (ReloadResult, error) // reloads the settings
	CheckUp     func(ctx context.Context) []CheckFinding
	Support     func() (SupportReport, error)
	Config      func() *config.Config // in force
	// Settings returns the settings in force as text by name, see [config.Config.ExportSettings].
	Settings func() map[string]string
}

// WithProcess adds the operations of a running appliance to h; see [ReloadModel], [ReloadSettings], [CheckUp],
// [AskSupport], [AskSettings] and [NeedsPassphrase].
func WithProcess(h http.Handler, p ProcessControl) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", h)
	serveModel(mux, p.ReloadModel)
	serveReload(mux, p.Reload)
	serveSupport(mux, p)
	serveBackupEncryption(mux, p.Config)
	serveSettings(mux, p.Settings)
	return mux
}
