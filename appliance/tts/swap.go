package tts

import (
	"context"
	"sync/atomic"
)

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
