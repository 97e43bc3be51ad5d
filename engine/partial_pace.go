package engine

import (
	"maps"
	"sync"
	"time"
)

const (
	// partialShare is the share of the encoder's time that the partial texts of all streams may take together, so that
	// final texts rarely wait for it, whatever the number of streams.
	partialShare = 0.5
	// streamShare is the share of one run that the partial texts of one stream take, unless they would come less often
	// than every slowestDraft. A model without caches encodes the turn again for each, so that the cost of a text grows
	// with it.
	streamShare  = 0.1
	slowestDraft = 500 * time.Millisecond
	// maxSlowdown limits how much the interval grows while other work waits.
	maxSlowdown = 4
	// readerTimeout is how long a stream is counted after its last push.
	readerTimeout = time.Second
)

// partialPacer shares the encoder among the partial texts of all streams (adaptive interval under load). It is safe for
// concurrent use.
type partialPacer struct {
	runs int // of the encoder at once, in the time of one

	mu      sync.Mutex
	readers map[*LiveStream]time.Time // open turns that want partial texts, and when they last pushed sound
	pruned  time.Time
	begun   int // partial texts that are computed or wait for a permit
}

func newPartialPacer(runs int) *partialPacer {
	return &partialPacer{runs: runs, readers: map[*LiveStream]time.Time{}}
}

// noteReader counts a stream whose open turn wants partial texts.
func (p *partialPacer) noteReader(s *LiveStream, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.readers[s] = now
	if now.Sub(p.pruned) >= readerTimeout {
		maps.DeleteFunc(p.readers, func(_ *LiveStream, at time.Time) bool { return now.Sub(at) > readerTimeout })
		p.pruned = now
	}
}

// forgetReader ends the count of a stream whose turn has ended.
func (p *partialPacer) forgetReader(s *LiveStream) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.readers, s)
}

// intervalFor returns the shortest interval of a stream's partial texts, if computing one takes took: the stream keeps
// to streamShare, and all streams together to partialShare. It is longer while pieces of work wait for a core.
func (p *partialPacer) intervalFor(took time.Duration, waiting int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := time.Duration(float64(took) * float64(len(p.readers)) / float64(p.runs) / partialShare)
	own := min(time.Duration(float64(took)/streamShare), slowestDraft)
	return max(all, own) * time.Duration(min(1+waiting, maxSlowdown))
}

// tryBegin admits a partial text if fewer are running than the encoder has runs: a stream that waited behind other
// streams' partial texts would notice the end of its turn late. endPartial must follow if it is true.
func (p *partialPacer) tryBegin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun >= p.runs {
		return false
	}
	p.begun++
	return true
}

func (p *partialPacer) endPartial() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun--
}
