package admin

import (
	"context"
	"net/http"

	"munadi/store"
)

// ReloadResult says what a reload of the settings did: by name, those that changed and those that wait for a restart.
type ReloadResult struct {
	Changed []string `json:"changed"`
	Waiting []string `json:"waiting"`
}

// serveReload adds to mux what [ReloadSettings] asks for: POST /settings/reload → 200 Reloaded, or the failure.
func serveReload(mux *http.ServeMux, reload func() (ReloadResult, error)) {
	mux.HandleFunc("POST /settings/reload", func(w http.ResponseWriter, _ *http.Request) {
		done, err := reload()
		if err != nil {
			err = store.Errorf(store.CodeInvalid, "%v", err)
		}
		writeAnswer(w, http.StatusOK, done, err)
	})
}

// ReloadSettings makes the appliance on a data folder read its settings again. It says false when none runs there.
func ReloadSettings(ctx context.Context, dir string) (done ReloadResult, running bool, err error) {
	a, running := connectRunning(ctx, dir)
	if !running {
		return done, false, nil
	}
	defer func() { _ = a.Close() }()
	return done, true, a.callEndpoint(ctx, http.MethodPost, "/settings/reload", nil, &done)
}
