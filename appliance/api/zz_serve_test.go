package api_test

import (
	"net/http"
	"os"
	"testing"
	"time"

	"munadi/appliance/openapi"
	"munadi/appliance/api"
)

func TestZZServe(t *testing.T) {
	if os.Getenv("ZZ") == "" {
		t.Skip()
	}
	b := setup(t, func(d *api.Deps) { d.Now = time.Now })
	b.links.Now = time.Now
	must(t, openapi.Mount(b.echo))
	c := b.recorded("acme", sound)
	t.Log(c.ID)
	srv := &http.Server{Addr: "127.0.0.1:18999", Handler: b.echo}
	go func() { _ = srv.ListenAndServe() }()
	time.Sleep(170 * time.Second)
}
