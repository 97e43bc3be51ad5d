package media_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
)

const (
	pitch = 700   // Hz
	level = 11585 // root of the mean square of a sine at half of full scale
)

// toneSecond returns one second of a sine that can be repeated without a step.
func toneSecond() []int16 {
	out := make([]int16, carrier.Rate)
	for i := range out {
		out[i] = int16(math.Round(level * math.Sqrt2 * math.Sin(2*math.Pi*pitch*float64(i)/carrier.Rate)))
	}
	return out
}

// purestHalfSecond returns the half second of a signal that is most like a tone: the share of its power at the pitch
// (Goertzel), and its level.
func purestHalfSecond(pcm []int16, pitch, rate int) (part, rms float64) {
	n := rate / 2
	for ; len(pcm) >= n; pcm = pcm[n/10:] {
		re, im, power := 0.0, 0.0, 1.0
		for i, v := range pcm[:n] {
			w := 2 * math.Pi * float64(pitch) * float64(i) / float64(rate)
			re += float64(v) * math.Cos(w)
			im += float64(v) * math.Sin(w)
			power += float64(v) * float64(v)
		}
		if p := 2 * (re*re + im*im) / (power * float64(n)); p > part {
			part, rms = p, math.Sqrt(power/float64(n))
		}
	}
	return part, rms
}

// checkTone fails if a signal is not the tone. The noise of A-law, µ-law and G.722 is 38 dB below it, that of Opus 20
// dB.
func checkTone(t *testing.T, pcm []int16, codec sdp.Codec) {
	t.Helper()
	least, off := 0.999, 0.02
	if codec == sdp.Opus {
		least, off = 0.99, 0.1
	}
	if part, rms := purestHalfSecond(pcm, pitch, carrier.Rate); part < least || math.Abs(rms/level-1) > off {
		t.Errorf("of %d samples, %.4f of the power lies at %d Hz, and the level is %.0f, want %d", len(pcm), part, pitch, rms, level)
	}
}

func runFFmpeg(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not here: packaging/setup installs it")
	}
	cmd := exec.CommandContext(t.Context(), path, append([]string{"-hide_banner", "-loglevel", "error", "-nostdin"}, args...)...)
	cmd.Stderr = os.Stderr
	return cmd
}

// soundWay is one way of sending audio between ffmpeg and us.
type soundWay struct {
	name  string
	codec sdp.Codec
	coder string
	size  string // of ffmpeg's packets; empty: as much as fits
	key   bool
}

var ways = []soundWay{
	{"A-law", sdp.PCMA, "pcm_alaw", "?pkt_size=172", false},
	{"µ-law", sdp.PCMU, "pcm_mulaw", "?pkt_size=332", false},
	{"long packets", sdp.PCMA, "pcm_alaw", "", false},
	{"SRTP", sdp.PCMA, "pcm_alaw", "?pkt_size=172", true},
	{"G.722", sdp.G722, "g722", "?pkt_size=172", false},
	{"Opus", sdp.Opus, "libopus", "?pkt_size=1200", false},
	{"Opus, SRTP", sdp.Opus, "libopus", "?pkt_size=1200", true},
}

