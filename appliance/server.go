package appliance

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api"
	"munadi/appliance/console"
	"munadi/appliance/cors"
	"munadi/appliance/openapi"
	"munadi/appliance/peer"
	"munadi/appliance/stt"
	"munadi/appliance/stt/edge"
	"munadi/appliance/web"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/ui/part"
	"munadi/ui/text"
)

const (
	// headerTimeout bounds how long a client may take to send a request's head; bodies have deadlines of their own.
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10 // bytes
	// children bounds the decoders and ffmpegs that run at once for one organization, childrenOfAll those of all.
	children      = 8
	childrenOfAll = 4 * children
)

// faces is the listener's handler, which is another before the model is there.
type faces struct{ current atomic.Pointer[echo.Echo] }

func (f *faces) show(e *echo.Echo) { f.current.Store(e) }

func (f *faces) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.current.Load().ServeHTTP(w, r) }

// router is what every face passes.
func (a *Appliance) router() *echo.Echo {
	e := echo.New()
	e.SchemeExtractor = peer.Scheme
	e.HTTPErrorHandler = edge.ErrorHandler(
		edge.Face{Root: api.Root, Explain: api.Explain},
		edge.Face{Root: console.Root, Explain: a.console.Explain, Type: echo.MIMETextHTMLCharsetUTF8},
	)
	e.Use(
		edge.Pace, edge.RequestID, edge.Sealed, edge.AccessLog(a.log, a.metrics), edge.Recover(a.log), a.traffic.count,
		a.insist, a.crossOrigin().Middleware(), edge.HeadAsGet,
	)
	a.health.Mount(e)
	a.metrics.Mount(e, a.inForce().MetricsToken)
	return e
}

// crossOrigin says which pages of other origins may call the APIs.
func (a *Appliance) crossOrigin() cors.Policy {
	return cors.Policy{
		Allow: func(origin string) bool { return a.inForce().CORSOrigins.Allow(origin) },
		Roots: []string{api.Root, "/compat/v1", "/debug/decode"}, PublicURL: func() string { return a.inForce().PublicURL },
	}
}

// starting answers probes, and everything else with 503.
func (a *Appliance) starting() *echo.Echo {
	e := a.router()
	e.Any("/*", func(echo.Context) error {
		return &edge.Problem{
			Status: http.StatusServiceUnavailable, Detail: "The model is being loaded", RetryAfter: time.Second,
		}
	})
	return e
}

// ready puts all faces on one router.
func (a *Appliance) ready(model engine.Info) (*echo.Echo, error) {
	e := a.router()
	a.stt.Mount(e)
	a.calls.api.Mount(e)
	a.console.Mount(e)
	if err := openapi.Mount(e); err != nil {
		return nil, err
	}
	return e, web.Mount(e, a.pages(model))
}

// pages is what the demo page says of this appliance.
func (a *Appliance) pages(model engine.Info) web.Deps {
	label := map[text.Lang][]string{}
	for lang, lines := range model.Label {
		label[text.Lang(lang)] = strings.Split(lines, "\n")
	}
	return web.Deps{
		Version: a.version, Model: part.Model{Name: model.Name, Label: label},
		PublicURL: a.inForce().PublicURL, MaxBytes: int64(a.inForce().MaxUpload),
	}
}

// gauges are the engine's figures that are asked for at each scrape.
func (a *Appliance) gauges() error {
	err := a.metrics.Gauge("stt_requests", "Requests that the engine has admitted.", func() float64 {
		requests, _ := a.engine.load()
		return float64(requests)
	})
	if err != nil {
		return err
	}
	err = a.metrics.Gauge("stt_queue_length", "Pieces of work that wait for a turn of the engine.", func() float64 {
		_, waiting := a.engine.load()
		return float64(waiting)
	})
	if err != nil {
		return err
	}
	return a.metrics.Gauge("store_lost_transactions", "Changes that were acknowledged, and that the disk lost.",
		func() float64 { return float64(a.store.Lost()) })
}

// sounds opens uploads.
func (a *Appliance) sounds() func(context.Context, io.ReadSeeker, time.Duration, audio.Channel) (stt.Sound, error) {
	slots := decoderSlots{all: make(chan struct{}, childrenOfAll)}
	return func(
		ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.Channel,
	) (stt.Sound, error) {
		return audio.Open(ctx, r, audio.Options{
			MaxDuration: longest, Channel: channel, FFmpeg: a.inForce().FFmpeg, Slots: slots.of(ctx),
		})
	}
}
