package callplatform

import (
	"munadi/appliance/carrier/trunk"
	"munadi/appliance/config"
	"munadi/appliance/console/kit"
)

// PrepareTrunks prepares the SIP trunks of other settings; with the simulator the change is empty.
func (p *CallPlatform) PrepareTrunks(cfg *config.Config) (*trunk.TrunkChange, error) {
	if p.Trunks == nil {
		return trunk.NewGroup(p.Log).PrepareChange(config.Default())
	}
	if !cfg.HasTrunks() {
		return p.Trunks.PrepareStored(cfg, p.stored), nil
	}
	return p.Trunks.PrepareChange(cfg)
}

// SetStoredTrunks puts the SIP trunks of the console in force, unless the settings have trunks. It must not run beside
// a reload.
func (p *CallPlatform) SetStoredTrunks(all []config.SIPTrunkSettings) {
	p.stored = all
	cfg := p.InForce()
	if p.Trunks == nil || cfg.HasTrunks() {
		return
	}
	p.Trunks.PrepareStored(cfg, all).Apply()
	if len(all) == 0 {
		p.Log.Warn("calls wait: no SIP trunk is set; add one on the page SIP trunks of the console, or to sip-trunks")
	}
}

// MayOpenTrunk reports, once, that a trunk of the console which could not be opened may be by now.
func (p *CallPlatform) MayOpenTrunk() bool { return p.Trunks != nil && p.Trunks.TakeFreed() }

// sipLines returns how many concurrent calls the trunks in force allow in all, by their settings.
func (p *CallPlatform) sipLines() int {
	cfg := p.InForce()
	if cfg.HasTrunks() {
		return cfg.SIPLines()
	}
	if lines := p.Trunks.ListedLines(); cfg.Lines == 0 || lines < cfg.Lines {
		return lines
	}
	return cfg.Lines
}

// TrunkVitals returns the status of the SIP trunks for the console; none with the simulator.
func (p *CallPlatform) TrunkVitals() (all []kit.TrunkVitals) {
	if p.Trunks == nil {
		return nil
	}
	for _, s := range p.Trunks.Statuses() {
		t := kit.TrunkVitals{
			Name: s.Name, Address: s.Trunk, Prefixes: s.Prefixes, Up: s.Up, Unheard: s.Unheard, Since: s.Since,
			Registers: s.Registers, Calls: s.Calls, Lines: s.Lines, IsStored: s.Stored,
		}
		if !s.Registered.IsZero() {
			t.Registered = &s.Registered
		}
		switch {
		case s.Paused != nil:
			t.Cause, t.Answer = trunk.CauseOfPause(s.Paused), s.Paused.Answer()
		case s.Err != nil:
			t.Fault = trunk.ExplainError(s.Err)
		}
		all = append(all, t)
	}
	return all
}
