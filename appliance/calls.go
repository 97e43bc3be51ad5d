package appliance

import (
	"context"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/callplatform"
	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/models"
	"munadi/appliance/publisher"
	"munadi/appliance/recognizer"
	"munadi/appliance/stt"
	"munadi/appliance/tts/voicepack"
	"munadi/appliance/webhook"
	"munadi/assets/prompts"
	"munadi/assets/scenarios"
	"munadi/engine"
)

// openCalls constructs the call platform without starting it.
func (a *Appliance) openCalls(secret auth.InstallationSecret) (err error) {
	voice, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		return err
	}
	a.calls, err = callplatform.NewPlatform(callplatform.Dependencies{
		Config: a.config, InForce: a.inForce, Version: a.version, Log: a.log, Voice: voice,
		Scenarios: scenarios.ScenarioFiles(), Store: a.store, Auth: a.auth,
		LinkKey: secret.DeriveKey("links"), PublicURL: a.publicURL,
		Recognizer: &a.engine, OpenModel: a.openOtherModel, Capacity: &a.capacity, Sessions: a.stt.LiveSessions,
		Recordings: a.recordings, Live: a.liveRecordings, Hubs: publisher.Hubs{Events: a.events, Sound: a.sound},
		Metrics: a.metrics, CountReply: a.countReply, OpenVoice: a.openVoice,
		Voices: &a.voices,
		Health: &a.health, Watchdog: &a.watchdog, Limit: a.limits.TakeToken,
		Network: a.outboundNetwork(), OperatorMail: a.operatorMail,
	})
	if err == nil {
		a.calls.UseCases.SealPassword = a.mail.SealPassword
		a.openTrunkSettings(secret)
	}
	if err == nil && a.bucket != nil {
		a.bucket.Calls.IsErased = a.calls.Retention.IsErased
		a.bucket.Calls.KeepSum = a.calls.UseCases.KeepRecordingSum
		a.calls.Retention.Leads = func(ctx context.Context) bool { return a.cluster.IsFirst(ctx) }
	}
	return err
}

// openOtherModel opens an installed speech model beside the one that serves.
func (a *Appliance) openOtherModel(name string) (*recognizer.Recognizer, error) {
	settings := *a.inForce()
	settings.Model = models.OpenFolder(settings.Data).Folder(name)
	e, err := OpenEngine(&settings)
	if err != nil {
		return nil, err
	}
	other := &recognizer.Recognizer{}
	useAll := func(engine.EngineInfo) (enable func(), err error) { return func() {}, nil }
	return other, other.ReplaceEngine(e, useAll, a.log)
}

// openDestinations constructs the worker that sends events to destinations.
func (a *Appliance) openDestinations(secret auth.InstallationSecret) error {
	signer, err := signedurl.NewSigner(secret.DeriveKey("links"))
	if err != nil {
		return err
	}
	a.destinations = webhook.NewEventWorker(webhook.EventSource{
		Store: a.store, JobBody: stt.JobBody,
		Links: &signedurl.SignedLinks{Signer: signer, PublicURL: a.publicURL, Now: time.Now},
	}, webhook.WorkerOptions{Network: a.outboundNetwork(), Version: a.version, Log: a.log, Grace: callbackGrace})
	return nil
}

// outboundNetwork returns the network for webhooks, with SSRF protection, since organizations set the URLs.
func (a *Appliance) outboundNetwork() webhook.OutboundNetwork {
	return webhook.OutboundNetwork{
		Strict: func() bool { return a.inForce().WebhookTo == "public" }, Proxy: a.config.OutboundProxy(),
	}
}
