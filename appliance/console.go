package appliance

import (
	"context"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/config"
	"munadi/appliance/console"
	"munadi/appliance/console/accounts"
	"munadi/appliance/console/alerts"
	"munadi/appliance/console/calls"
	"munadi/appliance/console/inbound"
	"munadi/appliance/console/kit"
	"munadi/appliance/console/live"
	"munadi/appliance/console/phrases"
	"munadi/appliance/console/scenarios"
	"munadi/appliance/console/system"
	"munadi/appliance/console/trunks"
	"munadi/appliance/console/workbench"
	"munadi/appliance/evidence"
	"munadi/appliance/ldap"
	"munadi/appliance/oidc"
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
		Signer: evidence.NewSigningKey(a.auth.SigningSeed()),
		Now:    time.Now, Log: a.log, Events: a.events, Assets: assets.BasePath(),
		Version: a.version, Simulated: a.calls.Carrier.Simulated(), PublicURL: a.consoleURL,
		Vitals:      a.currentVitals,
		Speaker:     &a.calls.Speaker,
		Voices:      &a.calls.Speaker,
		NeuralNames: a.calls.NeuralNames,
		Rehearse:    a.calls.RehearseScenario,
		Talk:        a.calls.TalkScenario,
		Ring:        a.calls.RingTrial,
		Certificate: func() tlscert.CertificateSource { return a.certificate },
	}, Parts: console.Parts{
		Company: a.companyProvider(),
		Calls: calls.Parts{
			Recordings: a.recordings, LatestEvents: a.cluster.LatestEvents, Sound: a.sound, TakeOver: a.calls.TakeOverCall,
		},
		Inbound:   inbound.Parts{RefusedCalls: sip.RefusedCalls},
		Alerts:    alerts.Parts{FixedServer: a.fixedMail, TestMail: a.testMail},
		Trunks:    trunks.Parts{AreFixed: func() bool { return a.inForce().HasTrunks() }},
		Live:      live.Parts{Sessions: a.live, Latencies: a.engine.OfferedLatencies, Microphones: mic.DeviceNames},
		Scenarios: scenarios.Parts{MeasureCertainty: a.calls.Certainty.MeasureScenario},
		Phrases:   phrases.Parts{BuiltInPhrases: restaurantmode.BuiltIn},
		Workbench: workbench.Parts{Decoder: &a.engine, OpenSound: a.openSound, Samples: web.WebFiles()},
		System: system.Parts{
			Appliances: a.cluster.ListMembers, BackUp: a.backups.BackUp, OpenSound: a.openSound,
			Models: a.models, FindModel: a.models.FindModel, ModelTopic: modelTopic(),
			Voices: a.voiceDesk(),
		},
	}})
	return nil
}

// openProvider constructs the company's identity provider and directory of the settings, if there are any.
func (a *Appliance) openProvider(secret auth.InstallationSecret) (err error) {
	callback := func() string { return a.consoleURL() + kit.Root + accounts.CompanyPath + "/callback" }
	a.company, err = oidc.OpenProvider(a.config, secret.DeriveKey(oidc.KeyPurpose), callback, time.Now, a.log)
	if err != nil {
		return err
	}
	if a.directory, err = ldap.OpenDirectory(a.config); a.directory != nil {
		a.accounts.UseDirectory(a.directory)
	}
	if a.config.PasswordSignIn == config.PasswordsOfOwners {
		a.accounts.RestrictPasswords()
	}
	return err
}

// companyProvider returns the identity provider for the console; nil without one.
func (a *Appliance) companyProvider() accounts.CompanyProvider {
	if a.company == nil {
		return nil
	}
	return a.company
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
		"link", a.consoleURL()+accounts.SetUpPath+token, "or run", "munadi users create admin --data "+a.config.Data)
	return nil
}
