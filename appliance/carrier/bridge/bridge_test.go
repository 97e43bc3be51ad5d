package bridge_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/bridge"
)

// fakeLine is a line that receives the frames of a script and plays what is said on it, a frame with each one received.
type fakeLine struct {
	script []carrier.Frame
	ends   error // after the script; nil: silence goes on

	queued []int16
	played []int16
	keys   string
	clears int
}

func (l *fakeLine) Next(context.Context) (carrier.Frame, error) {
	n := min(carrier.Samples, len(l.queued))
	l.played = append(l.played, l.queued[:n]...)
	l.played = append(l.played, make([]int16, carrier.Samples-n)...)
	l.queued = l.queued[n:]
	if len(l.script) == 0 {
		return carrier.Frame{}, l.ends
	}
	f := l.script[0]
	l.script = l.script[1:]
	return f, nil
}

func (l *fakeLine) Say(s carrier.Speech) { l.queued = append(l.queued, s.PCM...) }
func (l *fakeLine) Flush()               { l.queued, l.clears = nil, l.clears+1 }
func (l *fakeLine) Hangup()              {}
func (l *fakeLine) SendKeys(keys string) { l.keys += keys }
func (l *fakeLine) Queued() time.Duration {
	return time.Duration(len(l.queued)/carrier.Samples) * carrier.Tick
}
func (l *fakeLine) Transfer(context.Context, string) error { return carrier.ErrNoTransfer }

// frames returns n frames, each changed.
func frames(n int, change func(*carrier.Frame)) (all []carrier.Frame) {
	for range n {
		var f carrier.Frame
		change(&f)
		all = append(all, f)
	}
	return all
}

// voice is a frame of constant sound.
func voice(level int16) func(*carrier.Frame) {
	return func(f *carrier.Frame) {
		for i := range f.In {
			f.In[i] = level
		}
	}
}

// pass passes n frames.
func pass(t *testing.T, b *bridge.Bridge, n int) {
	t.Helper()
	for range n {
		if _, err := b.PassFrame(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// hears reports which levels of voice, and whether the hold tone, were played since the last time.
func (l *fakeLine) hears() (levels map[int16]bool, tone bool) {
	levels = map[int16]bool{}
	for len(l.played) >= carrier.Samples {
		frame := l.played[:carrier.Samples]
		l.played = l.played[carrier.Samples:]
		least, most := frame[0], frame[0]
		for _, v := range frame {
			least, most = min(least, v), max(most, v)
		}
		switch {
		case least == most && most != 0:
			levels[most] = true
		case least != most:
			tone = true
		}
	}
	l.played = nil
	return levels, tone
}

// TestHoldByTheFarSide checks what the call hears: the hold tone until the far side's first sound and while it holds the
// call, the far side's own music instead, and afterwards its voice at once; FarHeld says when it holds.
func TestHoldByTheFarSide(t *testing.T) {
	t.Parallel()
	held := func(f *carrier.Frame) { f.Held = true }
	music := func(f *carrier.Frame) { f.Held = true; voice(300)(f) }
	for name, quiet := range map[string]bool{"with a tone": false, "without a tone before the first sound": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			near, far := &fakeLine{}, &fakeLine{}
			b := &bridge.Bridge{Near: near, Far: far, NoTone: quiet}
			for _, part := range []struct {
				what   string
				script func(*carrier.Frame)
				held   bool
				tone   bool
				level  int16
			}{
				{"before the first sound", func(*carrier.Frame) {}, false, !quiet, 0},
				{"the far side talks", voice(100), false, false, 100},
				{"it is silent", func(*carrier.Frame) {}, false, false, 0},
				{"it holds the call", held, true, true, 0},
				{"it plays music", music, true, false, 300},
				{"it holds the call again", held, true, true, 0},
				{"it talks again", voice(200), false, false, 200},
			} {
				far.script = frames(50, part.script)
				pass(t, b, 5) // of the part before
				near.hears()
				pass(t, b, 45)
				levels, tone := near.hears()
				if tone != part.tone || levels[part.level] != (part.level != 0) || len(levels) > 1 || b.FarHeld != part.held {
					t.Errorf("%s: it hears the levels %v and a tone: %v; held: %v", part.what, levels, tone, b.FarHeld)
				}
			}
			if !b.HasSound() {
				t.Error("the far side made no sound")
			}
		})
	}
}

// TestPassedBetweenLines checks that voice and keys of either side reach the other, that no more sound waits than a
// delay that nobody notices, and whose end is told.
func TestPassedBetweenLines(t *testing.T) {
	t.Parallel()
	near, far := &fakeLine{script: frames(9, voice(500)), ends: io.EOF}, &fakeLine{script: frames(5, voice(700))}
	near.script[2].Digits, far.script[3].Digits = "12", "#"
	far.queued = make([]int16, carrier.Rate) // a second of delay
	b := &bridge.Bridge{Near: near, Far: far}
	pass(t, b, 9)
	if levels, _ := near.hears(); !levels[700] || near.keys != "#" || far.keys != "12" {
		t.Errorf("near hears %v, the keys are %q and %q", levels, near.keys, far.keys)
	}
	if got := far.Queued(); got >= time.Second {
		t.Errorf("%v wait on the far line", got)
	}
	var ended *bridge.FarError
	if _, err := b.PassFrame(t.Context()); !errors.Is(err, io.EOF) || errors.As(err, &ended) {
		t.Errorf("the call's end is %v", err)
	}
	b = &bridge.Bridge{Near: &fakeLine{}, Far: &fakeLine{ends: io.EOF}}
	if _, err := b.PassFrame(t.Context()); !errors.Is(err, io.EOF) || !errors.As(err, &ended) {
		t.Errorf("the far side's end is %v", err)
	}
}

// TestHoldTone checks that the tone goes on without a break whichever pieces it is queued in, that it is soft and begins
// and ends without a click, and that it pauses for less than a second: what follows it may be late, and no more than two
// are to be silent.
func TestHoldTone(t *testing.T) {
	t.Parallel()
	line, all := &fakeLine{}, &fakeLine{}
	var tone bridge.HoldTone
	for range 300 { // 6 s
		tone.PlayOn(line)
		if got := line.Queued(); got < 200*time.Millisecond || got > 220*time.Millisecond {
			t.Fatalf("%v are queued", got)
		}
		if _, err := line.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	new(bridge.HoldTone).PlayAll(all, 6*time.Second)
	if len(all.queued) != 6*carrier.Rate {
		t.Fatalf("%d samples are queued at once", len(all.queued))
	}
	silent, last := 0, int16(0)
	for i, v := range line.played {
		if v != all.queued[i] {
			t.Fatalf("sample %d is %d in pieces, %d at once", i, v, all.queued[i])
		}
		if v > 1500 || v < -1500 || v-last > 800 || last-v > 800 {
			t.Fatalf("sample %d is %d after %d", i, v, last)
		}
		if silent++; v > 100 || v < -100 {
			silent = 0
		}
		if silent > carrier.Rate {
			t.Fatal("it pauses for more than a second")
		}
		last = v
	}
}
