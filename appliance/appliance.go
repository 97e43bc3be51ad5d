// Package appliance runs the product: it constructs store, engine, HTTP handlers and background workers, serves
// requests and calls, and shuts down gracefully. It can be embedded in another program:
//
//	a, err := appliance.New(cfg, version, logger)
//	err = a.Run(ctx) // until ctx ends, then 30 s at most
//	err = a.Close()
//
// Start: data folder → store → listener (probes answer at once, readiness says "starting") → model → ready. Graceful
// shutdown: new work is refused (503, readiness "draining") and no call is released any more, while running requests
// and calls end; then the listener, the workers, the engine and the store close. A worker that fails is restarted;
// readiness is not ok meanwhile.
package appliance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"munadi/appliance/alerting"
	"munadi/appliance/auth"
	"munadi/appliance/backup/backupschedule"
	"munadi/appliance/callplatform"
	"munadi/appliance/cluster"
	"munadi/appliance/config"
	"munadi/appliance/console"
	"munadi/appliance/database"
	"munadi/appliance/httpserver"
	"munadi/appliance/httpserver/inflight"
	"munadi/appliance/httpserver/ratelimit"
	"munadi/appliance/httpserver/realip"
	"munadi/appliance/installation"
	"munadi/appliance/ldap"
	"munadi/appliance/live"
	"munadi/appliance/mailer"
	"munadi/appliance/models"
	"munadi/appliance/models/modeljob"
	"munadi/appliance/models/modelshare"
	"munadi/appliance/models/voiceinstall"
	"munadi/appliance/monitor/health"
	"munadi/appliance/monitor/logtail"
	"munadi/appliance/monitor/metrics"
	"munadi/appliance/monitor/outagelog"
	"munadi/appliance/monitor/storagewatch"
	"munadi/appliance/monitor/systemd"
	"munadi/appliance/monitor/vitals"
	"munadi/appliance/monitor/watchdog"
	"munadi/appliance/oidc"
	"munadi/appliance/openapi"
	"munadi/appliance/recognizer"
	"munadi/appliance/recordings"
	"munadi/appliance/ssehub"
	"munadi/appliance/stt"
	"munadi/appliance/stt/realtime"
	"munadi/appliance/stt/speech"
	"munadi/appliance/supervisor"
	"munadi/appliance/syslog"
	"munadi/appliance/tlscert"
	"munadi/appliance/webhook"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store/blob"
)

const (
	// grace is the graceful shutdown timeout: how long running requests may take to end.
	grace = 30 * time.Second
	// callbackGrace is how long callbacks of jobs that are being sent may take then.
	callbackGrace = 3 * time.Second
)

// Appliance is a running instance of the product.
type Appliance struct {
	// Manager is the service manager (systemd), notified of readiness, shutdown and the watchdog; set it before Run.
	Manager systemd.ServiceManager
	// Settings reads and validates the settings again, for [Appliance.ReloadSettings]; nil: reload is not possible.
	// Set it before Run.
	Settings func() (*config.Config, error)
	// Level is the log level, which a reload may change; may be nil. Set it before Run.
	Level *slog.LevelVar

	config    *config.Config                // as of the start
	settings  atomic.Pointer[config.Config] // in force
	trunkKey  [32]byte                      // seals the passwords of the console's SIP trunks
	trunksDue chan struct{}                 // they were changed here
	reloading sync.Mutex

	version string
	log     *slog.Logger

	store                      *database.Database
	auth                       *auth.KeyVerifier
	accounts                   *auth.AccountService
	engine                     recognizer.Recognizer
	health                     health.HealthState
	metrics                    *metrics.Metrics
	replies                    alerting.ReplyWatch
	stt                        *stt.TranscriptionService
	callbacks                  *webhook.CallbackWorker
	destinations               *webhook.DeliveryWorker
	calls                      *callplatform.CallPlatform
	bucket                     *recordings.BucketLink // nil: recordings stay in the data folder
	events                     *ssehub.EventHub
	sound                      *ssehub.SoundHub
	console                    *console.ConsoleService
	live                       *live.LiveService
	recordings, liveRecordings blob.RecordingStore // of calls and of live sessions
	models                     *modeljob.ModelWorker
	voices                     voiceinstall.VoiceWatch
	shared                     *modelshare.ShareWorker // nil: models are of this appliance alone
	installed                  recognizer.InstalledModel
	capacity                   recognizer.CapacityMeter
	openSound                  recognizer.SoundOpener
	backups                    *backupschedule.BackupScheduler
	alerts                     *alerting.AlertMonitor
	mail                       *mailer.ServerFinder
	syslog                     *syslog.AuditForwarder // nil: the audit log is not forwarded
	company                    *oidc.Provider         // nil: people sign in with passwords alone
	directory                  *ldap.Directory        // nil: there is no LDAP directory
	cluster                    *cluster.Cluster       // nil with the embedded database
	handler                    httpserver.HandlerSwitch
	inflight                   inflight.RequestCounter
	limits                     *ratelimit.KeyLimiter
	watchdog                   watchdog.Watchdog
	storage                    storagewatch.StorageWatch
	vitals                     *vitals.History
	tail                       logtail.LogTail
	listener                   net.Listener

	certificate tlscert.CertificateSource // nil: no TLS
	redirect    net.Listener              // listener that redirects plain HTTP to HTTPS; nil without
}

