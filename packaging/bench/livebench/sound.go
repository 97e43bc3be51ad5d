package main

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"munadi/engine/audio"
)

const (
	rate  = audio.Rate
	frame = rate / 100 // 10 ms
	// quiet is how far below its loudest frame a word's ends are, in dB; in a loud room it is half the way to that.
	quiet   = 30
	closure = 12 // frames of silence that a word may have in it
	soft    = 5  // frames before and after the loud ones that belong to the word
)

// speechLibrary holds takes of one word each, by speaker and class.
type speechLibrary struct {
	speakers []map[string][]float32
	words    map[string]string // class to Arabic word
	classes  []string
}

// readLibrary reads the validation part of Arabic Speech Commands: ten takes of a word in each file, a second each.
// munadi's helper decodes them.
func readLibrary(asc, munadi string) (*speechLibrary, error) {
	program, err := filepath.Abs(munadi)
	if err != nil {
		return nil, err
	}
	decoding := audio.DecodeOptions{Helper: []string{program, "decode-audio"}}
	table, err := os.ReadFile(asc + "/words.tsv")
	if err != nil {
		return nil, err
	}
	l := &speechLibrary{words: map[string]string{}}
	for line := range strings.Lines(string(table)) {
		class, word, _ := strings.Cut(strings.TrimSpace(line), "\t")
		l.words[class], l.classes = word, append(l.classes, class)
	}
	speakers, err := filepath.Glob(asc + "/val/*")
	if err != nil {
		return nil, err
	}
	for _, dir := range speakers {
		takes := map[string][]float32{}
		for class := range l.words {
			raw, err := os.ReadFile(dir + "/" + class + ".opus")
			if err != nil {
				return nil, err
			}
			if takes[class], err = audio.DecodeAll(context.Background(), bytes.NewReader(raw), decoding); err != nil {
				return nil, err
			}
		}
		l.speakers = append(l.speakers, takes)
	}
	return l, nil
}

// spokenWord is one that was spoken, and when its sound ends.
type spokenWord struct {
	text string
	end  time.Duration
}

// spokenTurn is speech without a pause that would end the turn.
type spokenTurn struct {
	start, end time.Duration
	words      []spokenWord
}

// clientSpeech is the speech of one client.
type clientSpeech struct {
	sound []float32
	turns []spokenTurn
}

const (
	between = 150 * time.Millisecond  // two words of a turn, beside what is quiet in them
	pause   = 1500 * time.Millisecond // two turns
)

// joinSpeech returns speech of one speaker of the given length: turns of three to twelve words. Each word is trimmed to
// its loud part, so that its end is known to a frame of 10 ms for any recognizer.
func (l *speechLibrary) joinSpeech(speaker int, length time.Duration) clientSpeech {
	dice := rand.New(rand.NewPCG(1, uint64(speaker))) //nolint:gosec // the same speech each time
	takes := l.speakers[speaker%len(l.speakers)]
	var s clientSpeech
	for s.addSilence(pause, dice); s.currentTime() < length; s.addSilence(pause, dice) {
		order := dice.Perm(len(l.classes))[:3+dice.IntN(10)]
		t := spokenTurn{start: s.currentTime()}
		for i, class := range order {
			if i > 0 {
				s.addSilence(between, dice)
			}
			name := l.classes[class]
			take := trimTake(takes[name], dice.IntN(len(takes[name])/rate))
			s.sound = append(s.sound, take...)
			t.end = s.currentTime()
			t.words = append(t.words, spokenWord{l.words[name], t.end})
		}
		s.turns = append(s.turns, t)
	}
	return s
}

func (s *clientSpeech) currentTime() time.Duration {
	return time.Duration(len(s.sound)) * time.Second / rate
}

// addSilence lets time pass: a room at −66 dBFS.
func (s *clientSpeech) addSilence(d time.Duration, dice *rand.Rand) {
	for range int(d.Seconds() * rate) {
		s.sound = append(s.sound, float32(dice.NormFloat64()*0.0005))
	}
}

// trimTake returns a take without the silence before and after the word: the loud part, from the loudest frame on in
// both directions, over gaps as long as a consonant's closure.
func trimTake(takes []float32, take int) []float32 {
	sound := takes[take*rate : (take+1)*rate]
	levels := frameLevels(sound)
	sorted := slices.Sorted(slices.Values(levels))
	room, loudest := sorted[len(sorted)/10], sorted[len(sorted)-1]
	loud := max(loudest-quiet, (room+loudest)/2)
	peak := slices.Index(levels, loudest)
	first, last := peak, peak
	for i := peak; i >= 0 && first-i <= closure; i-- {
		if levels[i] > loud {
			first = i
		}
	}
	for i := peak; i < len(levels) && i-last <= closure; i++ {
		if levels[i] > loud {
			last = i
		}
	}
	return sound[max(0, first-soft)*frame : min(last+1+soft, len(levels))*frame]
}

// frameLevels returns those of the frames in dB.
func frameLevels(sound []float32) (all []float64) {
	for part := range slices.Chunk(sound[:len(sound)/frame*frame], frame) {
		power := 1e-12
		for _, v := range part {
			power += float64(v*v) / frame
		}
		all = append(all, 10*math.Log10(power))
	}
	return all
}

// pcmSample returns a sample in 16 bits.
func pcmSample(v float32) int16 { return int16(max(-1, min(v, 1)) * 32767) }
