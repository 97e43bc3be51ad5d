package media

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// keyPress is a telephone-event packet and the number of ticks before it.
type keyPress struct {
	stamp  uint32
	key    byte // place in keys
	end    bool
	marker bool
	ticks  int
	sound  bool // a packet of sound instead
}

func pressedKeys(packets ...keyPress) string {
	var e dtmfReceiver
	var got []byte
	for _, p := range packets {
		for range p.ticks {
			e.countTick()
		}
		if p.sound {
			e.endPress()
			continue
		}
		flags := byte(10)
		if p.end {
			flags |= 0x80
		}
		if key := e.pushPacket(p.stamp, p.marker, []byte{p.key, flags, 0, 160}); key != 0 {
			got = append(got, key)
		}
	}
	return string(got)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		packets []keyPress
		want    string
	}{
		"one press": {[]keyPress{{stamp: 100, key: 5, marker: true}, {stamp: 100, key: 5, ticks: 2}, {stamp: 100, key: 5, end: true, ticks: 1}}, "5"},
		"the end three times": {[]keyPress{
			{stamp: 100, key: 5}, {stamp: 100, key: 5, end: true}, {stamp: 100, key: 5, end: true}, {stamp: 100, key: 5, end: true, ticks: 20},
		}, "5"},
		"only the end comes": {[]keyPress{{stamp: 100, key: 11, end: true}, {stamp: 100, key: 11, end: true}}, "#"},
		"the same key twice": {[]keyPress{
			{stamp: 100, key: 5, marker: true}, {stamp: 100, key: 5, end: true}, {stamp: 1000, key: 5, marker: true}, {stamp: 1000, key: 5, end: true},
		}, "55"},
		"the ends got lost": {[]keyPress{
			{stamp: 100, key: 5, marker: true}, {stamp: 1000, key: 5, marker: true}, {stamp: 3000, key: 6, marker: true},
		}, "556"},
		"the ends and the marked packets got lost":  {[]keyPress{{stamp: 100, key: 5}, {stamp: 3000, key: 5, ticks: 6}, {stamp: 5000, key: 6, ticks: 1}}, "556"},
		"sound comes instead of the end":            {[]keyPress{{stamp: 100, key: 5}, {sound: true}, {stamp: 900, key: 5}}, "55"},
		"sound comes all the time":                  {[]keyPress{{stamp: 100, key: 5}, {sound: true}, {stamp: 100, key: 5}, {sound: true}, {stamp: 100, key: 5, end: true}}, "5"},
		"another key at the same time":              {[]keyPress{{stamp: 100, key: 5}, {stamp: 100, key: 6}}, "56"},
		"a long press":                              {[]keyPress{{stamp: 100, key: 5, marker: true}, {stamp: 100 + 0xffff, key: 5, ticks: 1}, {stamp: 100 + 0xffff, key: 5, end: true}}, "5"},
		"a long press with sound":                   {[]keyPress{{stamp: 100, key: 5, marker: true}, {sound: true}, {stamp: 100 + 0xffff, key: 5}}, "5"},
		"each packet has its own time stamp":        {[]keyPress{{stamp: 100, key: 5, marker: true}, {stamp: 260, key: 5, ticks: 1}, {stamp: 420, key: 5, ticks: 1, end: true}}, "5"},
		"a packet of the last press comes too late": {[]keyPress{{stamp: 100, key: 5}, {stamp: 1000, key: 6}, {stamp: 100, key: 5, end: true}, {stamp: 1000, key: 6}}, "56"},
		"a packet of an earlier press comes much too late": {[]keyPress{
			{stamp: 100, key: 1, end: true},
			{stamp: 16000, key: 2, end: true},
			{sound: true, ticks: 50},
			{stamp: 100, key: 1, end: true},
			{stamp: 100, key: 1, end: true},
			{stamp: 16000, key: 2, end: true},
		}, "12"},
		"time stamps wrap":       {[]keyPress{{stamp: 1<<32 - 10, key: 15, end: true}, {stamp: 700, key: 15, end: true}}, "DD"},
		"time stamps begin anew": {[]keyPress{{stamp: 1 << 30, key: 1, end: true}, {stamp: 5, key: 2, end: true}}, "12"},
		"no key":                 {[]keyPress{{stamp: 100, key: 16}, {stamp: 300, key: 255}}, ""},
	} {
		if got := pressedKeys(c.packets...); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Whatever is lost, each key press counts once if one of its packets is received.
func TestKeysInSpiteOfLoss(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		stamp := rapid.Uint32().Draw(t, "first")
		var want strings.Builder
		var packets []keyPress
		for range rapid.IntRange(1, 12).Draw(t, "presses") {
			key := byte(rapid.IntRange(0, 15).Draw(t, "key"))
			want.WriteByte(keys[key])
			n := rapid.IntRange(3, 12).Draw(t, "packets")
			keep := rapid.IntRange(0, n-1).Draw(t, "that comes")
			ticks := lostEventTicks
			for i := range n {
				p := keyPress{stamp: stamp, key: key, marker: i == 0, end: i >= n-3, ticks: ticks}
				ticks = 0
				switch {
				case i != keep && rapid.Bool().Draw(t, "lost"):
					ticks = p.ticks
				case rapid.Bool().Draw(t, "twice"):
					packets = append(packets, p)
					p.ticks = 0
					fallthrough
				default:
					packets = append(packets, p)
				}
				ticks++
			}
			stamp += uint32(rapid.IntRange(n*160+1, 8000).Draw(t, "until the next"))
		}
		if got := pressedKeys(packets...); got != want.String() {
			t.Fatalf("%q, want %q", got, want.String())
		}
	})
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte{0, 0, 0, 100, 1, 5, 10, 0, 160})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0, 15, 0x8a, 0xff, 0xff, 0, 0, 0, 1, 2, 15, 0x8a, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var e dtmfReceiver
		for n := 0; len(b) > 5; n++ {
			size := min(4, len(b)-5)
			key := e.pushPacket(uint32(b[0])<<24|uint32(b[1])<<16|uint32(b[2])<<8|uint32(b[3]), b[4]&1 != 0, b[5:5+size])
			if key != 0 && !strings.ContainsRune(keys, rune(key)) {
				t.Fatalf("key %q", key)
			}
			if again := e; e.known && again.pushPacket(e.stamp, false, []byte{e.event, 0x8a, 0, 160}) != 0 {
				t.Fatalf("%q counts twice", key)
			}
			for range b[4] >> 5 {
				e.countTick()
			}
			b = b[5+size:]
		}
	})
}
