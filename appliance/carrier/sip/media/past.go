package media

import "munadi/appliance/carrier"

// fading is the length of packet loss concealment in samples: the last frame repeats and fades out; then silence.
const fading = 60 * ms

// playedHistory is the last 20 ms that were played, for packet loss concealment.
type playedHistory struct {
	ring [carrier.Samples]soundSlot
	at   int // index of the oldest sample
	lost int // lost samples since
}

// keepSample stores a played sample and returns it.
func (p *playedHistory) keepSample(v soundSlot) soundSlot {
	p.ring[p.at] = v
	p.at = (p.at + 1) % len(p.ring)
	p.lost = 0
	return v
}

// fadeSample returns a replacement for a lost sample.
func (p *playedHistory) fadeSample() (v soundSlot) {
	if p.lost >= fading {
		return v
	}
	for i, before := range p.ring[(p.at+p.lost)%len(p.ring)] {
		v[i] = int16(int(before) * (fading - p.lost) / fading)
	}
	p.lost++
	return v
}

// lastFrame returns the last 20 ms in order.
func (p *playedHistory) lastFrame() [carrier.Samples]soundSlot {
	var f [carrier.Samples]soundSlot
	copy(f[copy(f[:], p.ring[p.at:]):], p.ring[:p.at])
	return f
}
