package tts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
	"unicode"

	"munadi/appliance/quota"
	"munadi/engine/arabic"
)

// Limits of one run of espeak-ng.
const (
	espeakDeadline = 10 * time.Second
	espeakLimit    = 8 << 20 // bytes of WAV: three minutes
	espeakAtOnce   = 2
	espeakSpeed    = "150" // words per minute
)

// espeakVoice runs the external program espeak-ng: a robotic test voice. Waiting organizations take turns.
type espeakVoice struct {
	program string
	known   packVoice
	slots   *quota.Semaphore
}

// findESpeak returns nil if the program is not installed.
func findESpeak(program string, known packVoice) *espeakVoice {
	if program == "none" {
		return nil
	}
	if program == "" {
		program = "espeak-ng"
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return nil
	}
	return &espeakVoice{program: path, known: known, slots: quota.NewSemaphore(espeakAtOnce, espeakAtOnce)}
}

func (e *espeakVoice) synthesizeSpeech(ctx context.Context, r SpeechRequest) (SpokenSound, error) {
	if err := e.slots.AcquireSlot(ctx, r.OrgID); err != nil {
		return SpokenSound{}, err
	}
	defer e.slots.ReleaseSlot(r.OrgID)
	ctx, cancel := context.WithTimeout(ctx, espeakDeadline)
	defer cancel()
	said, language := r.Text, "en"
	if strings.IndexFunc(said, func(c rune) bool { return unicode.Is(unicode.Arabic, c) }) >= 0 {
		said, language = e.known.vocalizeText(said), "ar"
	}
	wav, err := e.runProgram(ctx, said, language)
	if err != nil {
		return SpokenSound{}, fmt.Errorf("espeak-ng: %w", err)
	}
	sound, err := decodeWAV(ctx, wav)
	if err != nil {
		return SpokenSound{}, fmt.Errorf("espeak-ng: %w", err)
	}
	return sound, nil
}

// runProgram passes the text by standard input, so that it cannot be parsed as an option.
func (e *espeakVoice) runProgram(ctx context.Context, said, language string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, e.program, "-v", language, "-s", espeakSpeed, "-b", "1", "--stdin", "--stdout")
	cmd.WaitDelay = time.Second
	cmd.Stdin = strings.NewReader(said)
	cmd.Env = withoutSecrets(os.Environ())
	out := &limitedBuffer{left: espeakLimit}
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// withoutSecrets returns the environment variables that a speech program may need.
func withoutSecrets(environ []string) []string {
	kept := []string{} // not nil, which would mean all
	for _, variable := range environ {
		switch name, _, _ := strings.Cut(variable, "="); name {
		case "PATH", "HOME", "LANG", "ESPEAK_DATA_PATH":
			kept = append(kept, variable)
		}
	}
	return kept
}

// limitedBuffer is a buffer with a size limit.
type limitedBuffer struct {
	bytes.Buffer
	left int
}

var errTooMuch = errors.New("its audio is longer than the limit")

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if len(p) > l.left {
		return 0, errTooMuch
	}
	l.left -= len(p)
	return l.Buffer.Write(p)
}

// ReadFrom enforces the limit for io.Copy, which would bypass Write.
func (l *limitedBuffer) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{l}, r)
}

// vocalizeText adds vowel marks (tashkeel) to words known from the bundled clips, longest phrases first: without them
// the program misreads most words. Existing marks are kept.
func (d packVoice) vocalizeText(s string) string {
	words := strings.Fields(s)
	var out []string
	for at := 0; at < len(words); {
		n, said := 1, words[at]
		for to := min(len(words), at+d.longest); to > at; to-- {
			phrase := strings.Join(words[at:to], " ")
			if strings.IndexFunc(phrase, func(c rune) bool { return unicode.Is(unicode.Mn, c) }) >= 0 {
				continue
			}
			if known := d.vocalizePhrase(arabic.FoldSpelling(phrase)); known != "" {
				n, said = to-at, known+trailingPunctuation(phrase)
				break
			}
		}
		out = append(out, said)
		at += n
	}
	return strings.Join(out, " ")
}

// vocalizePhrase returns the vocalized text of a clip with these words.
func (d packVoice) vocalizePhrase(folded string) string {
	if c, found := d.byWords[folded]; found {
		return c.Text
	}
	return d.words[folded]
}

// trailingPunctuation returns the punctuation after a phrase, which makes pauses.
func trailingPunctuation(phrase string) string {
	return phrase[len(strings.TrimRightFunc(phrase, unicode.IsPunct)):]
}
