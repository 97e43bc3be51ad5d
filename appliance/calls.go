package appliance

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"munadi/appliance/api"
	"munadi/appliance/auth"
	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/config"
	"munadi/appliance/dial"
	"munadi/appliance/link"
	"munadi/appliance/retention"
	"munadi/appliance/schedule"
	"munadi/appliance/speech"
	"munadi/appliance/speech/bundle"
	"munadi/appliance/stt/edge"
	"munadi/appliance/webhook"
	"munadi/appliance/wire"
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

// calls is the call platform: what places calls, talks in them and tells of them.
type calls struct {
	carrier    carrier.Carrier
	trunk      *sip.Carrier // the carrier, where it is SIP; else nil
	voice      *bundle.Bundle
	speaker    voices
	talker     *talker
	flows      *flows
	recordings *blob.Folder
	live       *blob.Folder // sound of live sessions, for what expires
	links      *link.Links
	scheduler  *schedule.Scheduler
	webhook    *webhook.Worker
	retention  *retention.Worker
	api        *api.Service
}

// openCalls makes the parts of the call platform; nothing runs yet.
func (a *Appliance) openCalls(secret auth.Secret) (err error) {
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
	signer, err := link.New(secret.Derive("links"))
	if err != nil {
		return err
	}
	c.links = &link.Links{Signer: signer, PublicURL: a.url, Now: time.Now}
	network := a.network()
	c.webhook = webhook.New(webhook.Options{
		Store: a.store, Body: a.notification, Network: network, Version: a.version, Log: a.log, Meter: a.metrics,
		Grace: webhookGrace,
	})
	if c.talker, err = a.newTalker(); err != nil {
		return err
	}
	dialler := dial.New(dial.Deps{
		Carrier: c.carrier, Store: a.store, Scenarios: c.flows, Talker: c.talker,
		Recordings: dial.InFolder(c.recordings), Log: a.log,
	})
	c.scheduler = schedule.New(schedule.Deps{
		Store: a.store, Scenarios: c.flows, Lines: a.lines,
		Dialer:   &watched{dialler, a.store, a.events, &a.sound, a.metrics.CallEnded},
		CanSpeak: a.canSpeak,
		Mend:     c.recordings.Fix, Grace: callGrace, Log: a.log,
		Report: func(err error) { a.pulse.beat(); a.health.Report("schedule", err) },
	})
	c.retention = retention.New(a.store, c.recordings, c.live, a.log)
	c.retention.Warn = func(message string) { a.health.Warn("trash", message) }
	c.api = api.New(api.Deps{
		Store: a.store, Auth: a.auth, Now: time.Now, Links: c.links, Recordings: c.recordings,
		BuiltIn: c.flows.all, CheckURL: network.CheckURL, Note: edge.Note,
		Limit:   a.limits.Take,
		Carrier: api.Carrier{Name: c.carrier.Name(), Simulated: c.carrier.Simulated()}, Health: &a.health,
	})
	held := func() float64 { return float64(c.scheduler.Held()) }
	return a.metrics.Gauge("calls_running", "Calls that hold a line.", held)
}

// openVoice makes what speaks.
func (a *Appliance) openVoice() (err error) {
	c := &a.calls
	if c.voice, err = bundle.Open(prompts.Index(), prompts.Voice()); err != nil {
		return err
	}
	speaker, err := a.newSpeaker(a.config)
	if err != nil {
		return err
	}
	c.speaker.use(speaker)
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
	c.carrier, err = simulator.New(simulator.Options{
		Bundle: c.voice, TimeScale: a.config.TimeScale, Seed: seed, Speak: a.simulatedVoice,
	})
	return err
}

// close ends what is left on the lines: hang-ups still go out.
func (c *calls) close() error {
	if c.trunk == nil {
		return nil
	}
	return c.trunk.Close()
}

// newSpeaker makes the chain of voices that the settings want.
func (a *Appliance) newSpeaker(cfg *config.Config) (*speech.Chain, error) {
	o := speech.Options{
		Bundle: a.calls.voice, Recordings: filepath.Join(cfg.Data, "prompts"), ESpeak: cfg.ESpeak,
		Trouble: func(s speech.Source, err error) { a.log.Warn("a voice failed", "voice", string(s), "err", err) },
	}
	if cfg.SpeechURL != "" {
		o.Endpoint = &speech.EndpointOptions{
			URL: cfg.SpeechURL, Model: cfg.SpeechModel, Voice: cfg.SpeechVoice, Key: cfg.SpeechKey,
			CacheDir: filepath.Join(cfg.CacheDir(), "speech"), Transport: webhook.Network{Proxy: cfg.Outbound()}.Transport(),
		}
	}
	return speech.New(o)
}

// network is what notifications are sent over; organizations name their receivers.
func (a *Appliance) network() webhook.Network {
	return webhook.Network{
		Strict: func() bool { return a.inForce().WebhookTo == "public" }, Proxy: a.config.Outbound(),
	}
}

// simulatedVoice speaks what no bundled recording does, for a simulated person.
func (a *Appliance) simulatedVoice(ctx context.Context, text string) ([]int16, error) {
	sound, err := a.calls.speaker.Speak(ctx, speech.Request{Text: text})
	return sound.PCM, err
}

// lines is how many calls may be up at once; with a trunk, fewer or none while it does not answer.
func (a *Appliance) lines() int {
	wanted := a.inForce().Lines
	if a.calls.trunk != nil {
		return min(cmp.Or(wanted, config.SIPLines), a.calls.trunk.Lines())
	}
	return cmp.Or(wanted, a.calls.carrier.Lines())
}

// notification is the body of what the outbox owes.
func (a *Appliance) notification(ctx context.Context, d delivery.Delivery) ([]byte, error) {
	if len(d.Body) > 0 {
		return d.Body, nil
	}
	// A crash between a try and its record makes the body again: its links count from the same time.
	links := a.calls.links.At(d.CreatedAt)
	if d.Redelivered() {
		links = a.calls.links
	}
	if d.Kind == delivery.Test {
		return wire.BodyOf(wire.Sample(d.OrgID, d.CallID, d.CreatedAt), links)
	}
	c, err := a.store.Call(ctx, d.OrgID, d.CallID)
	if err != nil {
		return nil, err
	}
	return wire.BodyOf(c, links)
}

// flows finds scenarios: an organization's own before the built-in ones.
type flows struct {
	store   scenarioStore
	builtIn []scenario.Scenario
}

type scenarioStore interface {
	Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
}

func newFlows(s scenarioStore) (*flows, error) {
	builtIn, err := scenario.BuiltIn(scenarios.Files())
	if err != nil {
		return nil, err
	}
	return &flows{store: s, builtIn: builtIn}, nil
}

func (f *flows) all() []scenario.Scenario { return f.builtIn }

// Scenario is the one of that id; CodeNotFound without one.
func (f *flows) Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	own, err := f.store.Scenario(ctx, orgID, id)
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
