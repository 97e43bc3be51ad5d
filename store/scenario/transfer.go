package scenario

import "regexp"

// TransferMode is what who answers a transfer gets.
type TransferMode string

// The modes.
const (
	Blind    TransferMode = "blind"    // the call, at once
	Attended TransferMode = "attended" // a spoken line first; they press 1 to take the call, 2 to refuse it
)

// TargetOrder is the order in which the targets of a transfer are called.
type TargetOrder string

// The orders.
const (
	InTurn TargetOrder = "in_turn"
	AtOnce TargetOrder = "at_once" // whoever takes the call first gets it
)

// KeyPause in the keys of a transfer waits half a second.
const KeyPause = 'w'

// transferKeys is the form of the keys of a transfer.
var transferKeys = regexp.MustCompile(`^[0-9A-D*#w]{0,40}[0-9A-D*#]$`)

// TransferTargets returns the targets of a transfer, as templates.
func (s FlowStep) TransferTargets() []string {
	if len(s.Targets) > 0 {
		return s.Targets
	}
	return []string{s.To}
}

// checkTransfer checks a transfer.
func (c *scenarioChecker) checkTransfer(path string, step FlowStep) {
	switch {
	case len(step.Targets) == 0:
		c.checkTarget(path+".to", step.To)
	case step.To != "":
		c.addFailure(path+".to", "must not be set beside targets")
	}
	if len(step.Targets) > maxTargets {
		c.addFailure(path+".targets", "must have at most %d entries", maxTargets)
	}
	for i, to := range step.Targets {
		c.checkTarget(IndexPath(path+".targets", i), to)
	}
	switch step.Mode {
	case "", Blind, Attended:
	default:
		c.addFailure(path+".mode", "must be blind or attended")
	}
	switch step.Order {
	case "", InTurn, AtOnce:
	default:
		c.addFailure(path+".order", "must be in_turn or at_once")
	}
	if step.Keys != "" && !transferKeys.MatchString(step.Keys) {
		c.addFailure(path+".keys", "must be at most 41 of 0-9 * # A-D and w (waits half a second), and end with a key")
	}
	if len(step.Announce) > 0 && step.Mode != Attended {
		c.addFailure(path+".announce", "has no effect unless mode is attended")
	}
}
