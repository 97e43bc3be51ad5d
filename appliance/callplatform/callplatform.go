// Package callplatform constructs the call platform: carrier, voices, conversations, dialer, scheduler, webhook sender,
// use cases and their API.
package callplatform

import (
	"context"
	"io/fs"
	"log/slog"
	"time"

	"munadi/appliance/api"
	"munadi/appliance/auth"
	"munadi/appliance/browsercall"
	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/carrier/trunk"
	"munadi/appliance/certainty"
	"munadi/appliance/config"
	"munadi/appliance/conversation/announcement"
	"munadi/appliance/conversation/runner"
	"munadi/appliance/conversation/slot"
	"munadi/appliance/database"
	"munadi/appliance/dialer"
	"munadi/appliance/evidence"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/inboundrouter"
	"munadi/appliance/models"
	"munadi/appliance/monitor/health"
	"munadi/appliance/monitor/metrics"
	"munadi/appliance/monitor/watchdog"
	"munadi/appliance/proposals"
	"munadi/appliance/publisher"
	"munadi/appliance/recognizer"
	"munadi/appliance/replayer"
	"munadi/appliance/retention"
	"munadi/appliance/scenariocheck"
	"munadi/appliance/scheduler"
	"munadi/appliance/service"
	"munadi/appliance/takeover"
	"munadi/appliance/tts"
	"munadi/appliance/tts/voicepack"
	"munadi/appliance/webhook"
	"munadi/engine/voice"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/scenario"
)

const (
	// callGrace is how long running calls may continue at a graceful shutdown; it is less than the appliance's.
	callGrace = 26 * time.Second
	// webhookGrace is how long webhook attempts in progress may take then.
	webhookGrace = 3 * time.Second
	// seed is the random seed of the simulator: the same call gets the same answers at every start.
	seed = 1
)

// Dependencies are the dependencies of the platform; all fields are required.
type Dependencies struct {
	Config     *config.Config        // as of the start
	InForce    func() *config.Config // settings with the changes of reloads
	Version    string
	Log        *slog.Logger
	Voice      *voicepack.VoicePack // bundled
	Scenarios  fs.FS                // bundled
	Store      *database.Database
	Auth       *auth.KeyVerifier
	LinkKey    [32]byte // signs the links to recordings
	PublicURL  func() string
	Recognizer *recognizer.Recognizer
	OpenModel  func(name string) (*recognizer.Recognizer, error) // opens an installed speech model
	Capacity   *recognizer.CapacityMeter
	Sessions   func() int // realtime sessions that are open
	Recordings blob.RecordingStore
	Live       blob.RecordingStore // recordings of live sessions
	Hubs       publisher.Hubs
	Metrics    *metrics.Metrics
	CountReply func(gap time.Duration)                      // counts a reply in a call by the silence before it
	OpenVoice  func(dir string) (*voice.NeuralVoice, error) // opens the neural voice in a folder
	Voices     tts.VoiceVerifier
	Health     *health.HealthState
	Watchdog   *watchdog.Watchdog
	Limit      func(keyID string) time.Duration // the rate limiter of keys
	// Network is the network for webhooks, with SSRF protection, since organizations set the URLs.
	Network      webhook.OutboundNetwork
	OperatorMail func(ctx context.Context) (addresses []string, sends bool)
}

// CallPlatform holds the parts of the call platform.
type CallPlatform struct {
	Dependencies
	Carrier   carrier.Carrier
	Trunks    *trunk.TrunkGroup // the carrier if it is SIP; else nil
	Speaker   tts.SwappableChain
	Desk      takeover.Desk // where staff take running calls over
	Scheduler *scheduler.Scheduler
	Inbound   *inboundrouter.InboundRouter
	Webhooks  *webhook.DeliveryWorker
	Retention *retention.RetentionWorker
	UseCases  *service.UseCases
	Bulk      *service.BulkWorker
	Replays   *replayer.Worker
	API       *api.APIService
	Certainty *certainty.Meter

	stored    []config.SIPTrunkSettings // the trunks of the console; a reload and [CallPlatform.SetStoredTrunks] use it
	simulator *simulator.Simulator      // the carrier if it is the simulator; else nil
	callees   *simulator.Simulator      // who answer in the tests of scenarios
	attempts  *dialer.CallDialer
	dialer    *publisher.PublishingDialer
	talker    *runner.ConversationRunner
	talks     *browsercall.Service
	flows     *scenariocheck.ScenarioFinder
	transfers *scenariocheck.TransferChecker
	shelf     *tts.VoiceShelf // neural voices
	announced announcement.Listener
}