// Audio from ffmpeg is received at its pitch and level. Its packets are collected first and then received at the times
// of their time stamps, so that the machine's load has no effect.
func TestFFmpegIsHeard(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			s := openSession(t)
			p := newPeer(t, s)
			l, r := agreedStream(p, way.codec, way.key)
			r.Listens = false
			if err := s.BeginStill(l, r); err != nil {
				t.Fatal(err)
			}
			scheme, protection := "rtp", []string{}
			if way.key {
				scheme = "srtp"
				protection = []string{
					"-srtp_out_suite", "AES_CM_128_HMAC_SHA1_80", "-srtp_out_params", base64.StdEncoding.EncodeToString(theirs),
				}
			}
			source := fmt.Sprintf("aevalsrc=0.5*sin(2*PI*%d*t):s=%d:d=3", pitch, soundRate(way.codec))
			args := append([]string{
				"-re", "-f", "lavfi", "-i", source, "-ac", "1", "-c:a", way.coder, "-f", "rtp",
				"-payload_type", strconv.Itoa(int(way.codec)),
			}, protection...)
			cmd := runFFmpeg(t, append(args, fmt.Sprintf("%s://%v%s", scheme, p.from, way.size))...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() {
				ended <- cmd.Wait()
				_, _ = p.conn.WriteToUDPAddrPort(nil, p.from) // the end
			}()
			var in []int16
			ticks, first := 0, uint32(0)
			for b := p.nextDatagram(); len(b) > 12; b = p.nextDatagram() {
				stamp := binary.BigEndian.Uint32(b[4:])
				if ticks == 0 {
					first = stamp
				}
				for ; ticks*way.codec.ClockRate()/50 < int(stamp-first); ticks++ {
					turnTicks(s, 1)
					in = append(in, takeFrames(t, s, 1)[0].In[:]...)
				}
				ticks = max(ticks, 1)
				s.ReceiveRTP(b, p.from)
			}
			if err := <-ended; err != nil {
				t.Errorf("ffmpeg: %v", err)
			}
			checkTone(t, in, way.codec)
			if stats := s.Stats(); stats.Received == 0 || stats.Forged+stats.Foreign+stats.Ignored+stats.Lost+stats.Late > 0 {
				t.Errorf("%+v", stats)
			}
		})
	}
}

// soundRate returns the sample rate of a codec.
func soundRate(c sdp.Codec) int {
	if c == sdp.G722 || c == sdp.Opus {
		return 2 * carrier.Rate
	}
	return carrier.Rate
}

func agreedStream(p *mediaPeer, codec sdp.Codec, key bool) (sdp.LocalMedia, sdp.AgreedStream) {
	l, r := localStream(), p.agreedStream()
	l.Codecs, r.Codec, r.Payload = []sdp.Codec{codec}, codec, uint8(codec)
	if key {
		l.Key, r.Key = ours, theirs
	}
	return l, r
}

// ffmpeg receives our audio at its pitch and level.
func TestFFmpegHears(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		if way.size == "" {
			continue
		}
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			pcm := heardByFFmpeg(t, way, carrier.Rate, toneSecond(), nil)
			checkTone(t, pcm, way.codec)
		})
	}
}

// heardByFFmpeg returns what ffmpeg decodes of our audio, at a sample rate.
func heardByFFmpeg(t *testing.T, way soundWay, rate int, said, wide []int16) []int16 {
	t.Helper()
	s := openSession(t)
	p := newPeer(t, s)
	reports := withReports(t, p)
	_, _ = p.conn.Close(), reports.Close() // ffmpeg takes their ports
	description := fmt.Sprintf("v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio %d RTP/%s %d\r\n",
		p.from.Port(), map[bool]string{false: "AVP", true: "SAVP"}[way.key], way.codec)
	if way.codec == sdp.Opus {
		description += "a=rtpmap:111 opus/48000/2\r\n"
	}
	if way.key {
		description += "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:" + base64.StdEncoding.EncodeToString(ours) + "\r\n"
	}
	file, out := filepath.Join(t.TempDir(), "call.sdp"), filepath.Join(t.TempDir(), "call.raw")
	if err := os.WriteFile(file, []byte(description), 0o600); err != nil {
		t.Fatal(err)
	}
	l, r := agreedStream(p, way.codec, way.key)
	r.Sends = false
	if err := s.BeginStill(l, r); err != nil {
		t.Fatal(err)
	}
	cmd := runFFmpeg(t, "-protocol_whitelist", "file,udp,rtp,srtp", "-i", file, "-t", "2", "-f", "s16le", "-ar", strconv.Itoa(rate), "-ac", "1", out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	speakUntil(t, s, ended, said, wide)
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	pcm := make([]int16, len(b)/2)
	for i := range pcm {
		pcm[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return pcm
}

// speakUntil sends audio, four times as fast as real time, until ffmpeg has received enough.
func speakUntil(t *testing.T, s *media.MediaSession, ended <-chan error, said, wide []int16) {
	t.Helper()
	ticker := time.NewTicker(carrier.Tick / 4)
	defer ticker.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("ffmpeg: %v", err)
			}
			return
		case <-ticker.C:
		}
		if s.Queued() < time.Second {
			s.Say(slices.Clone(said), slices.Clone(wide))
		}
		turnTicks(s, 1)
		takeFrames(t, s, 1)
	}
}
