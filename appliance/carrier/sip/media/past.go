package media

import "munadi/appliance/carrier"

// fading is how many samples of lost sound are replaced by the last frame, which gets ever softer; then comes silence.
const fading = 60 * ms

// playedHistory is the last 20 ms that were played.
type playedHistory struct {
	ring [carrier.Samples]int16
	at   int // the oldest
	lost int // samples since
}

// keepSample is told a sample that is played.
func (p *playedHistory) keepSample(v int16) int16 {
	p.ring[p.at] = v
	p.at = (p.at + 1) % len(p.ring)
	p.lost = 0
	return v
}

// fadeSample is a sample in place of one that is lost.
func (p *playedHistory) fadeSample() int16 {
	if p.lost >= fading {
		return 0
	}
	v := int(p.ring[(p.at+p.lost)%len(p.ring)]) * (fading - p.lost) / fading
	p.lost++
	return int16(v)
}

// lastFrame is the last 20 ms in order.
func (p *playedHistory) lastFrame() [carrier.Samples]int16 {
	var f [carrier.Samples]int16
	copy(f[copy(f[:], p.ring[p.at:]):], p.ring[:p.at])
	return f
}