// NewPlatform constructs the call platform without starting it.
func NewPlatform(d Dependencies) (*CallPlatform, error) {
	p := &CallPlatform{
		Dependencies: d, transfers: &scenariocheck.TransferChecker{Store: d.Store, Now: time.Now},
		shelf: &tts.VoiceShelf{
			Folder: models.OpenVoices(d.Config.Data), OpenVoice: d.OpenVoice, Verifier: d.Voices,
		},
	}
	builtIn, err := scenario.BuiltIn(d.Scenarios)
	if err != nil {
		return nil, err
	}
	templates, err := scenario.LoadTemplates(d.Scenarios)
	if err != nil {
		return nil, err
	}
	p.flows = &scenariocheck.ScenarioFinder{Store: d.Store, BuiltIn: builtIn}
	signer, err := signedurl.NewSigner(d.LinkKey)
	if err != nil {
		return nil, err
	}
	links := &signedurl.SignedLinks{Signer: signer, PublicURL: d.PublicURL, Now: time.Now}
	speaker, err := p.NewSpeaker(d.Config)
	if err != nil {
		return nil, err
	}
	p.Speaker.ReplaceChain(speaker)
	p.announced.Recognizer = d.Recognizer
	if p.announced.Phrases, err = announcement.ReadPhrases(d.Scenarios); err != nil {
		return nil, err
	}
	p.Certainty = &certainty.Meter{Calls: d.Store, Model: p.modelName, Usual: slot.UsualBounds, Now: time.Now, Log: d.Log}
	if err := p.openCarrier(); err != nil {
		return nil, err
	}
	if p.talker, err = runner.NewRunner(runner.Dependencies{
		Recognizer: d.Recognizer, Speaker: &p.Speaker, Voices: &p.Speaker,
		Scenarios: d.Scenarios, Chat: p.newChat(), Tools: p.newTools(),
		FindRules: d.Store.FindRules, MayTransfer: p.transfers.CheckTransfer, Hubs: d.Hubs, Log: d.Log,
		CountReply: d.CountReply, FindBounds: p.Certainty.FindBounds, Callee: p.callees.AnswerAtOnce, Desk: &p.Desk,
	}); err != nil {
		return nil, err
	}
	p.Webhooks = webhook.NewWorker(webhook.WorkerOptions{
		Store: d.Store, Body: webhook.NotificationSource{Calls: d.Store, Alerts: d.Store, Links: links}.NotificationBody,
		Network: d.Network, Version: d.Version, Log: d.Log, Meter: d.Metrics, Grace: webhookGrace,
	})
	p.openScheduler()
	p.talks = browsercall.NewService(p.holdTrial, func() int {
		return p.Capacity.LimitSessions(p.Scheduler.HeldLines() + p.Sessions())
	}, d.Log)
	p.receiveCalls()
	p.Retention = retention.NewWorker(d.Store, d.Recordings, d.Live, d.Log)
	p.Retention.BuiltIn = builtIn
	p.Retention.Warn = func(message string) { d.Health.SetWarning("trash", message) }
	p.openDoors(builtIn, templates, links)
	return p, nil
}

// modelName names the speech model that serves, with its precision; empty while none does.
func (p *CallPlatform) modelName() string {
	e := p.Recognizer.CurrentEngine()
	if e == nil {
		return ""
	}
	info := e.ModelInfo()
	return info.Name + " " + info.Precision
}

// openScheduler constructs the scheduler of calls and their dialer.
func (p *CallPlatform) openScheduler() {
	p.attempts = dialer.NewDialer(dialer.Dependencies{
		Carrier: p.Carrier, Store: p.Store, Scenarios: p.flows, Talker: p.talker,
		Recordings: dialer.KeptIn(p.Recordings), NoteRecorded: p.noteRecorded, HoldLine: p.holdStaffLine, Log: p.Log,
		WatchSignalling: p.Hubs.PublishSignalling, HearAnnouncement: p.announced.HearAnnouncement,
	})
	p.dialer = &publisher.PublishingDialer{
		CallDialer: p.attempts, Store: p.Store, Hubs: p.Hubs, CountCall: p.Metrics.CallEnded,
	}
	p.Scheduler = scheduler.NewScheduler(scheduler.Dependencies{
		Store: p.Store, Scenarios: p.flows, Lines: p.LineLimit, Room: p.trunkRoom(), Trials: p.dueTrials(),
		Reserved: func() int { return p.InForce().InboundLines },
		Dialer:   p.dialer,
		CanSpeak: scenariocheck.SpeechCheck{Scenarios: p.flows, Check: p.talker.CheckSpeech}.CheckCall,
		Mend:     p.mendRecording, Grace: callGrace, Log: p.Log,
		Report: func(err error) { p.Watchdog.RecordRound(); p.Health.ReportWorker("schedule", err) },
	})
}

