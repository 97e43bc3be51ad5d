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
	"munadi/appliance/demo"
	"munadi/appliance/httpserver/cors"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/realip"
	"munadi/appliance/openapi"
	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/ui/component"
	"munadi/ui/locale"
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

// handlerSwitch is the listener's handler, which is another before the model is there.
type handlerSwitch struct{ current atomic.Pointer[echo.Echo] }

func (f *handlerSwitch) replaceHandler(e *echo.Echo) { f.current.Store(e) }

func (f *handlerSwitch) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.current.Load().ServeHTTP(w, r)
}

// newRouter is what every face passes.
func (a *Appliance) newRouter() *echo.Echo {
	e := echo.New()
	e.SchemeExtractor = realip.RequestScheme
	e.HTTPErrorHandler = middleware.ErrorHandler(
		middleware.ErrorFace{Root: api.Root, Explain: api.ExplainError},
		middleware.ErrorFace{Root: console.Root, Explain: a.console.ExplainError, Type: echo.MIMETextHTMLCharsetUTF8},
	)
	e.Use(
		middleware.PaceClients, middleware.RequestID, middleware.SetSecurityHeaders, middleware.AccessLog(a.log, a.metrics), middleware.RecoverPanics(a.log), a.traffic.countRequest,
		a.hstsMiddleware, a.crossOrigin().Middleware(), middleware.HeadAsGet,
	)
	a.health.MountProbes(e)
	a.metrics.MountMetrics(e, a.inForce().MetricsToken)
	return e
}

// crossOrigin says which pages of other origins may call the APIs.
func (a *Appliance) crossOrigin() cors.OriginPolicy {
	return cors.OriginPolicy{
		Allow: func(origin string) bool { return a.inForce().CORSOrigins.AllowsOrigin(origin) },
		Roots: []string{api.Root, "/compat/v1", "/debug/decode"}, PublicURL: func() string { return a.inForce().PublicURL },
	}
}

// newStartingHandler answers probes, and everything else with 503.
func (a *Appliance) newStartingHandler() *echo.Echo {
	e := a.newRouter()
	e.Any("/*", func(echo.Context) error {
		return &middleware.HTTPProblem{
			Status: http.StatusServiceUnavailable, Detail: "The model is being loaded", RetryAfter: time.Second,
		}
	})
	return e
}

// newReadyRouter puts all faces on one router.
func (a *Appliance) newReadyRouter(model engine.EngineInfo) (*echo.Echo, error) {
	e := a.newRouter()
	a.stt.MountRoutes(e)
	a.calls.api.MountRoutes(e)
	a.console.MountRoutes(e)
	if err := openapi.MountDocs(e); err != nil {
		return nil, err
	}
	return e, demo.MountDemo(e, a.demoPages(model))
}

// demoPages is what the demo page says of this appliance.
func (a *Appliance) demoPages(model engine.EngineInfo) demo.Dependencies {
	label := map[locale.Language][]string{}
	for lang, lines := range model.Label {
		label[locale.Language(lang)] = strings.Split(lines, "\n")
	}
	return demo.Dependencies{
		Version: a.version, Model: component.ModelCard{Name: model.Name, Label: label},
		PublicURL: a.inForce().PublicURL, MaxBytes: int64(a.inForce().MaxUpload),
	}
}

// addGauges are the engine's figures that are asked for at each scrape.
func (a *Appliance) addGauges() error {
	err := a.metrics.AddGauge("stt_requests", "Requests that the engine has admitted.", func() float64 {
		requests, _ := a.engine.queueLoad()
		return float64(requests)
	})
	if err != nil {
		return err
	}
	err = a.metrics.AddGauge("stt_queue_length", "Pieces of work that wait for a turn of the engine.", func() float64 {
		_, waiting := a.engine.queueLoad()
		return float64(waiting)
	})
	if err != nil {
		return err
	}
	return a.metrics.AddGauge("store_lost_transactions", "Changes that were acknowledged, and that the disk lost.",
		func() float64 { return float64(a.store.LostTransactions()) })
}

// openUploads opens uploads.
func (a *Appliance) openUploads() func(context.Context, io.ReadSeeker, time.Duration, audio.ChannelChoice) (stt.OpenedSound, error) {
	slots := decoderSlots{all: make(chan struct{}, childrenOfAll)}
	return func(
		ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice,
	) (stt.OpenedSound, error) {
		return audio.OpenStream(ctx, r, audio.DecodeOptions{
			MaxDuration: longest, Channel: channel, FFmpeg: a.inForce().FFmpeg, Slots: slots.slotsOf(ctx),
		})
	}
}
