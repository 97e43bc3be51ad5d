package runner

import (
	"testing"
	"time"
)

// TestUnwatchedTrial: a trial by telephone has nobody who watches partial results; they are neither computed nor shown.
func TestUnwatchedTrial(t *testing.T) {
	t.Parallel()
	unwatched := talkPublisher{}
	unwatched.PublishPartial(0, 1, "نعم")
	unwatched.PublishNoWords()
	if every := unwatched.PartialInterval(); every != 0 {
		t.Errorf("partial results are computed every %v", every)
	}
	var shown []string
	watched := talkPublisher{show: func(text string) { shown = append(shown, text) }}
	watched.PublishPartial(0, 1, "نعم")
	watched.PublishNoWords()
	if every := watched.PartialInterval(); every <= 0 || every > time.Second || len(shown) != 2 || shown[0] != "نعم" {
		t.Errorf("every %v, shown %q", every, shown)
	}
}
