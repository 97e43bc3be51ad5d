package tts

import (
	"log/slog"
	"net/http"
	"path/filepath"

	"munadi/appliance/config"
	"munadi/appliance/tts/voicepack"
)

// NewConfiguredChain returns the chain of voices of the settings: bundled recordings, the operator's recordings, a TTS
// endpoint, eSpeak.
func NewConfiguredChain(
	cfg *config.Config, bundle *voicepack.VoicePack, transport http.RoundTripper, log *slog.Logger,
) (*VoiceChain, error) {
	o := ChainOptions{
		Bundle: bundle, Recordings: recordingsFolder(cfg), ESpeak: cfg.ESpeak,
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
