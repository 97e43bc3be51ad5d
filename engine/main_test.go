package engine

import (
	"os"
	"testing"

	"munadi/engine/heldout"
)

// TestMain lets this test binary be the process that decodes Ogg recordings.
func TestMain(m *testing.M) {
	if !heldout.DecodeAudio() {
		os.Exit(m.Run())
	}
}
