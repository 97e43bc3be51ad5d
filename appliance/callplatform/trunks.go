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
	return p.Trunks.PrepareChange(cfg)
}

// TrunkVitals returns the status of the SIP trunks for the console; none with the simulator.
func (p *CallPlatform) TrunkVitals() (all []kit.TrunkVitals) {
	if p.Trunks == nil {
		return nil
	}
	for _, s := range p.Trunks.Statuses() {
		t := kit.TrunkVitals{
			Name: s.Name, Address: s.Trunk, Prefixes: s.Prefixes, Up: s.Up, Since: s.Since, Registers: s.Registers,
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
