// Package appliance is the product running: store, engine, doors and workers wired together in plain code, read from
// top to bottom, and the order in which they stop. A host program may run one inside itself:
//
//	a, err := appliance.New(cfg, version, logger)
//	err = a.Run(ctx) // until ctx ends, then 30 s at most
//	err = a.Close()
//
// Start: data folder → store → listener (probes answer at once, readiness says "starting") → model → ready.
// Stop: new work is refused (503, readiness "draining") and no call is released any more, while running requests and
// calls end; then the listener, the workers, the engine and the store close. A worker that fails is started again and
// turns readiness red meanwhile.
package appliance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/certificate"
	"munadi/appliance/config"
	"munadi/appliance/console"
	"munadi/appliance/event"
	"munadi/appliance/health"
	"munadi/appliance/installation"
	"munadi/appliance/live"
	"munadi/appliance/metrics"
	"munadi/appliance/notify"
	"munadi/appliance/peer"
	"munadi/appliance/ratelimit"
	"munadi/appliance/stt"
	"munadi/appliance/vault"
	"munadi/appliance/webhook"
	"munadi/store/badger"
)

// grace is how long running requests may take to end.
const grace = 30 * time.Second

// Appliance is one running product.
type Appliance struct {
	// Manager is told when the appliance is ready and stops, and that it lives; set it before Run.
	Manager notify.Manager
	// Settings reads the settings again, checked, for [Appliance.Reload]; nil: they cannot be. Set it before Run.
	Settings func() (*config.Config, error)
	// Level is the log's, which a reload may change; may be nil. Set it before Run.
	Level *slog.LevelVar

	config    *config.Config                // of the start
	settings  atomic.Pointer[config.Config] // in force
	reloading sync.Mutex

	version string
	log     *slog.Logger

	store     *badger.Store
	auth      *auth.Auth
	accounts  *auth.Accounts
	engine    holder
	bringing  sync.Mutex // one model is opened at a time
	health    health.State
	metrics   *metrics.Metrics
	stt       *stt.Service
	callbacks *webhook.CallbackWorker
	calls     calls
	events    *event.Hub
	sound     event.Sound
	console   *console.Service
	live      *live.Service
	vault     *vault.Keeper
	faces     faces
	traffic   traffic
	limits    *ratelimit.Limiter
	pulse     pulse
	vitals    vitals
	tail      tail
	listener  net.Listener

	certificate certificate.Source // nil: the listener does not encrypt
	redirect    net.Listener       // leads browsers to the listener; nil without
	insistence  insistence
}

// New makes the data folder, opens the store in it and binds the listener; the model is loaded by Run. Its errors are
// for the operator to read: a port that is taken, a folder that can't be written, a database that another appliance
// holds.
func New(cfg *config.Config, version string, log *slog.Logger) (*Appliance, error) {
	a := &Appliance{config: cfg, version: version, log: log, metrics: metrics.New(), events: event.New(event.Options{})}
	a.settings.Store(cfg)
	a.limits = ratelimit.New(func() int { return a.inForce().RateLimit }, time.Now)
	a.engine.heard, a.vitals.started = a.metrics.Heard, time.Now()
	a.log = keepTail(log, &a.tail)
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, ExplainData(cfg.Data, err)
	}
	if err := a.open(); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// open brings up what New promises.
