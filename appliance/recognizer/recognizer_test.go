package recognizer_test

import (
	"errors"
	"testing"

	"munadi/appliance/recognizer"
	"munadi/engine"
)

// Without an engine every request is told that the model is being loaded.
func TestWithoutEngine(t *testing.T) {
	t.Parallel()
	var r recognizer.Recognizer
	_, transcribe := r.Transcribe(t.Context(), nil, engine.TranscribeOptions{})
	_, decode := r.DebugDecode(t.Context(), nil, engine.DebugParams{})
	_, stream := r.OpenStream(engine.StreamOptions{})
	for name, err := range map[string]error{"Transcribe": transcribe, "DebugDecode": decode, "OpenStream": stream} {
		if !errors.Is(err, recognizer.ErrLoading) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if requests, waiting := r.QueueLoad(); requests+waiting != 0 || r.CurrentEngine() != nil {
		t.Errorf("%d requests, %d waiting", requests, waiting)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
