package tts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"munadi/appliance/config"
	"munadi/appliance/tts/voicepack"
	"munadi/engine/arabic"
)

// Sample rates of synthesized speech, in Hz: for a narrowband line and for a wideband one.
const (
	Rate     = voicepack.Rate
	WideRate = voicepack.WideRate
)

const (
	longestText = 4000             // bytes
	renderLimit = 45 * time.Second // timeout of one text, over all voices
	defaultKept = 32 << 20         // bytes of cached audio
)

// ChainOptions configures the chain of voices.
type ChainOptions struct {
	Bundle     *voicepack.VoicePack // bundled voice; required
	Recordings string               // folder with a subfolder of own recordings per organization; empty: none
	Endpoint   *EndpointOptions     // nil: none
	ESpeak     string               // path of the program; empty: espeak-ng in PATH, "none": disabled
	// Neural are the installed neural voices; nil: none. NeuralVoice is the name of the preferred one, and NeuralCache a
	// folder for what they spoke; both may be empty.
	Neural      *VoiceShelf
	NeuralVoice string
	NeuralCache string
	Keep        int // bytes of audio cached in memory; 0: 32 MiB
	// Trouble receives failures of voices, except unknown texts; may be nil. It is called concurrently.
	Trouble func(VoiceSource, error)
}

// VoiceChain is the appliance's TextSpeaker: a fallback chain of voices.
type VoiceChain struct {
	options    ChainOptions
	recordings *LineRecordings
	bundled    packVoice
	neural     *neuralVoices // nil: none
	links      []chainLink   // after the recordings
	ahead      renderQueue
	kept       *soundCache
	rendering  singleflight.Group
}

// chainLink is one voice. Its error is [ErrNoVoice] for a text that it cannot speak, and errResting if it was skipped.
type chainLink struct {
	source VoiceSource
	speak  func(context.Context, SpeechRequest) (SpokenSound, error)
}

// errResting means that a voice is skipped for a while after a failure (backoff).
var errResting = errors.New("it is skipped after a recent failure")

// NewChain creates the chain.
func NewChain(o ChainOptions) (*VoiceChain, error) {
	if o.Bundle == nil {
		return nil, errors.New("speech needs the bundled voice")
	}
	if o.Keep == 0 {
		o.Keep = defaultKept
	}
	if o.Trouble == nil {
		o.Trouble = func(VoiceSource, error) {}
	}
	c := &VoiceChain{options: o, bundled: newBundled(o.Bundle), kept: newSoundCache(o.Keep)}
	c.recordings = NewRecordings(o.Recordings, o.Bundle)
	robot := findESpeak(o.ESpeak, c.bundled)
	if o.Neural != nil {
		c.neural = newNeural(o, c.bundled)
		if robot != nil {
			c.neural.program = robot.program
		}
		c.links = append(c.links, chainLink{Neural, c.neural.synthesizeSpeech})
	}
	if o.Endpoint != nil {
		e, err := newEndpoint(*o.Endpoint)
		if err != nil {
			return nil, err
		}
		c.links = append(c.links, chainLink{Endpoint, e.synthesizeSpeech})
	}
	if robot != nil {
		c.links = append(c.links, chainLink{ESpeak, robot.synthesizeSpeech})
	}
	c.links = append(c.links, chainLink{Blocks, c.bundled.joinBlocks})
	return c, nil
}

// lookUp returns the request with what its texts are spoken from: the neural voice that may speak, and the
// organization's recordings. One that was looked up already stays as it is.
func (c *VoiceChain) lookUp(r SpeechRequest) SpeechRequest {
	if r.recorded != nil {
		return r
	}
	r = c.neural.resolve(r.withNamedSource())
	r.recorded = &recordedTexts{}
	if r.allowsSource(Recorded) {
		r.recorded = c.recordings.listTexts(r.OrgID)
	}
	return r
}