// receiveCalls constructs the router of inbound calls, to which the SIP trunks give the calls that come in.
func (p *CallPlatform) receiveCalls() {
	p.Inbound = inboundrouter.NewRouter(inboundrouter.Dependencies{
		Store: p.Store, Scenarios: p.flows, Dialer: p.dialer, Lines: p.Scheduler, Limit: p.inboundLimit, Now: time.Now,
		Log: p.Log,
	})
	if p.Trunks != nil {
		p.Trunks.ReceiveCalls(p.Inbound.TakeCall)
	}
}

// noteRecorded warns of calls that are not recorded, until one is.
func (p *CallPlatform) noteRecorded(err error) {
	message := ""
	if err != nil {
		message = "the recording of the last call could not be written to its end: see the log, and restart Munadi if the " +
			"folder of the recordings was removed or replaced"
	}
	p.Health.SetWarning("unrecorded", message)
}

// mendRecording repairs the recording of a call that a crash interrupted, and stores its sum.
func (p *CallPlatform) mendRecording(ctx context.Context, name string) error {
	if err := p.Recordings.FixHeader(name); err != nil {
		return err
	}
	return p.UseCases.KeepRecordingSum(ctx, name)
}

// openDoors constructs the use cases of both doors, and the API.
func (p *CallPlatform) openDoors(
	builtIn []scenario.Scenario, templates map[string]scenario.Scenario, links *signedurl.SignedLinks,
) {
	checker := scenariocheck.NewChecker(scenariocheck.Dependencies{
		Transfers: p.transfers, Texts: p.talker.CallTexts, Speaker: &p.Speaker, Endpoint: func(orgID, name string) bool {
			_, open := p.InForce().LLMEndpoints.FindEndpoint(orgID, name)
			return open
		}, Tool: func(orgID, name string) bool {
			_, open := p.InForce().Tools.FindTool(orgID, name)
			return open
		}, HasLanguage: p.Recognizer.HasLanguage,
	})
	p.UseCases = &service.UseCases{
		Store: p.Store, Keys: p.Auth, Recordings: p.Recordings, Verifier: &blob.RecordingVerifier{},
		BuiltIn:   func() []scenario.Scenario { return builtIn },
		Templates: templates,
		Lines:     tts.NewConfiguredRecordings(p.Config, p.Voice),
		Scenarios: checker, RunTests: p.talker.RunTests, TryTest: p.talker.TryTest, CheckURL: p.Network.CheckURL,
		OperatorMail: p.OperatorMail,
		FindProposals: (&proposals.Finder{
			Calls: p.Store, IsUnderstood: slot.IsUnderstood, Now: time.Now,
		}).FindProposals,
		Now: time.Now,
	}
	if p.simulator != nil {
		p.UseCases.CallIn = p.simulateCaller
	}
	p.talker.ReadClip = p.UseCases.ReadClip
	p.Bulk = &service.BulkWorker{Cases: p.UseCases, Alone: p.Store.Shared == nil, Publish: p.Hubs.PublishBulk, Log: p.Log}
	p.UseCases.Models = models.OpenFolder(p.Config.Data).InstalledNames
	p.Replays = &replayer.Worker{
		Store: p.Store, FindVersion: p.UseCases.ReplayedVersion, OpenRecording: p.UseCases.OpenRecording,
		Hold: p.talker.ReplayCall, OpenModel: p.OpenModel, Alone: p.Store.Shared == nil,
		Publish: p.Hubs.PublishReplay, Log: p.Log,
	}
	p.API = api.NewService(api.Dependencies{
		Store: p.Store, UseCases: p.UseCases, Auth: p.Auth, Now: time.Now, Links: links,
		Signer: evidence.NewSigningKey(p.Auth.SigningSeed()), Talk: p.TalkScenario, Ring: p.RingTrial,
		Note: middleware.AddLogAttribute, Limit: p.Limit,
		Carrier: api.CarrierInfo{Name: p.Carrier.Name(), Simulated: p.Carrier.Simulated()}, Health: p.Health,
	})
}

// PublishRescued logs and publishes the calls of dead appliances that were ended as interrupted.
func (p *CallPlatform) PublishRescued(ended []call.Call) {
	for _, c := range ended {
		p.Log.Warn("a call of another appliance was cut off", "call_id", c.ID, "org", c.OrgID)
		publisher.NewCallPublisher(p.Hubs, c).PublishEnd(c.Status)
	}
}
