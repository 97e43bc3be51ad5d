package scheduler

import (
	"math/rand/v2"
	"slices"

	"munadi/store/call"
)

// chooseTrials puts first the calls that try paused trunks: for each a random one that may start, of those that were
// requeued least. At the head of the queue may be a block of numbers that the trunk takes on no day, so that it would
// stay paused for as many trials.
func (p *dispatchRound) chooseTrials(due []call.Call) []call.Call {
	for _, serves := range p.trials {
		var fit []int
		for i, c := range due {
			if !serves(c.PhoneNumber) || p.isNumberBusy(c) || p.isSkipped(c) || !p.campaignMayStart(c) {
				continue
			}
			if len(fit) > 0 && c.Returns < due[fit[0]].Returns {
				fit = fit[:0]
			}
			if len(fit) == 0 || c.Returns == due[fit[0]].Returns {
				fit = append(fit, i)
			}
		}
		if len(fit) > 0 {
			i := fit[rand.IntN(len(fit))]
			due = slices.Insert(slices.Delete(slices.Clone(due), i, i+1), 0, due[i])
		}
	}
	return due
}
