package simulator_test

import (
	"context"
	"errors"
	"hash/fnv"
	"io"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
)

func dialCallee(t *testing.T, s *simulator.Simulator, number string, attempt int) carrier.Line {
	t.Helper()
	line, err := s.Dial(t.Context(), carrier.DialRequest{Number: number, Ring: 30 * time.Second, Attempt: attempt})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(line.Hangup)
	return line
}

// listenSeconds reads n seconds of the callee's audio.
func listenSeconds(t *testing.T, line carrier.Line, seconds float64) []int16 {
	t.Helper()
	var in []int16
	for range int(seconds * 50) {
		f, err := line.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, f.In[:]...)
	}
	return in
}

func rmsLevel(pcm []int16) float64 {
	sum := 0.0
	for _, s := range pcm {
		sum += float64(s) * float64(s)
	}
	return math.Sqrt(sum / float64(max(1, len(pcm))))
}

func askedQuestion(kind string) carrier.Speech {
	return carrier.Speech{Text: "هل تؤكد الموعد", PCM: make([]int16, 8000), Expects: carrier.AnswerExpectation{Kind: kind, Slot: "s"}}
}

// conversationHash returns the hash of a call's audio, and how long it rang.
func conversationHash(t *testing.T, s *simulator.Simulator, number string, attempt int) (sum uint64, rang time.Duration) {
	t.Helper()
	begun := time.Now()
	line := dialCallee(t, s, number, attempt)
	rang = time.Since(begun)
	h := fnv.New64a()
	for range 3 {
		line.Say(askedQuestion("yes_no"))
		for _, v := range listenSeconds(t, line, 5) {
			_, _ = h.Write([]byte{byte(v), byte(v >> 8)})
		}
	}
	return h.Sum64(), rang
}

func TestACallIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first := simulatedNumber(t, simulator.SimulatorOptions{Loss: 0.05})
		again := simulatedNumber(t, simulator.SimulatorOptions{Loss: 0.05})
		other := simulatedNumber(t, simulator.SimulatorOptions{Loss: 0.05, Seed: 7})
		for _, number := range []string{"+966500000001", "+966500000170", "+966500000298", "+966500000093"} {
			sum, rang := conversationHash(t, first, number, 1)
			if sum2, rang2 := conversationHash(t, again, number, 1); sum2 != sum || rang2 != rang {
				t.Errorf("%s: not the same call", number)
			}
			if sum2, _ := conversationHash(t, first, number, 2); sum2 == sum {
				t.Errorf("%s: the second attempt is the first", number)
			}
			if sum2, _ := conversationHash(t, other, number, 1); sum2 == sum {
				t.Errorf("%s: another seed changes nothing", number)
			}
			if rang < 2500*time.Millisecond || rang > 7*time.Second {
				t.Errorf("%s: answered after %v, want 2 to 6 s of ringing", number, rang)
			}
		}
	})
}

func TestTimeScale(t *testing.T) {
	t.Parallel()
	for _, scale := range []float64{0.5, 1, 10, 1000} {
		synctest.Test(t, func(t *testing.T) {
			s := simulatedNumber(t, simulator.SimulatorOptions{TimeScale: scale})
			begun := time.Now()
			_, err := s.Dial(t.Context(), carrier.DialRequest{Number: "+966500000090", Ring: 20 * time.Second})
			if err == nil {
				t.Fatal("it was answered")
			}
			rang := time.Since(begun).Seconds() * scale
			if rang < 20 || rang > 22 {
				t.Errorf("scale %v: rang for %.1f simulated seconds, want 20", scale, rang)
			}
			line := dialCallee(t, s, "+966500000001", 1)
			begun = time.Now()
			listenSeconds(t, line, 60)
			if got := time.Since(begun).Seconds(); math.Abs(got-60/scale) > 0.002 {
				t.Errorf("scale %v: a minute takes %.4f s", scale, got)
			}
		})
	}
}

