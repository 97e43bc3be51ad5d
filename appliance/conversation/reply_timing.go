package conversation

import (
	"time"

	"munadi/appliance/carrier"
	"munadi/engine/audio"
	"munadi/store/call"
)

// awaitedReply is speech of the person that the next utterance answers, in times of the line.
type awaitedReply struct {
	end     time.Duration // of their speech
	decided time.Duration // when it was taken for over
}

// noteAnswered notes that what the person said until end is answered by the next utterance.
func (s *conversationSession) noteAnswered(end time.Duration) {
	s.awaiting = &awaitedReply{s.ears.voicedEnd(end), s.now}
}

// voicedFrom is the level from which a prompt is heard, root mean square: -47 dBFS.
const voicedFrom = 150

// takeReply returns the timing of an utterance that answers the person; nil if it answers nothing.
func (s *conversationSession) takeReply(u queuedUtterance) *call.ReplyTiming {
	a := s.awaiting
	if s.awaiting = nil; a == nil || u.start < a.end {
		return nil
	}
	ms := func(d time.Duration) int { return int((d - a.end).Milliseconds()) }
	return &call.ReplyTiming{Gap: ms(u.start), Decided: ms(a.decided), Heard: ms(u.start + voicedStart(u.sound.PCM))}
}

// voicedStart returns how long the silence is with which sound begins; 0 if it is silent throughout.
func voicedStart(pcm []int16) time.Duration {
	const frame = carrier.Samples / 2
	for at := 0; at+frame <= len(pcm); at += frame {
		if audio.SumSquares(pcm[at:at+frame]) >= voicedFrom*voicedFrom*frame {
			return time.Duration(at) * time.Second / carrier.Rate
		}
	}
	return 0
}
