package appliance

import (
	"context"
	"time"

	"munadi/appliance/console"
	"munadi/appliance/console/accounts"
	"munadi/appliance/console/alerts"
	"munadi/appliance/console/calls"
	"munadi/appliance/console/kit"
	"munadi/appliance/console/live"
	"munadi/appliance/console/phrases"
	"munadi/appliance/console/scenarios"
	"munadi/appliance/console/system"
	"munadi/appliance/console/workbench"
	"munadi/appliance/stt/restaurantmode"
	"munadi/appliance/tlscert"
	"munadi/assets/web"
	"munadi/engine/mic"
	"munadi/ui/asset"
)

// openConsole constructs the admin console.
func (a *Appliance) openConsole() error {
	assets, err := asset.LoadAssets()
	if err != nil {
		return err
	}
	a.console = console.NewService(console.Dependencies{Shared: kit.Shared{
		Store: a.store, UseCases: a.calls.UseCases, Gate: a.accounts, Accounts: a.accounts,
		Now: time.Now, Log: a.log, Events: a.events, Assets: assets.BasePath(),
		Version: a.version, Simulated: a.calls.Carrier.Simulated(), PublicURL: a.publicURL,
		Vitals:      a.currentVitals,
		Speaker:     &a.calls.Speaker,
		Voices:      &a.calls.Speaker,
		Rehearse:    a.calls.RehearseScenario,
		Talk:        a.calls.TalkScenario,
		Certificate: func() tlscert.CertificateSource { return a.certificate },
	}, Parts: console.Parts{
		Calls:     calls.Parts{Recordings: a.recordings, LatestEvents: a.cluster.LatestEvents, Sound: a.sound},
		Alerts:    alerts.Parts{FixedServer: a.fixedMail, TestMail: a.testMail},
		Live:      live.Parts{Sessions: a.live, Latencies: a.engine.OfferedLatencies, Microphones: mic.DeviceNames},
		Scenarios: scenarios.Parts{MeasureCertainty: a.calls.Certainty.MeasureScenario},
		Phrases:   phrases.Parts{BuiltInPhrases: restaurantmode.BuiltIn},
		Workbench: workbench.Parts{Decoder: &a.engine, OpenSound: a.openSound, Samples: web.WebFiles()},
		System: system.Parts{
			Appliances: a.cluster.ListMembers, BackUp: a.backups.BackUp, OpenSound: a.openSound,
			Models: a.models, FindModel: a.models.FindModel, ModelTopic: modelTopic(),
		},
	}})
	return nil
}

// firstUser creates the console's first user, or logs a one-time set-up link that is valid for 30 minutes. It is the
// last step of opening, since the link contains the listener's address.
func (a *Appliance) firstUser() error {
	if !a.config.ServesCalls() {
		return nil
	}
	token, err := a.accounts.BootstrapAdmin(context.Background(), a.config.BootstrapAdminPassword)
	if err != nil || token == "" {
		return err
	}
	a.log.Info("first start: open this link in a browser within 30 minutes to set the console's password",
		"link", a.publicURL()+accounts.SetUpPath+token, "or run", "munadi users create admin --data "+a.config.Data)
	return nil
}
