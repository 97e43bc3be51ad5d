package appliance

import (
	"context"
	"io"
	"time"

	"munadi/appliance/certificate"
	"munadi/appliance/console"
	"munadi/appliance/stt/mode"
	"munadi/assets/web"
	"munadi/engine/audio"
	"munadi/ui/asset"
)

// openConsole makes the door for people.
func (a *Appliance) openConsole() error {
	assets, err := asset.Load()
	if err != nil {
		return err
	}
	a.console = console.New(console.Deps{
		Store: a.store, Gate: a.accounts, Accounts: a.accounts, Keys: a.auth, CheckURL: a.network().CheckURL,
		Now: time.Now, Log: a.log, Assets: assets.Base(), Version: a.version,
		Simulated: a.calls.carrier.Simulated(), PublicURL: a.url, BuiltInPhrases: mode.BuiltIn,
		Certificate: func() certificate.Source { return a.certificate },
		Speaker:     &a.calls.speaker, Decoder: &a.engine, OpenSound: a.soundings(), Samples: web.Files(), Vitals: a.shown,
		BackUp:  a.vault.BackUp,
		BuiltIn: a.calls.flows.all, Recordings: a.calls.recordings, Events: a.events, Sound: &a.sound,
		Live: a.live, Microphones: microphones,
	})
	return nil
}

// soundings opens what the workbench is given.
func (a *Appliance) soundings() func(context.Context, io.ReadSeeker, time.Duration) (console.Sounding, error) {
	open := a.sounds()
	return func(ctx context.Context, r io.ReadSeeker, longest time.Duration) (console.Sounding, error) {
		return open(ctx, r, longest, audio.MixChannels)
	}
}

// firstUser makes the console's first user, or says where one is made: the link opens once, for half an hour. It is
// the last step of opening, since the link has the listener's address in it.
func (a *Appliance) firstUser() error {
	token, err := a.accounts.Bootstrap(context.Background(), a.config.BootstrapAdminPassword)
	if err != nil || token == "" {
		return err
	}
	a.log.Info("first start: open this link in a browser within 30 minutes to set the console's password",
		"link", a.url()+console.SetUpPath+token, "or run", "munadi users create admin --data "+a.config.Data)
	return nil
}
