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

	"munadi/engine/arabic"
)

// The limits of one run of espeak-ng.
const (
	espeakDeadline = 10 * time.Second
	espeakLimit    = 8 << 20 // bytes of WAV: three minutes
	espeakAtOnce   = 2
	espeakSpeed    = "150" // words a minute
)

// espeakVoice speaks by the program espeak-ng, which is no part of ours: a robotic voice, for trying things out.
type espeakVoice struct {
	program string
	known   packVoice
	slots   chan struct{}
}

// findESpeak returns nil where there is no such program.
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
	return &espeakVoice{program: path, known: known, slots: make(chan struct{}, espeakAtOnce)}
}

func (e *espeakVoice) synthesize(ctx context.Context, r SpeechRequest) ([]int16, error) {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, espeakDeadline)
	defer cancel()
	said, language := r.Text, "en"
	if strings.IndexFunc(said, func(c rune) bool { return unicode.Is(unicode.Arabic, c) }) >= 0 {
		said, language = e.known.vocalizeText(said), "ar"
	}
	wav, err := e.runProgram(ctx, said, language)
	if err != nil {
		return nil, fmt.Errorf("espeak-ng: %w", err)
	}
	pcm, err := decodeWAV(ctx, wav)
	if err != nil {
		return nil, fmt.Errorf("espeak-ng: %w", err)
	}
	return pcm, nil
}

// runProgram gives the text by standard input, so that no text can be taken for an option.
func (e *espeakVoice) runProgram(ctx context.Context, said, language string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, e.program, "-v", language, "-s", espeakSpeed, "-b", "1", "--stdin", "--stdout")
	cmd.WaitDelay = time.Second
	cmd.Stdin = strings.NewReader(said)
	cmd.Env = nothingSecret(os.Environ())
	out := &limitedBuffer{left: espeakLimit}
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// nothingSecret leaves what a speech program may need of the environment.
func nothingSecret(environ []string) []string {
	kept := []string{} // not nil, which would be all
	for _, variable := range environ {
		switch name, _, _ := strings.Cut(variable, "="); name {
		case "PATH", "HOME", "LANG", "ESPEAK_DATA_PATH":
			kept = append(kept, variable)
		}
	}
	return kept
}

// limitedBuffer is a buffer that takes so much and no more.
type limitedBuffer struct {
	bytes.Buffer
	left int
}

var errTooMuch = errors.New("it says too much")

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if len(p) > l.left {
		return 0, errTooMuch
	}
	l.left -= len(p)
	return l.Buffer.Write(p)
}

// ReadFrom keeps the limit where io.Copy would go around Write.
func (l *limitedBuffer) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{l}, r)
}

// vocalizeText puts vowel marks on the words that the bundled clips know, longest phrases first: without them the
// program reads most words wrong. Words that have marks keep them.
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

// vocalizePhrase is the text with vowel marks of a clip that is these words.
func (d packVoice) vocalizePhrase(folded string) string {
	if c, found := d.byWords[folded]; found {
		return c.Text
	}
	return d.words[folded]
}

// trailingPunctuation is the punctuation behind a phrase, which makes pauses.
func trailingPunctuation(phrase string) string {
	return phrase[len(strings.TrimRightFunc(phrase, unicode.IsPunct)):]
}