// New creates the data folder, opens the store in it and binds the listener; the model is loaded by Run. Its errors
// are for the operator to read: a port in use, a folder that is not writable, a database that another appliance has
// locked.
func New(cfg *config.Config, version string, log *slog.Logger) (*Appliance, error) {
	a := &Appliance{
		config:  cfg,
		version: version,
		log:     log,
		metrics: metrics.NewMetrics(),
		events:  ssehub.NewHub(ssehub.HubOptions{}),
		sound:   ssehub.NewSoundHub(),
	}
	a.settings.Store(cfg)
	a.limits = ratelimit.NewLimiter(func() int { return a.inForce().RateLimit }, time.Now)
	a.openSound = recognizer.NewSoundOpener(func() string { return a.inForce().FFmpeg })
	a.engine.CountLive = a.metrics.CountLiveSound
	a.installed.Fixed = func() bool { return a.inForce().Model != "" }
	a.engine.Latency = func() time.Duration { return time.Duration(a.inForce().LiveLatency) }
	a.vitals = &vitals.History{
		Started: time.Now(), DecodingTotals: a.metrics.DecodingTotals,
		Database: cfg.DatabaseFolder(), Recordings: filepath.Join(cfg.Data, "recordings"),
	}
	a.log = slog.New(outagelog.NewHandler(logtail.AttachTail(log, &a.tail).Handler(), time.Now))
	if err := installation.PrepareData(cfg.Data, a.log); err != nil {
		return nil, err
	}
	if err := a.openResources(); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// openResources opens the store, the listeners and the services for New.
func (a *Appliance) openResources() error {
	if err := a.openStore(); err != nil {
		return err
	}
	secret, err := a.joinInstallation()
	if err != nil {
		return err
	}
	a.store.UseAuditKey(secret.AuditKey())
	first, err := auth.BootstrapOrganization(context.Background(), a.store, secret, a.config.BootstrapAPIKey, time.Now())
	if err != nil {
		return err
	}
	if first && a.config.BootstrapAPIKey == "" {
		a.log.Info("first start: there is no API key yet", "create one with", "munadi keys create --data "+a.config.Data)
	}
	if err := a.store.BeginAudit(context.Background(), time.Now().UTC()); err != nil {
		return err
	}
	a.auth = auth.NewKeyVerifier(a.store, secret, time.Now, a.log)
	a.accounts = auth.NewAccounts(a.store, secret, time.Now, a.log)
	if err := a.openProvider(secret); err != nil {
		return err
	}
	if a.stt, err = stt.NewService(a.sttDeps()); err != nil {
		return err
	}
	a.callbacks = webhook.NewCallbackWorker(webhook.CallbackOptions{
		Store: a.store, Body: stt.JobBody, Network: a.outboundNetwork(), Version: a.version, Log: a.log, Grace: callbackGrace,
	})
	if err := a.openDestinations(secret); err != nil {
		return err
	}
	a.openMail(secret)
	if err := a.openSyslog(); err != nil {
		return err
	}
	a.voices.Voices, a.voices.Log = models.OpenVoices(a.config.Data), a.log
	a.voices.Warn = func(message string) { a.health.SetWarning("voices", message) }
	if err := a.openCalls(secret); err != nil {
		return err
	}
	a.openBackups()
	a.openCluster()
	for _, open := range []func() error{
		a.openLive, a.openModels, a.addGauges, a.openAlerts, a.openConsole, a.openCertificate, a.openListeners, a.firstUser,
	} {
		if err := open(); err != nil {
			return err
		}
	}
	return nil
}

// openStore opens the store and what monitors it: the watchdog, and the warnings about lost or damaged data.
func (a *Appliance) openStore() (err error) {
	if a.store, err = database.OpenDatabase(context.Background(), a.config, database.OpenOptions{
		Logger: a.log, BeforeUpgrade: a.beforeUpgrade, Appliance: true,
	}); err != nil {
		return installation.ExplainDataError(a.config.Data, err)
	}
	if n := a.store.LostTransactions(); n > 0 {
		a.health.SetWarning("losses", fmt.Sprintf(
			"the database lost its last %d changes to a damaged disk: munadi doctor says more", n))
	}
	a.watchdog.Log, a.watchdog.QueryDatabase = a.log, a.store.QueryEmbedded
	if a.store.Embedded != nil {
		a.storage = storagewatch.StorageWatch{Store: a.store.Embedded, Health: &a.health, Log: a.log}
		a.storage.WarnOfDamage()
		if err := backupschedule.EndUpgrade(a.config); err != nil { // a later upgrade overwrites it
			a.log.Warn("the note about the backup before the upgrade can't be removed", "err", err)
		}
		return nil
	}
	return a.store.Shared.CheckComplete(context.Background())
}

func (a *Appliance) sttDeps() stt.Dependencies {
	deps := stt.Dependencies{
		Recognizer: &a.engine, LiveRoom: func() int { return a.capacity.LimitSessions(a.calls.Scheduler.HeldLines()) },
		OpenStream: func(o engine.StreamOptions) (realtime.RecognitionStream, error) { return a.engine.OpenStream(o) },
		Token: func(ctx context.Context, token string) (auth.Principal, bool) {
			return a.live.AuthenticateToken(ctx, token)
		}, AllowSocket: a.crossOrigin().AllowSocket,
		Models: a.modelNames, Languages: a.engine.OfferedLanguages, HasLanguage: a.engine.HasLanguage,
		PublicURL: a.publicURL,
		Speaker:   func() speech.VoiceSpeaker { return &a.calls.Speaker },
		Encoding:  func() audio.EncodeOptions { return audio.EncodeOptions{FFmpeg: a.inForce().FFmpeg} },
		Observer:  a.realtimeObserver, Open: a.openSound, CheckURL: a.outboundNetwork().CheckURL,
		Auth: a.auth, Limit: a.limits.TakeToken, Store: a.store, Health: &a.health,
		Metrics: a.metrics, Log: a.log, Now: time.Now, Limits: stt.DefaultLimits(), Largest: a.uploadLimits,
		Spool: filepath.Join(a.config.CacheDir(), "uploads"), Jobs: filepath.Join(a.config.Data, "jobs"),
	}
	deps.Country = func(ctx context.Context, orgID string) (string, error) {
		rules, err := a.store.FindRules(ctx, orgID)
		return rules.Country(), err
	}
	if a.bucket != nil {
		deps.Uploads = a.bucket.Shared
	}
	return deps
}

// Addr returns the listener's address.
func (a *Appliance) Addr() net.Addr { return a.listener.Addr() }

// Run serves until ctx ends, then shuts down gracefully and closes everything. It returns nil after a graceful
// shutdown.
func (a *Appliance) Run(ctx context.Context) error {
	server := httpserver.NewServer(
		realip.TrustProxies(&a.handler, a.config.TrustedProxies.Prefixes(), !a.config.Listen.IsLoopback()), 1, a.log)
	if err := a.stt.RequeueInterrupted(ctx); err != nil {
		a.log.Warn("interrupted transcription jobs could not be queued again; their worker retries it", "err", err)
	}
	a.handler.ReplaceHandler(a.newStartingHandler()) //nolint:contextcheck // requests bring their own
	served := make(chan error, 1)
	go func() { served <- a.serveListener(server) }()
	a.log.Info("listening", "addr", a.Addr().String(), "url", a.publicURL())
	if a.redirect != nil {
		defer a.serveRedirect().Close() //nolint:errcheck // it ends with the process
	}

	go openapi.ParseDocument()
	err := a.loadModel() //nolint:contextcheck // an interrupted start needs no cleanup
	calling, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	working, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorkers()
	workers := supervisor.Supervisor{Report: a.health.ReportWorker, Log: a.log}
	called := workers.RunWorkers(calling, nil)
	if err == nil {
		a.cluster.BeginLease(ctx)
		done := workers.RunWorkers(working, a.listWorkers())
		defer func() { <-done }()
		if a.config.ServesCalls() {
			called = workers.RunWorkers(calling, []supervisor.BackgroundWorker{{Name: "schedule", Run: a.calls.Scheduler.Run}})
		}
		select {
		case <-ctx.Done():
		case err = <-served:
		}
	}
	hangUp()
	a.drainRequests(server, called) //nolint:contextcheck // ctx has ended: that is why it drains
	<-called                        // a call may just have been released; the webhook sender still runs
	stopWorkers()
	return err
}

// Close releases what New opened, in the opposite order. Run must have returned.
func (a *Appliance) Close() error {
	errs := []error{a.calls.Close()}
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
	errs = append(errs, a.engine.Close())
	if a.bucket != nil {
		errs = append(errs, a.bucket.CloseSpools())
	}
	if a.store != nil {
		errs = append(errs, a.store.Close())
	}
	return errors.Join(errs...)
}