func (a *Appliance) open() (err error) {
	if err := installation.CheckDatabase(a.config.Data, a.config.Database()); err != nil {
		return err
	}
	if a.store, err = badger.Open(a.config.Database(), badger.Options{
		Logger: a.log, KeyFile: a.config.DatabaseKey, BeforeUpgrade: a.beforeUpgrade,
	}); err != nil {
		return ExplainData(a.config.Data, err)
	}
	if n := a.store.Lost(); n > 0 {
		a.health.Warn("losses", fmt.Sprintf(
			"the database lost its last %d changes to a damaged disk: munadi doctor says more", n))
	}
	a.warnOfDamage()
	secret, err := a.joinInstallation()
	if err != nil {
		return err
	}
	first, err := auth.Bootstrap(context.Background(), a.store, secret, a.config.BootstrapAPIKey, time.Now())
	if err != nil {
		return err
	}
	if first && a.config.BootstrapAPIKey == "" {
		a.log.Info("first start: there is no API key yet", "make one with", "munadi keys create --data "+a.config.Data)
	}
	a.auth = auth.New(a.store, secret, time.Now, a.log)
	a.accounts = auth.NewAccounts(a.store, secret, time.Now, a.log)
	if err := a.gauges(); err != nil {
		return err
	}
	if a.stt, err = stt.New(a.sttDeps()); err != nil {
		return err
	}
	a.callbacks = webhook.NewCallbackWorker(webhook.CallbackOptions{
		Store: a.store, Body: stt.JobBody, Network: a.network(), Version: a.version, Log: a.log, Grace: webhookGrace,
	})
	if err := a.openCalls(secret); err != nil {
		return err
	}
	a.openVault()
	if err := errors.Join(a.machineGauges(), a.trunkGauges()); err != nil {
		return err
	}
	if err := a.openLive(); err != nil {
		return err
	}
	if err := a.openConsole(); err != nil {
		return err
	}
	if err := a.openCertificate(); err != nil {
		return err
	}
	if err := a.listen(); err != nil {
		return err
	}
	return a.firstUser()
}

func (a *Appliance) sttDeps() stt.Deps {
	return stt.Deps{
		Recognizer: &a.engine, Hear: a.hearLive, Token: a.liveToken, AllowSocket: a.crossOrigin().AllowSocket,
		Witness: a.witness, Open: a.sounds(), CheckURL: a.network().CheckURL,
		Auth: a.auth, Limit: a.limits.Take, Store: a.store, Health: &a.health,
		Metrics: a.metrics, Log: a.log, Now: time.Now, Limits: stt.DefaultLimits(), Largest: a.largest,
		Spool: filepath.Join(a.config.CacheDir(), "uploads"), Jobs: filepath.Join(a.config.Data, "jobs"),
	}
}

// Addr is where the appliance listens.
func (a *Appliance) Addr() net.Addr { return a.listener.Addr() }

// Run serves until ctx ends, lets what runs end, and closes everything. It returns nil after an orderly stop.
func (a *Appliance) Run(ctx context.Context) error {
	server := &http.Server{
		Handler:           peer.Handler(&a.faces, a.config.TrustedProxies.Prefixes(), !a.config.Listen.Loopback()),
		ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ConnState: newCrowd(roomForConnections()).watch,
	}
	if err := a.stt.TakeUpJobs(ctx); err != nil { // its worker tries again, and says so
		a.log.Warn("jobs of the last run", "err", err)
	}
	a.faces.show(a.starting()) //nolint:contextcheck // requests bring their own
	served := make(chan error, 1)
	go func() { served <- a.serve(server) }()
	a.log.Info("listening", "addr", a.Addr().String(), "url", a.url())
	if a.redirect != nil {
		defer a.serveRedirect().Close() //nolint:errcheck // it ends with the process
	}

	err := a.load() //nolint:contextcheck // a start that is cut off half-way leaves nothing to clean up
	calling, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	working, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorkers()
	called := a.supervise(calling, nil)
	if err == nil {
		done := a.supervise(working, a.workers())
		defer func() { <-done }()
		called = a.supervise(calling, []worker{{"schedule", a.calls.scheduler.Run}})
		select {
		case <-ctx.Done():
		case err = <-served:
		}
	}
	hangUp()
	a.drain(server, called) //nolint:contextcheck // ctx has ended: that is why it drains
	<-called                // a release that began as the stop came; what tells of the calls works on
	stopWorkers()
	return err
}

// Close frees what New took, in the opposite order. Run must have returned.
func (a *Appliance) Close() error {
	errs := []error{a.calls.close()}
	for _, l := range []net.Listener{a.listener, a.redirect} {
		if l == nil {
			continue
		}
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	a.events.Close()
	a.sound.Close()
	errs = append(errs, a.engine.close())
	if a.store != nil {
		errs = append(errs, a.store.Close())
	}
	return errors.Join(errs...)
}
