package admin

import (
	"context"
	"net/http"

	"munadi/appliance/config"
)

// serveSettings adds GET /settings → 200 with the settings in force as text by name, without secrets.
func serveSettings(mux *http.ServeMux, settings func() map[string]string) {
	mux.HandleFunc("GET /settings", func(w http.ResponseWriter, _ *http.Request) {
		writeAnswer(w, http.StatusOK, settings(), nil)
	})
}

// AskSettings returns cfg with the settings of the appliance that runs on its data folder, whose flags and environment
// may be others than this process's; secrets stay cfg's. It returns false when none runs there.
func AskSettings(ctx context.Context, cfg *config.Config) (inForce *config.Config, running bool, err error) {
	var texts map[string]string
	if running, err = askRunning(ctx, cfg.Data, "/settings", &texts); err != nil || !running {
		return cfg, running, err
	}
	inForce, err = cfg.ImportSettings(texts)
	return inForce, true, err
}
