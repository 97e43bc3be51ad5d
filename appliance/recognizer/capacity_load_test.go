package recognizer

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The capacity follows the costs: the admitted number of speakers gets their final texts in time on a simulated
// encoder, whatever a second of speech costs, and only a full machine or late final texts admit no more.
func TestAdmittedSpeakersAreHeardInTime(t *testing.T) {
	t.Parallel()
	for _, cost := range []time.Duration{3e6, 10e6, 20e6, 30e6, 34e6} {
		for _, parallel := range []int{1, 4} {
			text := cost / 10 // with few partial texts the machine is full late: final texts bound the speakers
			if cost < 30e6 {
				text = 4 * cost // of a turn of 8 s, whose partial texts decode half of it in the mean
			}
			c := liveCosts{spoken: cost, shown: cost + text, piece: longestTurn * cost, parallel: parallel, processors: parallel}
			n := c.fitCapacity().Speakers
			if late := simulateLateness(n, c); late > latestFinal {
				t.Errorf("%v a second on %d runs: %d speakers are admitted, and wait %v", cost, parallel, n, late)
			}
			full := time.Duration(n+1)*c.shown > time.Duration(usableShare*float64(parallel)*float64(time.Second))
			if !full && simulateLateness(4*n, c) < latestFinal {
				t.Errorf("%v a second on %d runs: %d speakers are admitted, four times the number would fit", cost, parallel, n)
			}
			half := liveCosts{spoken: c.spoken / 2, shown: c.shown / 2, piece: c.piece / 2, parallel: parallel, processors: parallel}
			if twice := half.fitCapacity().Speakers; twice < 2*n-1 {
				t.Errorf("%v a second on %d runs: %d speakers, %d at half of the costs", cost, parallel, n, twice)
			}
		}
	}
}

// simulatedSpeaker speaks turns of 1 to 8 s with pauses of 1.5 s.
type simulatedSpeaker struct {
	begin, end time.Duration // of the turn
	shown      time.Duration // last partial text
	took       time.Duration
	free       time.Duration // when its partial text is computed
}

const (
	simulatedStep    = 4 * time.Millisecond
	simulatedLength  = time.Minute
	simulatedAhead   = 400 * time.Millisecond // of silence after which the final text is computed
	simulatedSilence = 500 * time.Millisecond // that ends a turn
	simulatedPartial = 128 * time.Millisecond
	simulatedPause   = 1500 * time.Millisecond
)

// simulateLateness returns the 95th percentile of how late final texts come if n speakers share the runs, with
// partial texts as the engine paces them: final texts go first, partial ones take half of the runs at most.
func simulateLateness(speakers int, c liveCosts) time.Duration {
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same speech each time
	all := make([]simulatedSpeaker, speakers)
	for i := range all {
		all[i].nextTurn(time.Duration(dice.Int64N(int64(6*time.Second))), dice)
	}
	runs := make([]time.Duration, c.parallel) // until when each is taken
	var lates, partials []time.Duration       // partials: until when those on take
	for now := time.Duration(0); now < simulatedLength; now += simulatedStep {
		partials = slices.DeleteFunc(partials, func(until time.Duration) bool { return until <= now })
		open := 0
		for i := range all {
			open += all[i].countOpen(now)
		}
		for _, final := range []bool{true, false} {
			for _, i := range dice.Perm(len(all)) {
				s := &all[i]
				run := slices.IndexFunc(runs, func(until time.Duration) bool { return until <= now })
				switch {
				case run < 0 || now < s.free:
				case final && now >= s.end+simulatedAhead:
					runs[run] = now + time.Duration((s.end-s.begin).Seconds()*float64(c.spoken))
					lates = append(lates, max(0, runs[run]-s.end-simulatedSilence))
					s.nextTurn(max(runs[run], s.end+simulatedPause), dice)
				case !final && len(partials) < c.parallel && s.isTextDue(now, open, c.parallel):
					s.took = time.Duration((now - s.begin).Seconds() * float64(c.spoken))
					s.shown, s.free, runs[run] = now, now+s.took, now+s.took
					partials = append(partials, s.free)
				}
			}
		}
	}
	slices.Sort(lates)
	return lates[len(lates)*95/100]
}

func (s *simulatedSpeaker) nextTurn(at time.Duration, dice *rand.Rand) {
	s.begin, s.shown, s.took = at, at, 0
	s.end = at + time.Second + time.Duration(dice.Int64N(int64((longestTurn-1)*time.Second)))
}

func (s *simulatedSpeaker) countOpen(now time.Duration) int {
	if now > s.begin && now < s.end+simulatedAhead {
		return 1
	}
	return 0
}

func (s *simulatedSpeaker) isTextDue(now time.Duration, open, parallel int) bool {
	every := max(simulatedPartial, 2*s.took*time.Duration(open)/time.Duration(parallel))
	return s.countOpen(now) > 0 && now-s.shown >= every
}
