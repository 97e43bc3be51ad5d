package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// textLags are the delays of text after the sound.
type textLags struct {
	words   int             // that were spoken
	partial []time.Duration // first partial text that has a word, behind the word's end
	delta   []time.Duration // delta with a word, behind the word's end
	final   []time.Duration // a turn's final text, behind the end of its last word and the silence that ends a turn
	noticed []time.Duration // the same, behind the time at which the service says that the turn ended
}

func (l *textLags) addLags(o textLags) {
	l.words += o.words
	l.partial, l.delta = append(l.partial, o.partial...), append(l.delta, o.delta...)
	l.final, l.noticed = append(l.final, o.final...), append(l.noticed, o.noticed...)
}

// measureLags compares the events of one client with its speech.
func measureLags(s clientSpeech, events []liveEvent, tell bool) (l textLags) {
	items := map[string]int{} // to the turn in which the item's speech began
	for _, e := range events {
		if e.Type == "input_audio_buffer.speech_started" {
			items[e.ItemID] = s.turnAt(time.Duration(e.StartMS) * time.Millisecond)
		}
	}
	for i, t := range s.turns {
		var own []liveEvent
		for _, e := range events {
			if at, known := items[e.ItemID]; known && at == i {
				own = append(own, e)
			}
		}
		l.measureTurn(t, own, tell)
	}
	return l
}

// turnAt returns the turn that is spoken at a time, or the next one.
func (s clientSpeech) turnAt(when time.Duration) int {
	return slices.IndexFunc(s.turns, func(t spokenTurn) bool { return when < t.end })
}

// measureTurn measures one.
func (l *textLags) measureTurn(t spokenTurn, events []liveEvent, tell bool) {
	l.words += len(t.words)
	shown, given := make([]time.Duration, len(t.words)), make([]time.Duration, len(t.words))
	var before, out []string // of earlier items of the turn; given out
	var stopped, last time.Duration
	for _, e := range events {
		switch e.Type {
		case "partial":
			noteFirstSeen(shown, t.words, append(slices.Clip(before), strings.Fields(e.Text)...), e.at)
		case "delta":
			out = append(out, strings.Fields(e.Delta)...)
			noteFirstSeen(given, t.words, out, e.at)
			noteFirstSeen(shown, t.words, out, e.at)
		case "input_audio_buffer.speech_stopped":
			stopped = time.Duration(e.EndMS) * time.Millisecond
		case "completed":
			last, before = e.at, slices.Clone(out)
			l.noticed = append(l.noticed, e.at-stopped)
		}
	}
	if last > 0 {
		l.final = append(l.final, last-t.end-silence)
	}
	for i, w := range t.words {
		if tell {
			fmt.Fprintf(os.Stderr, "%-10s ends %8v  shown %+5d  given %+5d ms\n", w.text, w.end.Round(time.Millisecond),
				max(-1, shown[i]-w.end).Milliseconds(), max(-1, given[i]-w.end).Milliseconds())
		}
		if shown[i] > 0 {
			l.partial = append(l.partial, shown[i]-w.end)
		}
		if given[i] > 0 {
			l.delta = append(l.delta, given[i]-w.end)
		}
	}
}

// noteFirstSeen notes the time for those words that a text has, and that none had before.
func noteFirstSeen(times []time.Duration, words []spokenWord, text []string, at time.Duration) {
	for _, i := range commonWords(words, text) {
		if times[i] == 0 {
			times[i] = at
		}
	}
}

// commonWords returns the positions of the words of a longest common subsequence.
func commonWords(words []spokenWord, text []string) (places []int) {
	length := make([][]int, len(words)+1) // of the rest from i and j on
	for i := range length {
		length[i] = make([]int, len(text)+1)
	}
	for i, word := range slices.Backward(words) {
		for j := len(text) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if word.text == text[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(words) && j < len(text); {
		switch {
		case words[i].text == text[j]:
			places = append(places, i)
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return places
}
