package appliance

import (
	"cmp"
	"context"
	"time"

	"munadi/appliance/api"
	"munadi/appliance/auth"
	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/carrier/trunk"
	"munadi/appliance/config"
	"munadi/appliance/conversation/llm"
	"munadi/appliance/conversation/runner"
	"munadi/appliance/dialer"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/publisher"
	"munadi/appliance/retention"
	"munadi/appliance/scenariocheck"
	"munadi/appliance/scheduler"
	"munadi/appliance/service"
	"munadi/appliance/tts"
	"munadi/appliance/tts/voicepack"
	"munadi/appliance/webhook"
	"munadi/assets/prompts"
	"munadi/assets/scenarios"
	"munadi/store/blob"
	"munadi/store/scenario"
)

const (
	// callGrace is how long running calls may continue at a graceful shutdown, within grace.
	callGrace = 26 * time.Second
	// webhookGrace is how long webhook attempts in progress may take then.
	webhookGrace = 3 * time.Second
	// seed is the random seed of the simulator: the same call gets the same answers at every start.
	seed = 1
)

// callPlatform holds the parts of the call platform: carrier, scheduler, dialer, conversations, webhook sender.
type callPlatform struct {
	carrier    carrier.Carrier
	trunks     *trunk.TrunkGroup // the carrier if it is SIP; else nil
	voice      *voicepack.VoicePack
	speaker    tts.SwappableChain
	talker     *runner.ConversationRunner
	checker    *scenariocheck.ScenarioChecker
	flows      *scenariocheck.ScenarioFinder
	recordings blob.RecordingStore
	live       blob.RecordingStore // recordings of live sessions
	links      *signedurl.SignedLinks
	scheduler  *scheduler.Scheduler
	webhook    *webhook.DeliveryWorker
	retention  *retention.RetentionWorker
	useCases   *service.UseCases
	api        *api.APIService
}

// openCalls constructs the call platform; nothing runs yet.
func (a *Appliance) openCalls(secret auth.InstallationSecret) (err error) {
	c := &a.calls
	builtIn, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil {
		return err
	}
	c.flows = &scenariocheck.ScenarioFinder{Store: a.store, BuiltIn: builtIn}
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
		Store: a.store, Body: webhook.NotificationSource{Calls: a.store, Alerts: a.store, Links: c.links}.NotificationBody,
		Network: network, Version: a.version, Log: a.log, Meter: a.metrics, Grace: webhookGrace,
	})
	if c.talker, err = runner.NewRunner(runner.Dependencies{
		Recognizer: &a.engine, Speaker: &c.speaker, Scenarios: scenarios.ScenarioFiles(), Chat: a.newChat(),
		FindRules: a.store.FindRules, Hubs: a.hubs(), Log: a.log,
	}); err != nil {
		return err
	}
	dialler := dialer.NewDialer(dialer.Dependencies{
		Carrier: c.carrier, Store: a.store, Scenarios: c.flows, Talker: c.talker,
		Recordings: dialer.KeptIn(c.recordings), Log: a.log,
	})
	c.scheduler = scheduler.NewScheduler(scheduler.Dependencies{
		Store: a.store, Scenarios: c.flows, Lines: a.lineLimit, Room: c.trunkRoom(),
		Dialer: &publisher.PublishingDialer{
			CallDialer: dialler, Store: a.store, Hubs: a.hubs(), CountCall: a.metrics.CallEnded,
		},
		CanSpeak: scenariocheck.SpeechCheck{Scenarios: c.flows, Check: c.talker.CheckSpeech}.CheckCall,
		Mend:     c.recordings.FixHeader, Grace: callGrace, Log: a.log,
		Report: func(err error) { a.watchdog.RecordRound(); a.health.ReportWorker("schedule", err) },
	})
	c.retention = retention.NewWorker(a.store, c.recordings, c.live, a.log)
	if a.bucket != nil {
		a.bucket.calls.IsErased = c.retention.IsErased
	}
	c.retention.Warn = func(message string) { a.health.SetWarning("trash", message) }
	c.checker = scenariocheck.NewChecker(scenariocheck.Dependencies{
		Rules: a.store.FindRules, Texts: c.talker.CallTexts, Speaker: &c.speaker, Endpoint: func(orgID, name string) bool {
			_, open := a.inForce().LLMEndpoints.FindEndpoint(orgID, name)
			return open
		},
	})
	c.useCases = &service.UseCases{
		Store: a.store, Keys: a.auth, RemoveRecording: c.recordings.RemoveFile,
		BuiltIn:   func() []scenario.Scenario { return builtIn },
		Scenarios: c.checker, CheckURL: network.CheckURL, OperatorMail: a.operatorMail, Now: time.Now,
	}
	c.api = api.NewService(api.Dependencies{
		Store: a.store, UseCases: c.useCases, Auth: a.auth, Now: time.Now, Links: c.links, Recordings: c.recordings,
		Note: middleware.AddLogAttribute, Limit: a.limits.TakeToken,
		Carrier: api.CarrierInfo{Name: c.carrier.Name(), Simulated: c.carrier.Simulated()}, Health: &a.health,
	})
	return nil
}

