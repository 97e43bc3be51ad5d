package appliance

import (
	"context"
	"time"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
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
	}, Parts: console.Parts{
		BuiltInPhrases: restaurantmode.BuiltIn, Rehearse: a.calls.RehearseScenario,
		Certificate: func() tlscert.CertificateSource { return a.certificate }, Speaker: &a.calls.Speaker,
		Decoder: &a.engine, OpenSound: a.openSound, Samples: web.WebFiles(),
		Vitals: a.currentVitals, Appliances: a.cluster.ListMembers, BackUp: a.backups.BackUp,
		Recordings: a.recordings, LatestEvents: a.cluster.LatestEvents, Sound: a.sound, Live: a.live,
		LiveLatencies: a.engine.OfferedLatencies, Microphones: mic.DeviceNames,
		Models: a.models, FindModel: a.models.FindModel, ModelTopic: modelTopic(),
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
		"link", a.publicURL()+console.SetUpPath+token, "or run", "munadi users create admin --data "+a.config.Data)
	return nil
}
