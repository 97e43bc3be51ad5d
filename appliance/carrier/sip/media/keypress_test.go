package media

import (
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/dtmf"
)

// TestKeysByTwoWays checks that a press that arrives by two ways counts once, and that presses by one way all count.
func TestKeysByTwoWays(t *testing.T) {
	t.Parallel()
	type press struct {
		key  byte
		way  keyWay
		tick int
	}
	for name, c := range map[string]struct {
		presses []press
		want    string
	}{
		"by one way":                    {[]press{{'1', byTone, 1}, {'1', byTone, 9}, {'1', byTone, 20}}, "111"},
		"the second way later":          {[]press{{'1', byTone, 1}, {'1', byInfo, 12}}, "1"},
		"the second way at once":        {[]press{{'1', byEvent, 1}, {'1', byInfo, 1}}, "1"},
		"twice by both":                 {[]press{{'1', byTone, 1}, {'1', byInfo, 3}, {'1', byTone, 20}, {'1', byInfo, 22}}, "11"},
		"twice by both, one way behind": {[]press{{'1', byTone, 1}, {'1', byTone, 9}, {'1', byInfo, 12}, {'1', byInfo, 20}}, "11"},
		"other keys":                    {[]press{{'1', byTone, 1}, {'2', byInfo, 2}, {'2', byTone, 5}, {'1', byInfo, 6}}, "12"},
		"an INFO at its third repeat":   {[]press{{'1', byEvent, 1}, {'1', byInfo, 180}}, "1"},
		"long after":                    {[]press{{'1', byTone, 1}, {'1', byInfo, 210}}, "11"},
	} {
		var keys keyCollector
		got := ""
		for _, p := range c.presses {
			for keys.tick < p.tick {
				got += keys.takeKeys()
			}
			keys.addPress(p.key, p.way)
		}
		if got += keys.takeKeys(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestEchoOfOurTones checks that the echo of a tone that we sent is no key, and that the next key is one; and that a
// frame with a tone is silent.
func TestEchoOfOurTones(t *testing.T) {
	t.Parallel()
	var tones toneReceiver
	var keys keyCollector
	play := func(pcm []int16) (got string, last carrier.Frame) {
		for ; len(pcm) >= carrier.Samples; pcm = pcm[carrier.Samples:] {
			last = carrier.Frame{Wide: new([2 * carrier.Samples]int16)}
			copy(last.In[:], pcm)
			last.Wide[0] = 1
			tones.hearFrame(&last, &keys)
			got += keys.takeKeys()
		}
		return got, last
	}
	tones.ignoreEcho(keyFrames)
	if got, _ := play(dtmf.MakeTone('5', keyFrames*carrier.Samples)); got != "" {
		t.Errorf("our own tone counts as %q", got)
	}
	play(make([]int16, (echoTicks+1)*carrier.Samples))
	got, last := play(dtmf.MakeTone('5', keyFrames*carrier.Samples))
	if got != "5" {
		t.Errorf("keys %q", got)
	}
	if last.In != ([carrier.Samples]int16{}) || last.Wide[0] != 0 {
		t.Error("the tone is in the sound")
	}
}
