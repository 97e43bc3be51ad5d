package appliance

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api"
	"munadi/appliance/console/kit"
	"munadi/appliance/console/system"
	"munadi/appliance/demo"
	"munadi/appliance/httpserver/cors"
	"munadi/appliance/httpserver/hsts"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/realip"
	"munadi/appliance/mcp"
	"munadi/appliance/monitor/systemd"
	"munadi/appliance/openapi"
	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// newRouter returns a router with the middleware and error handling of all APIs and pages.
func (a *Appliance) newRouter() *echo.Echo {
	e := echo.New()
	e.SchemeExtractor = realip.RequestScheme
	faces := []middleware.ErrorFace{
		{Root: api.Root, Explain: api.ExplainError},
		{Root: mcp.Root, Explain: api.ExplainError},
		{Root: stt.OpenAIRoot, Explain: stt.ExplainOpenAI},
	}
	if a.config.ServesCalls() {
		faces = append(faces, middleware.ErrorFace{
			Root: kit.Root, Explain: a.console.ExplainError, Type: echo.MIMETextHTMLCharsetUTF8,
		})
	}
	e.HTTPErrorHandler = middleware.ErrorHandler(faces...)
	e.Use(
		middleware.PaceClients,
		middleware.RequestID,
		middleware.CollectDamage,
		middleware.SetSecurityHeaders,
		middleware.AccessLog(a.log, a.metrics),
		middleware.RecoverPanics(a.log),
		a.inflight.CountRequest,
		hsts.NewMiddleware(a.certificate),
		a.crossOrigin().Middleware(),
		middleware.HeadAsGet,
	)
	a.health.MountProbes(e)
	a.metrics.MountMetrics(e, a.inForce().MetricsToken)
	return e
}

// crossOrigin returns the CORS policy of the settings.
func (a *Appliance) crossOrigin() cors.OriginPolicy {
	return cors.OriginPolicy{
		Allow:     func(origin string) bool { return a.inForce().CORSOrigins.AllowsOrigin(origin) },
		Roots:     []string{api.Root, mcp.Root, "/compat/v1", stt.OpenAIRoot, "/debug/decode"},
		PublicURL: func() string { return a.inForce().PublicURL },
	}
}

// newStartingHandler returns the handler while the model loads: probes are answered, everything else gets 503.
func (a *Appliance) newStartingHandler() *echo.Echo {
	e := a.newRouter()
	e.Any("/*", func(echo.Context) error {
		return &middleware.HTTPProblem{
			Status: http.StatusServiceUnavailable, Detail: "The model is being loaded", RetryAfter: time.Second,
		}
	})
	return e
}

// newReadyRouter returns the router with all APIs and pages.
func (a *Appliance) newReadyRouter(model engine.EngineInfo) (*echo.Echo, error) {
	e := a.newRouter()
	a.stt.MountRoutes(e)
	leaveOut := api.Root
	if a.config.ServesCalls() {
		a.calls.API.MountRoutes(e)
		a.console.MountRoutes(e)
		leaveOut = ""
	}
	tools, err := a.newToolService()
	if err != nil {
		return nil, err
	}
	tools.MountRoutes(e)
	if err := openapi.MountDocs(e, leaveOut); err != nil {
		return nil, err
	}
	return e, demo.MountDemo(e, a.demoPages(model))
}

// newToolService returns the MCP door, whose tools are requests to the handlers of the APIs.
func (a *Appliance) newToolService() (*mcp.ToolService, error) {
	operations := echo.New()
	operations.HTTPErrorHandler = middleware.ErrorHandler(middleware.ErrorFace{Explain: api.ExplainError})
	operations.Use(
		middleware.RequestID,
		middleware.CollectDamage,
		middleware.AccessLog(a.log, a.metrics),
		middleware.RecoverPanics(a.log),
	)
	a.stt.MountRoutes(operations)
	if a.config.ServesCalls() {
		a.calls.API.MountRoutes(operations)
	}
	return mcp.NewService(mcp.Dependencies{
		API: operations, Explain: api.ExplainError, Auth: a.auth, Limit: a.limits.TakeToken,
		AllowOrigin: a.crossOrigin().AllowLocalPage, Calls: a.config.ServesCalls(), MaxBody: api.MaxCampaignJSON,
		Version: a.version, Log: a.log,
	})
}

// demoPages returns the model and limits that the demo page shows.
func (a *Appliance) demoPages(model engine.EngineInfo) demo.Dependencies {
	label := map[locale.Language][]string{}
	for lang, lines := range model.Label {
		label[locale.Language(lang)] = strings.Split(lines, "\n")
	}
	card := component.ModelCard{Name: model.Name, Label: label}
	if a.models.DescribeModels().BuiltIn && a.config.ServesCalls() {
		card.Offer = system.OfferPath()
	}
	return demo.Dependencies{
		Version: a.version, Model: card,
		PublicURL: a.inForce().PublicURL, MaxBytes: int64(a.inForce().MaxUpload), NoConsole: !a.config.ServesCalls(),
	}
}

// cancelMargin is how long before the end of the grace period running requests are cancelled, so that their clients
// still get an error response.
const cancelMargin = 2 * time.Second

// drainRequests shuts down gracefully: it refuses new work (503), lets running calls and requests end within the
// grace period, and then closes the listener and its connections. Until the last call has ended, probes are answered
// and viewers stay connected.
func (a *Appliance) drainRequests(server *http.Server, called <-chan struct{}) {
	a.health.SetDraining()
	requests, _ := a.engine.QueueLoad()
	a.log.Info("stopping", "requests", requests, "grace", grace)
	a.notifyManager(systemd.Stopping, "waits for running calls and requests to end")
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	abort := time.AfterFunc(grace-cancelMargin, a.stt.AbortRequests)
	defer abort.Stop()
	a.events.Close() // SSE streams would never end; browsers reconnect
	a.sound.Close()
	select {
	case <-called: // at most callGrace later
	case <-ctx.Done():
	}
	a.inflight.WaitIdle(ctx)
	if err := server.Shutdown(ctx); err != nil {
		a.log.Warn("requests were aborted by the shutdown", "err", err)
		_ = server.Close() // the error of Shutdown is logged
	}
	a.log.Info("stopped", "at", time.Now().UTC())
}
