package engine

import (
	"os"
	"testing"

	"munadi/engine/heldout"
)

// TestMain lets this test binary run as the decoder process of Ogg recordings.
func TestMain(m *testing.M) {
	if !heldout.DecodeAudio() {
		os.Exit(m.Run())
	}
}
