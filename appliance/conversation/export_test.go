package conversation

import (
	"cmp"
	"time"

	"munadi/appliance/conversation/phrase"
	"munadi/store/scenario"
)

// SilenceRule returns the rule that ends the answers to a question whose prompt is over, and which may fill other slots.
func SilenceRule(
	b *PhraseBook, asked scenario.AnswerSlot, patience float64, now time.Time, also ...scenario.AnswerSlot,
) func(PausedTurn) time.Duration {
	s := &conversationSession{Dependencies: Dependencies{Book: b, Now: func() time.Time { return now }}}
	s.Zone, s.asked = time.UTC, &openQuestion{slot: asked, also: also, patience: patience}
	return s.turnSilence
}

// FindIntent returns what somebody asks for at a question, "-" for nothing.
func FindIntent(b *PhraseBook, said string) string {
	s := &conversationSession{Dependencies: Dependencies{Book: b}, optOuts: optOutPhrases(b, nil)}
	words := phrase.FoldWords(said)
	return string(cmp.Or(s.findBreakingIntent(words, false), s.findMinorIntent(words), s.findLateIntent(words), "-"))
}
