// Package simulator is a simulated telephone network: its numbers ring, answer, talk, refuse or break off, so that
// everything above a line can be tried without a carrier. People speak bundled recordings over a line with the band,
// coding and noise of a real one; they do not recognize audio, but read the text and expectation of a carrier.Speech.
//
// The last two digits of a number choose the person ([PersonByNumber] has the table), the one before them the voice.
// All random choices of a call come from one generator, seeded by the seed, the number and the attempt: the same call
// gets the same answers.
//
// Time is simulated. A line's frames have absolute times; simulated time runs faster than the clock by the time scale;
// the call's clock waits for a slow reader, and no frame is dropped. Ringing scales likewise. A line has no goroutine:
// all of it happens in Next.
//
// Choices that the contract leaves open: Lines is a hint for the scheduler, and no dial is refused for it; the people
// on …70 to …74 interrupt questions; those on …75 to …79 end the call early (don't call me again, wrong number, a human
// please, call me later, an IVR menu); those on …80 to …89 each have another manner of answering.
package simulator

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/tts/voicepack"
)

// DefaultLines is the default number of concurrent calls.
const DefaultLines = 50

// SimulatorOptions configures the simulated network.
type SimulatorOptions struct {
	Bundle    *voicepack.VoicePack // recordings of the people; required
	Lines     int                  // 0: DefaultLines
	TimeScale float64              // simulated seconds per second; 0: 1
	Seed      uint64               // of all randomness
	Loss      float64              // packet loss towards us, 0..1
	People    map[string]Person    // by full number; overrides [PersonByNumber]
	// Speak synthesizes phrases without a recording, such as a choice's; its audio is at [carrier.Rate]. Nil: such
	// questions are not answered.
	Speak func(ctx context.Context, text string) ([]int16, error)
}

// Simulator is a carrier.Carrier. It is immutable.
type Simulator struct {
	options SimulatorOptions
	hiss    []float32 // pink noise in the telephone band, RMS 1
	coded   []int16   // G.711 coding table, indexed by sample + 32768
}

// NewSimulator creates a simulated network.
func NewSimulator(o SimulatorOptions) (*Simulator, error) {
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

// Name returns "simulator".
func (s *Simulator) Name() string { return "simulator" }

// Simulated returns true.
func (s *Simulator) Simulated() bool { return true }

// Lines returns the configured number of concurrent calls.
func (s *Simulator) Lines() int { return s.options.Lines }

// Dial calls a number; its behaviour decides the outcome.
func (s *Simulator) Dial(ctx context.Context, r carrier.DialRequest) (carrier.Line, error) {
	who := s.resolvePerson(r)
	r.ReportShown(r.Caller)
	chance := chanceOf(s.options.Seed, r.Number, r.Attempt)
	if err := s.ringUntilAnswer(ctx, who, r, chance); err != nil {
		return nil, err
	}
	if r.Staff {
		return s.answerAsStaff(who, r.Number+r.Address, chance), nil
	}
	return s.answerCall(who, r.Number, chance), nil
}

// AnswerAtOnce returns the line to a person without ringing, whose frames come as fast as they are read. Numbers that
// nobody answers are an error.
func (s *Simulator) AnswerAtOnce(number string) (carrier.Line, error) {
	who := s.resolvePerson(carrier.DialRequest{Number: number, Attempt: 2})
	if slices.Contains([]Person{NoAnswer, Declines, Unavailable, Busy, NoCarrier}, who) {
		return nil, fmt.Errorf("nobody answers at the simulated number …%s", number)
	}
	l := s.answerCall(who, number, chanceOf(s.options.Seed, number, 1))
	l.pace.scale = math.Inf(1)
	return l, nil
}

func (s *Simulator) resolvePerson(r carrier.DialRequest) Person {
	number := r.Number
	if r.Staff && number == "" {
		number = digitsOf(r.Address)
	}
	who, chosen := s.options.People[number]
	if !chosen {
		who = PersonByNumber(number)
	}
	switch {
	case who == SecondTime && r.Attempt <= 1:
		return NoAnswer
	case who == SecondTime:
		return Cooperative
	}
	return who
}

// ringUntilAnswer rings until the answer, or returns a refusal.
func (s *Simulator) ringUntilAnswer(ctx context.Context, who Person, r carrier.DialRequest, chance *rand.Rand) error {
	if err := s.waitSimulated(ctx, randomDuration(chance, 500*time.Millisecond, time.Second)); err != nil {
		return err
	}
	switch who {
	case NoCarrier:
		if err := s.waitSimulated(ctx, 2*time.Second); err != nil {
			return err
		}
		return &carrier.DialError{Err: errNoCarrier}
	case Unavailable:
		return newRefusal(480, false)
	case Busy:
		return newRefusal(486, false)
	}
	if r.Ringing != nil {
		r.Ringing()
	}
	limit := r.Ring
	if limit <= 0 {
		limit = defaultRing
	}
	rings := randomDuration(chance, 2*time.Second, 6*time.Second)
	if who == NoAnswer || rings > limit {
		if err := s.waitSimulated(ctx, limit); err != nil {
			return err
		}
		return &carrier.DialError{RingTimeout: true, Rang: true}
	}
	if err := s.waitSimulated(ctx, rings); err != nil {
		return err
	}
	if who == Declines {
		return newRefusal(603, true)
	}
	return nil
}

const defaultRing = 30 * time.Second

var errNoCarrier = errors.New("the simulated carrier does not answer")

func newRefusal(status int, rang bool) error { return &carrier.DialError{SIPCode: &status, Rang: rang} }

// waitSimulated waits for a simulated duration.
func (s *Simulator) waitSimulated(ctx context.Context, d time.Duration) error {
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

func randomDuration(chance *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(chance.Int64N(int64(high-low)+1))
}
