package admin

import (
	"context"
	"net/http"

	"munadi/store"
)

// serveModel adds the endpoint of [ReloadModel]: POST /model/reload → 200, or the failure.
func serveModel(mux *http.ServeMux, reload func() error) {
	mux.HandleFunc("POST /model/reload", func(w http.ResponseWriter, _ *http.Request) {
		err := reload()
		if err != nil {
			err = store.Errorf(store.CodeInvalid, "%v", err)
		}
		writeAnswer(w, http.StatusOK, struct{}{}, err)
	})
}

// ReloadModel makes the appliance on a data folder open the model that is selected now; the old one serves until
// then. It returns false when no appliance runs there.
func ReloadModel(ctx context.Context, dir string) (running bool, err error) {
	a, running := connectRunning(ctx, dir)
	if !running {
		return false, nil
	}
	defer func() { _ = a.Close() }()
	return true, a.callEndpoint(ctx, http.MethodPost, "/model/reload", nil, &struct{}{})
}