// hubs returns where viewers of calls and their listeners join.
func (a *Appliance) hubs() publisher.Hubs { return publisher.Hubs{Events: a.events, Sound: a.sound} }

// newChat returns the client of the operator's language models (LLM). Their URLs are set by the operator, so private
// networks are allowed whatever webhook-to says.
func (a *Appliance) newChat() *llm.ChatClient {
	transport := webhook.OutboundNetwork{Proxy: a.config.OutboundProxy()}.NewTransport()
	return llm.NewClient(transport, func(orgID, name string) (llm.ChatEndpoint, bool) {
		e, ok := a.inForce().LLMEndpoints.FindEndpoint(orgID, name)
		return llm.ChatEndpoint{URL: e.URL, Model: e.Model, KeyEnv: e.KeyEnv}, ok
	})
}

// openVoice constructs the text-to-speech chain.
func (a *Appliance) openVoice() (err error) {
	c := &a.calls
	if c.voice, err = voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes()); err != nil {
		return err
	}
	speaker, err := a.newSpeaker(a.config)
	if err != nil {
		return err
	}
	c.speaker.ReplaceChain(speaker)
	return nil
}

// openCarrier constructs the carrier: the SIP trunks or the simulator.
func (a *Appliance) openCarrier() (err error) {
	c := &a.calls
	if a.config.Carrier == config.SIP && a.config.ServesCalls() {
		if c.trunks, err = trunk.OpenTrunks(a.config, a.version, a.log); err == nil {
			c.carrier = c.trunks
		}
		return err
	}
	c.carrier, err = simulator.NewSimulator(simulator.SimulatorOptions{
		Bundle: c.voice, TimeScale: a.config.TimeScale, Seed: seed, Speak: a.simulatedVoice,
	})
	return err
}

// close closes the SIP trunks, after remaining hang-ups were sent.
func (c *callPlatform) close() error {
	if c.trunks == nil {
		return nil
	}
	return c.trunks.Close()
}

// newSpeaker returns the chain of voices of the settings.
func (a *Appliance) newSpeaker(cfg *config.Config) (*tts.VoiceChain, error) {
	transport := webhook.OutboundNetwork{Proxy: cfg.OutboundProxy()}.NewTransport()
	return tts.NewConfiguredChain(cfg, a.calls.voice, transport, a.log)
}

// outboundNetwork returns the network for webhooks, whose URLs are set by organizations (SSRF protection).
func (a *Appliance) outboundNetwork() webhook.OutboundNetwork {
	return webhook.OutboundNetwork{
		Strict: func() bool { return a.inForce().WebhookTo == "public" }, Proxy: a.config.OutboundProxy(),
	}
}

// simulatedVoice speaks text that is not a bundled recording for a simulated callee.
func (a *Appliance) simulatedVoice(ctx context.Context, text string) ([]int16, error) {
	sound, err := a.calls.speaker.Speak(ctx, tts.SpeechRequest{Text: text})
	return sound.PCM, err
}

// lineLimit returns the concurrent call limit: the setting's, which is the operator's word, or without one as many as
// the carrier has lines and the machine holds in real time. With a SIP trunk it is lower, or 0, while the trunk does
// not answer.
func (a *Appliance) lineLimit() int {
	if !a.config.ServesCalls() {
		return 0
	}
	wanted, sessions := a.inForce().Lines, a.stt.LiveSessions()
	if a.calls.trunks == nil {
		lines := a.calls.carrier.Lines()
		if a.config.TimeScale == 1 { // a faster or slower simulation waits for the recognizer: no call is late there
			lines = a.capacity.LimitCalls(lines, sessions)
		}
		return cmp.Or(wanted, lines)
	}
	lines := a.inForce().SIPLines()
	if wanted == 0 {
		lines = a.capacity.LimitCalls(lines, sessions)
	}
	return min(lines, a.calls.trunks.Lines())
}

// trunkRoom returns how lines are taken by number, where several trunks serve different ones; else nil.
func (c *callPlatform) trunkRoom() func(held []string) func(number string) bool {
	if c.trunks == nil {
		return nil
	}
	return c.trunks.Room
}
