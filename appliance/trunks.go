package appliance

import (
	"context"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/config"
	"munadi/appliance/seal"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/siptrunk"
)

const (
	trunkKeyPurpose = "trunk password"
	// trunksEvery is the interval at which the trunks of the console are read: another appliance may have changed them.
	trunksEvery = 2 * time.Second
)

// openTrunkSettings constructs what checks and seals the SIP trunks of the console.
func (a *Appliance) openTrunkSettings(secret auth.InstallationSecret) {
	a.trunkKey, a.trunksDue = secret.DeriveKey(trunkKeyPurpose), make(chan struct{}, 1)
	a.calls.UseCases.TrunksChanged = func() {
		select {
		case a.trunksDue <- struct{}{}:
		default: // the last change is not in force yet
		}
	}
	a.calls.UseCases.CheckTrunk = func(t siptrunk.Trunk) (found service.FieldViolations) {
		settings := trunkSettings(t)
		settings.Password = "typed" // whether it is there is checked with the stored one
		for _, fault := range settings.FindFaults() {
			found.AddViolation(fault.Key, "%v", fault.Err)
		}
		if t.Name == config.DefaultTrunk {
			found.AddViolation("name", "%s is the name of the setting sip-trunk", t.Name)
		}
		return found
	}
	a.calls.UseCases.SealTrunkPassword = func(t siptrunk.Trunk, password string) ([]byte, error) {
		return seal.SealText(a.trunkKey, password, t.Address, t.User)
	}
}

// trunkSettings returns the settings of a trunk of the console, without its password.
func trunkSettings(t siptrunk.Trunk) config.SIPTrunkSettings {
	return config.SIPTrunkSettings{
		Name: t.Name, Trunk: t.Address, Prefixes: t.Prefixes, Lines: t.Lines, User: t.User, From: t.From,
		Identity: t.Identity, Callers: t.Callers, CallerNumbers: t.CallerNumbers, Register: t.Register, SRTP: t.SRTP,
		InboundDigest:  t.InboundDigest,
		Authority:      t.Authority,
		Codecs:         t.Codecs,
		Listen:         t.Listen,
		CallsPerSecond: t.CallsPerSecond, Plus: t.Plus,
	}
}

// followTrunks puts the SIP trunks of the console in force, at the start, after each change, and when one that could
// not be opened may be.
func (a *Appliance) followTrunks(ctx context.Context) error {
	tick := time.NewTicker(trunksEvery)
	defer tick.Stop()
	var last *time.Time
	for ctx.Err() == nil {
		kept, err := a.store.FindTrunks(ctx, account.Default)
		// Those in force stay on an error.
		if mayOpen := a.calls.MayOpenTrunk(); err == nil && (last == nil || !kept.UpdatedAt.Equal(*last) || mayOpen) {
			last = &kept.UpdatedAt
			a.applyTrunks(kept) //nolint:contextcheck // calls that the trunks receive bring their own
		}
		select {
		case <-tick.C:
		case <-a.trunksDue:
		case <-ctx.Done():
		}
	}
	return nil
}

// applyTrunks puts trunks of the console in force.
func (a *Appliance) applyTrunks(kept siptrunk.Setting) {
	a.reloading.Lock()
	defer a.reloading.Unlock()
	all := make([]config.SIPTrunkSettings, 0, len(kept.Trunks))
	for _, t := range kept.Trunks {
		settings := trunkSettings(t)
		password, err := seal.OpenText(a.trunkKey, t.Password, t.Address, t.User)
		if err != nil {
			a.log.Error("the password of a SIP trunk cannot be used: type it again on its page of the console",
				"name", t.Name, "err", err)
		}
		settings.Password = password
		all = append(all, settings)
	}
	a.calls.SetStoredTrunks(all)
}
