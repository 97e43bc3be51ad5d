package tts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"munadi/engine/voice"
)

// Limits of one run of espeak-ng for phonemes.
const (
	phonemeDeadline = espeakDeadline
	phonemeLimit    = 64 << 10 // bytes of IPA
	longSentence    = 250      // characters from which a sentence is spoken in parts, at its pauses
	// phonemizersAtOnce is how many clauses of a sentence espeak-ng reads at once: most of its 20 ms are its start.
	phonemizersAtOnce = 4
)

// errNoPhonemizer means that espeak-ng, which makes the phonemes of neural voices, is not installed.
var errNoPhonemizer = errors.New("neural voices need espeak-ng for their phonemes: install the package espeak-ng, or " +
	"set the setting espeak to its path")

// spokenClause is a part of a text up to a pause.
type spokenClause struct {
	text   string
	mark   string // that ends it, as Piper's networks were trained with: . ? ! , : ; or empty
	closes bool   // it ends a sentence
}

// clauseMarks are the characters that end a clause before a space.
var clauseMarks = map[rune]spokenClause{
	'.': {mark: ".", closes: true}, '۔': {mark: ".", closes: true}, '?': {mark: "?", closes: true},
	'؟': {mark: "?", closes: true}, '!': {mark: "!", closes: true}, '\n': {closes: true}, '…': {closes: true},
	',': {mark: ","}, '،': {mark: ","}, ':': {mark: ":"}, ';': {mark: ";"}, '؛': {mark: ";"},
	'—': {mark: ","}, '–': {mark: ","},
}

// splitClauses splits a text at its pauses: at a mark before a space or the end, so that 3.5 is whole.
func splitClauses(text string) []spokenClause {
	var out []spokenClause
	from := 0
	add := func(to, next int, end spokenClause) {
		end.text = strings.TrimSpace(text[from:to])
		if from = next; strings.ContainsFunc(end.text, isSpoken) {
			out = append(out, end)
		}
	}
	for at, r := range text {
		end, known := clauseMarks[r]
		if !known {
			continue
		}
		next := at + utf8.RuneLen(r)
		after, _ := utf8.DecodeRuneInString(text[next:])
		if next == len(text) || unicode.IsSpace(after) || r == '\n' || r > 0x7f {
			add(at, next, end)
		}
	}
	add(len(text), len(text), spokenClause{closes: true})
	return out
}

func isSpoken(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// groupSentences groups clauses into what is synthesized at once: sentences, long ones in parts.
func groupSentences(clauses []spokenClause) [][]spokenClause {
	var out [][]spokenClause
	begun, length := false, 0
	for _, c := range clauses {
		if !begun {
			out, length = append(out, nil), 0
		}
		last := len(out) - 1
		out[last] = append(out[last], c)
		length += utf8.RuneCountInString(c.text)
		begun = !c.closes && length < longSentence
	}
	return out
}

// languageSwitch is espeak-ng's mark of a word of another language, such as (en).
var languageSwitch = regexp.MustCompile(`\([^)]*\)`)

// phonemizeSentence returns a sentence's phonemes as Piper's networks were trained with: the IPA of its clauses, each
// with its mark.
func phonemizeSentence(ctx context.Context, program string, c voice.Config, sentence []spokenClause) (string, error) {
	spoken := make([]string, len(sentence))
	running, ctx := errgroup.WithContext(ctx)
	running.SetLimit(phonemizersAtOnce)
	for i, clause := range sentence {
		if c.Phonemes != voice.ESpeakPhonemes {
			spoken[i] = clause.text + clause.mark // characters are the phonemes of such voices
			continue
		}
		running.Go(func() error {
			ipa, err := runPhonemizer(ctx, program, c.ESpeak, clause.text+clause.mark)
			spoken[i] = ipa + clause.mark
			return err
		})
	}
	err := running.Wait()
	return strings.Join(spoken, " "), err
}

// runPhonemizer returns the IPA of a clause. The text is passed by standard input, so that it cannot be an option.
func runPhonemizer(ctx context.Context, program, espeak, clause string) (string, error) {
	if program == "" {
		return "", errNoPhonemizer
	}
	ctx, cancel := context.WithTimeout(ctx, phonemeDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-q", "-v", espeak, "--ipa", "-b", "1", "--stdin")
	cmd.WaitDelay = time.Second
	cmd.Stdin = strings.NewReader(clause)
	cmd.Env = withoutSecrets(os.Environ())
	out := &limitedBuffer{left: phonemeLimit}
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("espeak-ng's phonemes: %w", err)
	}
	ipa := strings.ReplaceAll(out.String(), "\u200d", "") // joins letters of one phoneme in some versions
	return strings.Join(strings.Fields(languageSwitch.ReplaceAllString(ipa, "")), " "), nil
}
