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

// Speak implements [TextSpeaker].
func (v *SwappableChain) Speak(ctx context.Context, r SpeechRequest) (SpokenSound, error) {
	return v.current.Load().Speak(ctx, r)
}
