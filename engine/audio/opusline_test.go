package audio_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	"munadi/engine/audio"
	"munadi/engine/audio/internal/ogg"
	"munadi/engine/audio/internal/xiph"
)

// voiceLike is two seconds of a gliding, wavering tone with overtones up to 6 kHz at 16 kHz.
func voiceLike() []int16 {
	pcm := make([]int16, 2*audio.OpusLineRate)
	for i := range pcm {
		t := float64(i) / audio.OpusLineRate
		for k := range 12 {
			pcm[i] += int16(2500 / float64(k+2) * math.Sin(2*math.Pi*float64(k+1)*(180*t+60*t*t)) * (1 + math.Sin(9*t)))
		}
	}
	return pcm
}

// opusPackets are the packets of a recording that ffmpeg encodes with libopus.
func opusPackets(t *testing.T, pcm []int16, args ...string) [][]byte {
	t.Helper()
	args = append([]string{"-f", "s16le", "-ar", "16000", "-ac", "1", "-i", "-", "-c:a", "libopus"}, args...)
	packets := ogg.NewPackets(
		ogg.NewPages(bytes.NewReader(ffmpegBytes(t, wordBytes(pcm), append(args, "-f", "opus", "-")...))),
		func(first []byte) bool { return bytes.HasPrefix(first, []byte("OpusHead")) },
	)
	var all [][]byte
	for {
		p, err := packets.Next()
		if errors.Is(err, io.EOF) {
			return all[2:] // header and comments
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, bytes.Clone(p.Data))
	}
}

// TestOpusLineDecoder compares with libopus, for packets of each of its modes.
func TestOpusLineDecoder(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"voice, 16 kbit/s":        {"-b:a", "16k", "-application", "voip"},
		"voice, with FEC":         {"-b:a", "24k", "-application", "voip", "-fec", "1", "-packet_loss", "10"},
		"voice, narrow":           {"-b:a", "8k", "-application", "voip", "-cutoff", "4000"},
		"voice, 60 ms":            {"-b:a", "16k", "-application", "voip", "-frame_duration", "60"},
		"hybrid, full band":       {"-b:a", "32k", "-application", "voip", "-ar", "48000"},
		"music, 20 ms":            {"-b:a", "64k", "-application", "audio"},
		"low delay, 10 ms":        {"-b:a", "64k", "-application", "lowdelay", "-frame_duration", "10"},
		"two channels, low delay": {"-b:a", "64k", "-application", "lowdelay", "-ac", "2"},
		"two channels, voice":     {"-b:a", "32k", "-application", "voip", "-ac", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			decoder, err := audio.NewOpusLineDecoder()
			if err != nil {
				t.Fatal(err)
			}
			reference, err := xiph.NewOpus(xiph.OpusLayout{Channels: 1, Streams: 1, Mapping: []byte{0}})
			if err != nil {
				t.Fatal(err)
			}
			defer reference.Close()
			var got, want []float64
			for _, packet := range opusPackets(t, voiceLike(), args...) {
				pcm, err := decoder.DecodePacket(packet)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range pcm {
					got = append(got, float64(v))
				}
				theirs, err := reference.DecodePacket(packet)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range theirs {
					want = append(want, 32768*float64(v))
				}
			}
			if db, lag := differenceLevel(got, want); len(got) != len(want) || db < 20 {
				t.Errorf("%d samples, %d of libopus; they differ at %.1f dB with %d samples of delay", len(got), len(want), db, lag)
			}
		})
	}
}

// TestOpusLineEncoder: libopus decodes the encoded signal.
func TestOpusLineEncoder(t *testing.T) {
	t.Parallel()
	encoder, err := audio.NewOpusLineEncoder()
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := audio.NewOpusLineDecoder()
	if err != nil {
		t.Fatal(err)
	}
	pcm, size := voiceLike(), 0
	var want, got []float64
	for i := 0; i+320 <= len(pcm); i += 320 {
		packet := make([]byte, 400)
		n, err := encoder.EncodeFrame(packet, pcm[i:i+320])
		if err != nil {
			t.Fatal(err)
		}
		size += n
		heard, err := decoder.DecodePacket(packet[:n])
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range heard {
			want, got = append(want, float64(pcm[i+k])), append(got, float64(v))
		}
	}
	if db, lag := differenceLevel(got, want); db < 6 {
		t.Errorf("the noise is %.1f dB below the voice, %d samples later", db, lag)
	}
	if size < 4000 || size > 10_000 {
		t.Errorf("two seconds take %d bytes", size)
	}
}

// differenceLevel is the level of the difference below the signal, in dB, at the best delay.
func differenceLevel(got, want []float64) (best float64, lag int) {
	best = math.Inf(-1)
	for shift := -400; shift <= 400; shift++ {
		var signal, noise float64
		for i := 4000; i < min(len(want), len(got))-400; i++ {
			d := got[i+shift] - want[i]
			signal, noise = signal+want[i]*want[i], noise+d*d
		}
		if db := 10 * math.Log10(signal/noise); db > best {
			best, lag = db, shift
		}
	}
	return best, lag
}

// FuzzOpusLine: no packet harms the decoder, and none is longer than 120 ms.
func FuzzOpusLine(f *testing.F) {
	f.Add([]byte{0x08, 0xff, 0xfe}, []byte{0xf8, 1, 2, 3})
	f.Add([]byte{}, []byte{0x4b, 0xff, 0xff, 0})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		d, err := audio.NewOpusLineDecoder()
		if err != nil {
			t.Fatal(err)
		}
		for _, packet := range [][]byte{first, second, first} {
			if pcm, _ := d.DecodePacket(packet); len(pcm) > 120*audio.OpusLineRate/1000 {
				t.Fatalf("%d samples", len(pcm))
			}
		}
	})
}