// The call's clock waits for a listener who is late; small delays are caught up.
func TestALateListenerMissesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		line := dialCallee(t, simulatedNumber(t, simulator.SimulatorOptions{}), "+966500000001", 1)
		begun := time.Now()
		listenSeconds(t, line, 1)
		time.Sleep(3 * time.Second)
		f, err := line.Next(t.Context())
		if err != nil || f.At != time.Second {
			t.Fatalf("the frame after a delay is at %v, %v", f.At, err)
		}
		listenSeconds(t, line, 1)
		if got := time.Since(begun); got < 4900*time.Millisecond || got > 5100*time.Millisecond {
			t.Errorf("2 s with a delay of 3 s took %v", got)
		}
		begun = time.Now()
		for range 50 {
			time.Sleep(15 * time.Millisecond)
			listenSeconds(t, line, 0.02)
		}
		if got := time.Since(begun); got > 1050*time.Millisecond {
			t.Errorf("a second with small delays took %v", got)
		}
	})
}

func TestTheSecondAttemptReachesWhoWasNotThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := simulatedNumber(t, simulator.SimulatorOptions{})
		_, err := s.Dial(t.Context(), carrier.DialRequest{Number: "+966500000099", Ring: 5 * time.Second, Attempt: 1})
		var refusal *carrier.DialError
		if !errors.As(err, &refusal) || !refusal.RingTimeout {
			t.Errorf("the first attempt: %v, want a ring time-out", err)
		}
		if in := listenSeconds(t, dialCallee(t, s, "+966500000099", 2), 5); rmsLevel(in) < 300 {
			t.Error("the second attempt is silent")
		}
	})
}

// tonePowerShare returns the share of a signal's power at a frequency (Goertzel).
func tonePowerShare(pcm []int16, hz float64) float64 {
	w := 2 * math.Pi * hz / carrier.Rate
	re, im, power := 0.0, 0.0, 0.0
	for i, s := range pcm {
		re += float64(s) * math.Cos(w*float64(i))
		im += float64(s) * math.Sin(w*float64(i))
		power += float64(s) * float64(s)
	}
	return 2 * (re*re + im*im) / (power*float64(len(pcm)) + 1)
}

func TestVoicemailSpeaksBeepsAndWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := listenSeconds(t, dialCallee(t, simulatedNumber(t, simulator.SimulatorOptions{}), "+966500000093", 1), 120)
		beeps, last := 0, 0
		for at := 0; at+1600 <= len(in); at += 1600 { // 200 ms
			part := in[at : at+1600]
			if rmsLevel(part) > 1000 && tonePowerShare(part, 1000) > 0.85 {
				beeps++
				last = at
			}
		}
		if beeps < 2 || last < 3*carrier.Rate {
			t.Fatalf("%d pieces of a beep, the last at %d", beeps, last)
		}
		if rmsLevel(in[last+3200:]) > 100 {
			t.Error("something is said after the beep")
		}
		if s := float64(len(in)) / carrier.Rate; s < 60 || s > 80 {
			t.Errorf("it hangs up after %.0f s", s)
		}
	})
}

func TestNoiseAndBand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := simulatedNumber(t, simulator.SimulatorOptions{})
		quiet := listenSeconds(t, dialCallee(t, s, "+966500000001", 1), 8)
		noisy := listenSeconds(t, dialCallee(t, s, "+966500000098", 1), 8)
		silent := listenSeconds(t, dialCallee(t, s, "+966500000097", 1), 8)
		if r := rmsLevel(silent); r < 5 || r > 60 {
			t.Errorf("a quiet line has %.0f, want a light noise", r)
		}
		tail := rmsLevel(noisy[5*carrier.Rate:])
		if snr := 20 * math.Log10(2300/tail); snr < 9 || snr > 16 {
			t.Errorf("noise lies %.1f dB below speech, want 10 to 15", snr)
		}
		for _, hz := range []float64{60, 120, 3800} {
			if part := tonePowerShare(quiet, hz) * rmsLevel(quiet) * rmsLevel(quiet); part > 60 {
				t.Errorf("%.0f Hz passes the line: %.0f", hz, part)
			}
		}
	})
}

func TestLossIsAsOftenAsAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		whole := listenSeconds(t, dialCallee(t, simulatedNumber(t, simulator.SimulatorOptions{}), "+966500000098", 1), 20)
		lossy := listenSeconds(t, dialCallee(t, simulatedNumber(t, simulator.SimulatorOptions{Loss: 0.1}), "+966500000098", 1), 20)
		lost := 0
		for at := 0; at < len(whole); at += carrier.Samples {
			for i := range carrier.Samples {
				if whole[at+i] != lossy[at+i] {
					lost++
					break
				}
			}
		}
		if lost < 70 || lost > 130 {
			t.Errorf("%d of 1000 frames differ, want some 100", lost)
		}
	})
}

func TestTwoHundredLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := simulatedNumber(t, simulator.SimulatorOptions{Lines: 200, TimeScale: 20})
		if s.Lines() != 200 || s.Name() != "simulator" || !s.Simulated() {
			t.Errorf("%d lines of %q, simulated: %v", s.Lines(), s.Name(), s.Simulated())
		}
		var all sync.WaitGroup
		begun := time.Now()
		for range 200 {
			all.Go(func() {
				line, err := s.Dial(context.Background(), carrier.DialRequest{Number: "+966500000001", Ring: time.Minute})
				if err != nil {
					t.Error(err)
					return
				}
				defer line.Hangup()
				for range 250 {
					if _, err := line.Next(context.Background()); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		if got := time.Since(begun); got > time.Second {
			t.Errorf("5 s at scale 20 took %v", got)
		}
	})
}

// A frame's share of a CPU core is its time over 20 ms.
func BenchmarkLine(b *testing.B) {
	s := simulatedNumber(b, simulator.SimulatorOptions{TimeScale: 1e9})
	line, err := s.Dial(b.Context(), carrier.DialRequest{Number: "+966500000001", Ring: time.Minute, Attempt: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if line.Queued() == 0 {
			line.Say(askedQuestion("date"))
		}
		if _, err := line.Next(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func TestWho(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]simulator.Person{
		"+966500000000": simulator.Cooperative, "+966500000069": simulator.Cooperative, "+966500000070": simulator.Interrupts,
		"+966500000074": simulator.Interrupts, "+966500000075": simulator.OptsOut, "+966500000076": simulator.WrongNumber,
		"+966500000077": simulator.WantsAgent, "+966500000078": simulator.HasNoTime, "+966500000079": simulator.Menu,
		"+966500000080": simulator.Changes, "+966500000083": simulator.Cancels,
		"+966500000086": simulator.Keys, "+966500000087": simulator.AsksAgain, "+966500000088": simulator.Shy,
		"+966500000089": simulator.Slow, "+966500000090": simulator.NoAnswer, "+966500000091": simulator.Declines,
		"+966500000092": simulator.Unavailable, "+966500000093": simulator.Voicemail, "+966500000094": simulator.NoCarrier,
		"+966500000095": simulator.HangsUp, "+966500000096": simulator.Busy, "+966500000097": simulator.Silent,
		"+966500000098": simulator.Noisy, "+966500000099": simulator.SecondTime, "": simulator.Cooperative,
		"+": simulator.Cooperative, "sip:someone": simulator.Cooperative,
	} {
		if got := simulator.PersonByNumber(number); got != want {
			t.Errorf("Who(%q) = %s, want %s", number, got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]simulator.SimulatorOptions{
		"no recordings":     {},
		"a negative scale":  {Bundle: clipNames(t), TimeScale: -1},
		"no number a scale": {Bundle: clipNames(t), TimeScale: math.NaN()},
		"an endless scale":  {Bundle: clipNames(t), TimeScale: math.Inf(1)},
	} {
		if _, err := simulator.NewSimulator(o); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
