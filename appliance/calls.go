package appliance

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"munadi/appliance/api"
	"munadi/appliance/apimodel"
	"munadi/appliance/auth"
	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/config"
	"munadi/appliance/dialer"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/retention"
	"munadi/appliance/scenariocheck"
	"munadi/appliance/scheduler"
	"munadi/appliance/tts"
	"munadi/appliance/tts/voicepack"
	"munadi/appliance/webhook"
	"munadi/assets/prompts"
	"munadi/assets/scenarios"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/delivery"
	"munadi/store/scenario"
)

const (
	// callGrace is how long running calls may go on at a stop, within the whole grace.
	callGrace = 26 * time.Second
	// webhookGrace is how long tries on their way may take then.
	webhookGrace = 3 * time.Second
	// seed of all that is left to chance in the simulator: the same call gets the same answers at every start.
	seed = 1
)

// callPlatform is the call platform: what places calls, talks in them and tells of them.
type callPlatform struct {
	carrier    carrier.Carrier
	trunk      *sip.Carrier // the carrier, where it is SIP; else nil
	voice      *voicepack.VoicePack
	speaker    swappableVoice
	talker     *conversationHolder
	checker    *scenariocheck.Checker
	flows      *scenarioFinder
	recordings *blob.RecordingFolder
	live       *blob.RecordingFolder // sound of live sessions, for what expires
	links      *signedurl.SignedLinks
	scheduler  *scheduler.Scheduler
	webhook    *webhook.DeliveryWorker
	retention  *retention.RetentionWorker
	api        *api.APIService
}

// openCalls makes the parts of the call platform; nothing runs yet.
func (a *Appliance) openCalls(secret auth.InstallationSecret) (err error) {
	c := &a.calls
	if c.flows, err = newFlows(a.store); err != nil {
		return err
	}
	if err := a.openVoice(); err != nil {
		return err
	}
	if err := a.openCarrier(); err != nil {
		return err
	}
	signer, err := signedurl.NewSigner(secret.DeriveKey("links"))
	if err != nil {
		return err
	}
	c.links = &signedurl.SignedLinks{Signer: signer, PublicURL: a.publicURL, Now: time.Now}
	network := a.outboundNetwork()
	c.webhook = webhook.NewWorker(webhook.WorkerOptions{
		Store: a.store, Body: a.notificationBody, Network: network, Version: a.version, Log: a.log, Meter: a.metrics,
		Grace: webhookGrace,
	})
	if c.talker, err = a.newTalker(); err != nil {
		return err
	}
	dialler := dialer.NewDialer(dialer.Dependencies{
		Carrier: c.carrier, Store: a.store, Scenarios: c.flows, Talker: c.talker,
		Recordings: dialer.InFolder(c.recordings), Log: a.log,
	})
	c.scheduler = scheduler.NewScheduler(scheduler.Dependencies{
		Store: a.store, Scenarios: c.flows, Lines: a.lineLimit,
		Dialer:   &publishingDialer{dialler, a.store, a.events, &a.sound, a.metrics.CallEnded},
		CanSpeak: a.canSpeak,
		Mend:     c.recordings.FixHeader, Grace: callGrace, Log: a.log,
		Report: func(err error) { a.pulse.recordPass(); a.health.ReportWorker("schedule", err) },
	})
	c.retention = retention.NewWorker(a.store, c.recordings, c.live, a.log)
	c.retention.Warn = func(message string) { a.health.SetWarning("trash", message) }
	c.checker = scenariocheck.New(scenariocheck.Deps{
		Rules: a.store.FindRules, Book: c.talker.book, Speaker: &c.speaker, Endpoint: func(orgID, name string) bool {
			_, open := a.inForce().LLMEndpoints.FindEndpoint(orgID, name)
			return open
		},
	})
	c.api = api.NewService(api.Dependencies{
		Scenarios: c.checker,
		Store:     a.store, Auth: a.auth, Now: time.Now, Links: c.links, Recordings: c.recordings,
		BuiltIn: c.flows.builtInScenarios, CheckURL: network.CheckURL, Note: middleware.AddLogAttribute,
		Limit:   a.limits.TakeToken,
		Carrier: api.CarrierInfo{Name: c.carrier.Name(), Simulated: c.carrier.Simulated()}, Health: &a.health,
	})
	held := func() float64 { return float64(c.scheduler.HeldLines()) }
	return a.metrics.AddGauge("calls_running", "Calls that hold a line.", held)
}

