package admin

import (
	"context"
	"net/http"

	"munadi/store"
)

// ReloadResult lists the settings that a reload changed, and those that need a restart.
type ReloadResult struct {
	Changed []string `json:"changed"`
	Waiting []string `json:"waiting"`
}

// serveReload adds the endpoint of [ReloadSettings]: POST /settings/reload → 200 ReloadResult, or the failure.
func serveReload(mux *http.ServeMux, reload func() (ReloadResult, error)) {
	mux.HandleFunc("POST /settings/reload", func(w http.ResponseWriter, _ *http.Request) {
		done, err := reload()
		if err != nil {
			err = store.Errorf(store.CodeInvalid, "%v", err)
		}
		writeAnswer(w, http.StatusOK, done, err)
	})
}

// ReloadSettings makes the appliance on a data folder reload its settings. It returns false when none runs there.
func ReloadSettings(ctx context.Context, dir string) (done ReloadResult, running bool, err error) {
	a, running := connectRunning(ctx, dir)
	if !running {
		return done, false, nil
	}
	defer func() { _ = a.Close() }()
	return done, true, a.callEndpoint(ctx, http.MethodPost, "/settings/reload", nil, &done)
}
