// Package simulator is a telephone network without telephones: its numbers ring, answer, talk, refuse or break off, so
// that everything above a line can be tried on a bare machine. People speak bundled recordings over a line with the
// band, coding and noise of a real one; they don't listen to the sound that they hear, but read what a carrier.Speech
// says about itself.
//
// The last two digits of a number choose who is called ([Who] has the table), the one before them the voice. All that
// is left to chance comes from one generator for each call, seeded by the seed, the number and the attempt: the same
// call gets the same answers.
//
// Time is simulated. A line's frames are due at absolute times, so many simulated seconds a second of the clock; the
// call's clock waits for a listener that is late, and no frame is ever left out. Ringing scales likewise. A line has no
// goroutine of its own: all of it happens in Next.
//
// Where the contract is silent: Lines is what the scheduler is told, and no dial is refused for it; the people on
// …70 to …79 interrupt questions; those on …80 to …89 each have a way of their own, but none that ends more than
// the call (nobody there asks never to be called again: Options.People can).
package simulator

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/speech/bundle"
)

// DefaultLines is how many calls may be up at once where nothing else is said.
const DefaultLines = 50

// Options say how the simulated network behaves.
type Options struct {
	Bundle    *bundle.Bundle    // what people say; required
	Lines     int               // 0: DefaultLines
	TimeScale float64           // simulated seconds a second of the clock; 0: 1
	Seed      uint64            // of everything that is left to chance
	Loss      float64           // part of the frames that get lost on their way to us, 0..1
	People    map[string]Person // by whole number, before the table of [Who]
	// Speak says what no bundled recording does, as the phrase of a choice; its sound is at [carrier.Rate]. Nil: whoever
	// is asked such a thing has no answer.
	Speak func(ctx context.Context, text string) ([]int16, error)
}

// Simulator is a carrier.Carrier. Nothing in it changes.
type Simulator struct {
	options Options
	hiss    []float32 // noise in the band of a telephone, root mean square 1
	coded   []int16   // by sample + 32768: what G.711 makes of it
}

// New makes a simulated network.
func New(o Options) (*Simulator, error) {
	if o.Bundle == nil {
		return nil, errors.New("the simulator has no recordings to speak with")
	}
	if o.TimeScale < 0 || math.IsNaN(o.TimeScale) || math.IsInf(o.TimeScale, 0) {
		return nil, errors.New("the time scale must be a positive number")
	}
	if o.TimeScale == 0 {
		o.TimeScale = 1
	}
	if o.Lines == 0 {
		o.Lines = DefaultLines
	}
	return &Simulator{options: o, hiss: makeHiss(o.Seed), coded: makeCoded()}, nil
}

// Name is "simulator".
func (s *Simulator) Name() string { return "simulator" }

// Simulated is true.
func (s *Simulator) Simulated() bool { return true }

// Lines is how many calls may be up at once.
func (s *Simulator) Lines() int { return s.options.Lines }

// Dial calls the number; what becomes of it is the number's.
func (s *Simulator) Dial(ctx context.Context, r carrier.Request) (carrier.Line, error) {
	who := s.person(r)
	chance := chanceOf(s.options.Seed, r.Number, r.Attempt)
	if err := s.reach(ctx, who, r, chance); err != nil {
		return nil, err
	}
	return s.answer(who, r.Number, chance), nil
}

func (s *Simulator) person(r carrier.Request) Person {
	who, chosen := s.options.People[r.Number]
	if !chosen {
		who = Who(r.Number)
	}
	switch {
	case who == SecondTime && r.Attempt <= 1:
		return NoAnswer
	case who == SecondTime:
		return Cooperative
	}
	return who
}

// reach rings until the answer, and returns a refusal where there is none.
func (s *Simulator) reach(ctx context.Context, who Person, r carrier.Request, chance *rand.Rand) error {
	if err := s.wait(ctx, between(chance, 500*time.Millisecond, time.Second)); err != nil {
		return err
	}
	switch who {
	case NoCarrier:
		if err := s.wait(ctx, 2*time.Second); err != nil {
			return err
		}
		return &carrier.Refusal{Err: errNoCarrier}
	case Unavailable:
		return refused(480, false)
	case Busy:
		return refused(486, false)
	}
	if r.Ringing != nil {
		r.Ringing()
	}
	limit := r.Ring
	if limit <= 0 {
		limit = defaultRing
	}
	rings := between(chance, 2*time.Second, 6*time.Second)
	if who == NoAnswer || rings > limit {
		if err := s.wait(ctx, limit); err != nil {
			return err
		}
		return &carrier.Refusal{RingTimeout: true, Rang: true}
	}
	if err := s.wait(ctx, rings); err != nil {
		return err
	}
	if who == Declines {
		return refused(603, true)
	}
	return nil
}

const defaultRing = 30 * time.Second

var errNoCarrier = errors.New("the simulated carrier does not answer")

func refused(status int, rang bool) error { return &carrier.Refusal{SIPCode: &status, Rang: rang} }

// wait lets simulated time pass.
func (s *Simulator) wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(time.Duration(float64(d) / s.options.TimeScale))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func chanceOf(seed uint64, number string, attempt int) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(number)) // never fails
	return rand.New(rand.NewPCG(seed^h.Sum64(), uint64(attempt)))
}

func between(chance *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(chance.Int64N(int64(high-low)+1))
}
