package tts

import (
	"math"
	"slices"
	"time"

	"munadi/appliance/tts/loudness"
	"munadi/engine/audio"
)

// voiceGains are the factors that bring a voice to the prompts' loudness, learned from whole texts: a sentence of which
// only the beginning is there cannot be measured.
type voiceGains struct{ narrow, wide float32 }

// finishSpeech is [finishSound] for a neural voice; its gains are learned.
func (n *neuralVoices) finishSpeech(stamp string, wide []float32) (SpokenSound, error) {
	narrow, even := bothRates(wide)
	sound, err := levelSound(narrow, even)
	if err != nil {
		return sound, err
	}
	heard := voiceGains{gainOf(narrow, sound.PCM), gainOf(even, sound.Wide)}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.gains == nil {
		n.gains = map[string]voiceGains{}
	}
	if old, known := n.gains[stamp]; known { // one odd sentence counts little
		heard.narrow, heard.wide = 0.8*old.narrow+0.2*heard.narrow, 0.8*old.wide+0.2*heard.wide
	}
	n.gains[stamp] = heard
	return sound, nil
}

// gainOf returns the mean factor from samples to what was made of them.
func gainOf(from []float32, to []int16) float32 {
	before, after := 0.0, 0.0
	for i, x := range from[:min(len(from), len(to))] {
		before += float64(x) * float64(x)
		after += float64(to[i]) * float64(to[i]) / (1 << 30)
	}
	return float32(math.Sqrt(after / before))
}

// neuralParts passes the sound of a text on while the rest of it is synthesized.
type neuralParts struct {
	stream *SpeechStream // nil: only the whole is wanted
	gains  voiceGains
	rate   int // of the voice
	up     *audio.StreamResampler
	down   *audio.StreamResampler
	wide   []float32 // at WideRate, of which the samples at Rate are not there yet
	taken  int       // samples of the voice
	passed int       // samples at Rate
}

// openParts returns where the parts of a request go: nowhere until the voice's gains are known.
func (n *neuralVoices) openParts(r SpeechRequest, rate int) *neuralParts {
	n.mu.Lock()
	defer n.mu.Unlock()
	gains, known := n.gains[r.stamp]
	if r.Stream == nil || !known {
		return &neuralParts{}
	}
	return &neuralParts{
		stream: r.Stream, gains: gains, rate: rate, up: audio.NewResampler(rate, WideRate),
		down: audio.NewResampler(WideRate, Rate),
	}
}

// pass passes on what is new of the samples so far; total is about how many the text will have.
func (p *neuralParts) pass(samples []float32, total int) {
	if p.stream == nil {
		return
	}
	wide := p.up.Push(nil, samples[p.taken:])
	p.taken = len(samples)
	p.addPart(wide, p.down.Push(nil, wide), total)
}

func (p *neuralParts) addPart(wide, narrow []float32, total int) {
	p.wide = append(p.wide, wide...)
	n := len(narrow)
	part := SpokenSound{
		PCM:    audio.AppendInt16(nil, loudness.ApplyGain(narrow[:n], Rate, p.gains.narrow)),
		Wide:   audio.AppendInt16(nil, loudness.ApplyGain(p.wide[:2*n], WideRate, p.gains.wide)),
		Source: Neural,
	}
	p.wide = slices.Clone(p.wide[2*n:])
	p.passed += n
	rest := time.Duration(total)*time.Second/time.Duration(p.rate) - time.Duration(p.passed)*time.Second/Rate
	p.stream.AddPart(part, max(0, rest))
}

// end passes the last samples on and ends the stream.
func (p *neuralParts) end() {
	if p.stream == nil {
		return
	}
	wide := p.up.Flush(nil)
	narrow := p.down.Flush(p.down.Push(nil, wide))
	if missing := 2*len(narrow) - len(p.wide) - len(wide); missing > 0 {
		wide = append(wide, make([]float32, missing)...)
	}
	p.addPart(wide, narrow, p.taken)
	p.stream.EndParts(nil)
}

// fail ends the stream with an error, which it returns.
func (p *neuralParts) fail(err error) error {
	if p.stream != nil && p.passed > 0 {
		p.stream.EndParts(err)
	}
	return err
}