// openVoice makes what speaks.
func (a *Appliance) openVoice() (err error) {
	c := &a.calls
	if c.voice, err = voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes()); err != nil {
		return err
	}
	speaker, err := a.newSpeaker(a.config)
	if err != nil {
		return err
	}
	c.speaker.replaceChain(speaker)
	return nil
}

// openCarrier makes what places calls.
func (a *Appliance) openCarrier() (err error) {
	c := &a.calls
	if a.config.Carrier == config.SIP {
		if c.trunk, err = a.openTrunk(); err == nil {
			c.carrier = c.trunk
		}
		return err
	}
	c.carrier, err = simulator.NewSimulator(simulator.SimulatorOptions{
		Bundle: c.voice, TimeScale: a.config.TimeScale, Seed: seed, Speak: a.simulatedVoice,
	})
	return err
}

// close ends what is left on the lines: hang-ups still go out.
func (c *callPlatform) close() error {
	if c.trunk == nil {
		return nil
	}
	return c.trunk.Close()
}

// newSpeaker makes the chain of voices that the settings want.
func (a *Appliance) newSpeaker(cfg *config.Config) (*tts.VoiceChain, error) {
	o := tts.ChainOptions{
		Bundle: a.calls.voice, Recordings: filepath.Join(cfg.Data, "prompts"), ESpeak: cfg.ESpeak,
		Trouble: func(s tts.VoiceSource, err error) { a.log.Warn("a voice failed", "voice", string(s), "err", err) },
	}
	if cfg.SpeechURL != "" {
		o.Endpoint = &tts.EndpointOptions{
			URL: cfg.SpeechURL, Model: cfg.SpeechModel, Voice: cfg.SpeechVoice, Key: cfg.SpeechKey,
			CacheDir: filepath.Join(cfg.CacheDir(), "speech"), Transport: webhook.OutboundNetwork{Proxy: cfg.OutboundProxy()}.NewTransport(),
		}
	}
	return tts.NewChain(o)
}

// outboundNetwork is what notifications are sent over; organizations name their receivers.
func (a *Appliance) outboundNetwork() webhook.OutboundNetwork {
	return webhook.OutboundNetwork{
		Strict: func() bool { return a.inForce().WebhookTo == "public" }, Proxy: a.config.OutboundProxy(),
	}
}

// simulatedVoice speaks what no bundled recording does, for a simulated person.
func (a *Appliance) simulatedVoice(ctx context.Context, text string) ([]int16, error) {
	sound, err := a.calls.speaker.Speak(ctx, tts.SpeechRequest{Text: text})
	return sound.PCM, err
}

// lineLimit is how many calls may be up at once; with a trunk, fewer or none while it does not answer.
func (a *Appliance) lineLimit() int {
	wanted := a.inForce().Lines
	if a.calls.trunk != nil {
		return min(cmp.Or(wanted, config.SIPLines), a.calls.trunk.Lines())
	}
	return cmp.Or(wanted, a.calls.carrier.Lines())
}

// notificationBody is the body of what the outbox owes.
func (a *Appliance) notificationBody(ctx context.Context, d delivery.Delivery) ([]byte, error) {
	if len(d.Body) > 0 {
		return d.Body, nil
	}
	// A crash between a try and its record makes the body again: its links count from the same time.
	links := a.calls.links.LinksAt(d.CreatedAt)
	if d.IsRedelivered() {
		links = a.calls.links
	}
	if d.Kind == delivery.Test {
		return apimodel.BodyOf(apimodel.SampleCall(d.OrgID, d.CallID, d.CreatedAt), links)
	}
	c, err := a.store.FindCall(ctx, d.OrgID, d.CallID)
	if err != nil {
		return nil, err
	}
	return apimodel.BodyOf(c, links)
}

// scenarioFinder finds scenarios: an organization's own before the built-in ones.
type scenarioFinder struct {
	store   scenarioStore
	builtIn []scenario.Scenario
}

type scenarioStore interface {
	FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
}

func newFlows(s scenarioStore) (*scenarioFinder, error) {
	builtIn, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil {
		return nil, err
	}
	return &scenarioFinder{store: s, builtIn: builtIn}, nil
}

func (f *scenarioFinder) builtInScenarios() []scenario.Scenario { return f.builtIn }

// Scenario is the one of that id; CodeNotFound without one.
func (f *scenarioFinder) Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	own, err := f.store.FindScenario(ctx, orgID, id)
	if err == nil {
		return own, nil
	}
	for _, s := range f.builtIn {
		if s.ID == id && isMissing(err) {
			return s, nil
		}
	}
	return own, err
}

// isMissing says that there is no such record.
func isMissing(err error) bool { return store.CodeOf(err) == store.CodeNotFound }