// Speak synthesizes a text, or returns it from the cache.
func (c *VoiceChain) Speak(ctx context.Context, r SpeechRequest) (SpokenSound, error) {
	r = c.lookUp(r)
	folded := arabic.FoldSpelling(r.Text)
	if folded == "" || len(r.Text) > longestText {
		return SpokenSound{}, ErrNoVoice
	}
	var own *operatorRecording
	if r.allowsSource(Recorded) {
		var err error
		if own, err = r.recorded.findRecording(folded); err != nil {
			c.options.Trouble(Recorded, err)
		}
	}
	key := r.Voice + "\x00" + string(r.Source) + "\x00" + r.stamp + "\x00" + r.Text
	if own != nil {
		key = "\x00" + own.cacheKey()
	}
	if s, ok := c.kept.getSound(key); ok {
		return s, nil
	}
	if r.Transient {
		rendering, cancel := context.WithTimeout(ctx, renderLimit)
		defer cancel()
		return c.renderText(rendering, r, folded, own, "")
	}
	done := c.rendering.DoChan(key, func() (any, error) {
		// A caller that gives up does not cancel the synthesis for others waiting for the same text.
		rendering, cancel := context.WithTimeout(context.WithoutCancel(ctx), renderLimit)
		defer cancel()
		return c.renderText(rendering, r, folded, own, key)
	})
	select {
	case <-ctx.Done():
		return SpokenSound{}, ctx.Err()
	case result := <-done:
		if result.Err != nil {
			return SpokenSound{}, result.Err
		}
		return result.Val.(SpokenSound), nil
	}
}

// renderText speaks a text by the first source that can: the operator's recording, a bundled recording of the whole
// text, then the links of the chain. The sound is cached by key, if there is one, unless a better source failed.
func (c *VoiceChain) renderText(
	ctx context.Context, r SpeechRequest, folded string, own *operatorRecording, key string,
) (SpokenSound, error) {
	whole := true // no better voice was skipped
	if own != nil {
		sound, err := own.loadSound(ctx)
		if err == nil {
			sound.Source = Recorded
			return c.keepRendered(key, sound), nil
		}
		whole = false
		c.options.Trouble(Recorded, err)
	}
	if sound, found := c.bundled.findExact(folded); found && r.allowsSource(Recorded) {
		return c.keepRendered(key, sound), nil
	}
	return c.speakByLinks(ctx, r, key, whole)
}

// speakByLinks speaks a text by the first link that can. whole is false when a better source has failed already.
func (c *VoiceChain) speakByLinks(ctx context.Context, r SpeechRequest, key string, whole bool) (SpokenSound, error) {
	for _, l := range c.links {
		if !r.allowsSource(l.source) {
			continue
		}
		sound, err := l.speak(ctx, r)
		sound.Source = l.source
		switch {
		case err == nil && whole:
			return c.keepRendered(key, sound), nil
		case err == nil:
			return sound, nil
		case errors.Is(err, ErrNoVoice):
			continue
		case !errors.Is(err, errResting) && !errors.Is(ctx.Err(), context.Canceled):
			c.options.Trouble(l.source, err)
		}
		whole = false
	}
	if err := ctx.Err(); err != nil {
		return SpokenSound{}, fmt.Errorf("%w: %w", ErrNoVoice, err)
	}
	if !whole {
		return SpokenSound{}, fmt.Errorf("%w: %w", ErrNoVoice, ErrVoiceFailed)
	}
	return SpokenSound{}, ErrNoVoice
}

func (c *VoiceChain) keepRendered(key string, s SpokenSound) SpokenSound {
	if key != "" {
		c.kept.putSound(key, s)
	}
	return s
}

// NewConfiguredChain returns the chain of voices of the settings: bundled recordings, the operator's recordings, a TTS
// endpoint, eSpeak.
func NewConfiguredChain(
	cfg *config.Config, bundle *voicepack.VoicePack, shelf *VoiceShelf, transport http.RoundTripper, log *slog.Logger,
) (*VoiceChain, error) {
	o := ChainOptions{
		Bundle: bundle, Recordings: recordingsFolder(cfg), ESpeak: cfg.ESpeak,
		Neural: shelf, NeuralVoice: cfg.SpeechVoice, NeuralCache: filepath.Join(cfg.CacheDir(), "speech"),
		Trouble: func(s VoiceSource, err error) { log.Warn("a voice failed", "voice", string(s), "err", err) },
	}
	if cfg.SpeechURL != "" {
		o.Endpoint = &EndpointOptions{
			URL: cfg.SpeechURL, Model: cfg.SpeechModel, Voice: cfg.SpeechVoice, Key: cfg.SpeechKey,
			CacheDir: filepath.Join(cfg.CacheDir(), "speech"), Transport: transport,
		}
	}
	return NewChain(o)
}

func recordingsFolder(cfg *config.Config) string { return filepath.Join(cfg.Data, "prompts") }

// NewConfiguredRecordings returns the operators' own recordings of the settings' data folder.
func NewConfiguredRecordings(cfg *config.Config, bundle *voicepack.VoicePack) *LineRecordings {
	return NewRecordings(recordingsFolder(cfg), bundle)
}

// SwappableChain is a chain of voices that can be replaced while calls speak. It has no voice until the first
// ReplaceChain.
type SwappableChain struct {
	current atomic.Pointer[VoiceChain]
}

// ReplaceChain makes c the chain that speaks from now on.
func (v *SwappableChain) ReplaceChain(c *VoiceChain) { v.current.Store(c) }

// ListVoices lists the voices of the current chain.
func (v *SwappableChain) ListVoices() []NamedVoice { return v.current.Load().ListVoices() }

// EndpointModel returns the name of the speech endpoint's model; empty without one.
func (v *SwappableChain) EndpointModel() string { return v.current.Load().EndpointModel() }

// Speak implements [TextSpeaker].
func (v *SwappableChain) Speak(ctx context.Context, r SpeechRequest) (SpokenSound, error) {
	return v.current.Load().Speak(ctx, r)
}

// DefaultVoice is the id of the chain itself: each text is spoken by the first voice that can.
const DefaultVoice = "default"

// NamedVoice is a voice that a client may choose.
type NamedVoice struct {
	ID       string
	Name     string
	Language string // ISO 639-1; eSpeak and endpoints speak others, too
	Source   VoiceSource
	Voice    string // name of the endpoint's or the neural voice; empty for the others
}

// ListVoices lists the voices of the chain, the default first.
func (c *VoiceChain) ListVoices() []NamedVoice {
	voices := []NamedVoice{
		{ID: DefaultVoice, Name: "Default: the best voice for each text", Language: "ar"},
		{ID: string(Recorded), Name: "Recorded phrases, and sentences joined of them", Language: "ar", Source: Recorded},
	}
	for _, l := range c.links {
		switch l.source {
		case Neural:
			for _, name := range c.options.Neural.VoiceNames() {
				voices = append(voices, NamedVoice{
					ID: name, Name: "Neural voice: " + name, Language: c.options.Neural.describeVoice(name).Language,
					Source: Neural, Voice: name,
				})
			}
		case Endpoint:
			if name := c.options.Endpoint.Voice; name != "" && !isNamed(voices, name) {
				voices = append(voices, NamedVoice{
					ID: name, Name: "Speech endpoint: " + name, Language: "ar", Source: Endpoint, Voice: name,
				})
			}
		case ESpeak:
			voices = append(voices, NamedVoice{ID: string(ESpeak), Name: "eSpeak NG (robotic)", Language: "ar", Source: ESpeak})
		}
	}
	return voices
}

// isNamed reports whether a voice of that id is listed.
func isNamed(voices []NamedVoice, id string) bool {
	return slices.ContainsFunc(voices, func(v NamedVoice) bool { return v.ID == id })
}

// EndpointModel returns the name of the speech endpoint's model; empty without one.
func (c *VoiceChain) EndpointModel() string {
	if c.options.Endpoint == nil {
		return ""
	}
	return c.options.Endpoint.Model
}
