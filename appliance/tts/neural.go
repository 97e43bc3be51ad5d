package tts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"munadi/appliance/quota"
	"munadi/engine/arabic"
	"munadi/engine/audio"
	"munadi/engine/voice"
)

// neuralAtOnce is how many sentences neural voices synthesize at once; waiting organizations take turns.
const neuralAtOnce = 2

// neuralVoices speak texts with the installed neural voices.
type neuralVoices struct {
	shelf     *VoiceShelf
	preferred string // name of the setting speech-voice
	program   string // path of espeak-ng; empty: none
	known     packVoice
	cache     diskCache
	slots     *quota.Semaphore

	mu      sync.Mutex
	checked map[string]error      // results of checkText by voice and text
	gains   map[string]voiceGains // by voice
}

// maxChecked is how many results of checkText are kept.
const maxChecked = 5000

func newNeural(o ChainOptions, known packVoice) *neuralVoices {
	return &neuralVoices{
		shelf: o.Neural, preferred: o.NeuralVoice, known: known, cache: diskCache{dir: o.NeuralCache},
		slots: quota.NewSemaphore(neuralAtOnce, neuralAtOnce),
	}
}

// resolve returns the request with the neural voice that may speak it: the one that it names, which then speaks alone,
// else the installation's.
func (n *neuralVoices) resolve(r SpeechRequest) SpeechRequest {
	if n == nil || !r.allowsSource(Neural) {
		return r
	}
	name := r.Voice
	if name == "" {
		name = n.shelf.defaultName(n.preferred)
	}
	stamp := n.shelf.stampOf(name)
	if stamp == "" {
		return r
	}
	if r.Voice != "" {
		r.Voice, r.Source = "", Neural
	}
	r.neural, r.stamp = name, stamp
	return r
}

// UnspokenError names the characters and sounds of a text that a neural voice does not have.
type UnspokenError struct {
	Voice    string
	Phonemes []string // empty: the text gives no sound at all
}

func (e *UnspokenError) Error() string {
	if len(e.Phonemes) == 0 {
		return fmt.Sprintf("the neural voice %s makes no sound of it", e.Voice)
	}
	return fmt.Sprintf("the neural voice %s has no sound for %s", e.Voice, strings.Join(e.Phonemes, " "))
}

// Unwrap makes it an [ErrNoVoice].
func (e *UnspokenError) Unwrap() error { return ErrNoVoice }

// sentencesOf returns the sentences of a text as they are read aloud.
func (n *neuralVoices) sentencesOf(text string, c voice.Config) [][]spokenClause {
	if c.Language == "ar" {
		text = arabic.ReadAloud(text)
		if c.Phonemes == voice.ESpeakPhonemes {
			text = n.known.vocalizeText(text)
		}
	}
	return groupSentences(splitClauses(text))
}

// checkText returns why a voice cannot speak a text as it is written; nil if it can. Nothing is synthesized.
func (n *neuralVoices) checkText(ctx context.Context, r SpeechRequest) error {
	key := r.stamp + r.Text
	n.mu.Lock()
	err, known := n.checked[key]
	n.mu.Unlock()
	if known {
		return err
	}
	err = n.findLacking(ctx, r)
	if err != nil && !errors.Is(err, ErrNoVoice) {
		return err // a failure, not a property of the text
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.checked == nil || len(n.checked) == maxChecked {
		n.checked = map[string]error{}
	}
	n.checked[key] = err
	return err
}

func (n *neuralVoices) findLacking(ctx context.Context, r SpeechRequest) error {
	v, release, err := n.shelf.acquireVoice(r.neural)
	if err != nil {
		return err
	}
	defer release()
	lacking := &UnspokenError{Voice: r.neural, Phonemes: foreignLetters(r.Text, v.Language)}
	sounds := false
	for _, sentence := range n.sentencesOf(r.Text, v.Config) {
		phonemes, err := phonemizeSentence(ctx, n.program, v.Config, sentence)
		if err != nil {
			return err
		}
		ids, missing := v.EncodePhonemes(phonemes)
		sounds = sounds || ids != nil
		for _, one := range missing {
			if strings.ContainsFunc(one, unicode.IsLetter) && !slices.Contains(lacking.Phonemes, one) {
				lacking.Phonemes = append(lacking.Phonemes, one)
			}
		}
	}
	if !sounds || len(lacking.Phonemes) > 0 {
		return lacking
	}
	return nil
}

// foreignLetters returns the letters of a text that espeak-ng reads by the name of their script in an Arabic voice
// ("Chinese letter"), each once.
func foreignLetters(text, language string) (letters []string) {
	for _, r := range text {
		foreign := unicode.IsLetter(r) && !unicode.Is(unicode.Arabic, r) && !unicode.Is(unicode.Latin, r)
		if language == "ar" && foreign && !slices.Contains(letters, string(r)) {
			letters = append(letters, string(r))
		}
	}
	return letters
}

func (n *neuralVoices) synthesizeSpeech(ctx context.Context, r SpeechRequest) (SpokenSound, error) {
	if r.neural == "" {
		return SpokenSound{}, ErrNoVoice
	}
	key := cacheKey("neural", r.neural, r.stamp, r.Text)
	if sound, found := n.cache.loadSound(key); found {
		return sound, nil
	}
	if err := n.slots.AcquireSlot(ctx, r.OrgID); err != nil {
		return SpokenSound{}, err
	}
	defer n.slots.ReleaseSlot(r.OrgID)
	v, release, err := n.shelf.acquireVoice(r.neural)
	if err != nil {
		return SpokenSound{}, err
	}
	defer release()
	sound, err := n.speakSentences(ctx, v, r)
	if err != nil {
		return SpokenSound{}, fmt.Errorf("neural voice %s: %w", r.neural, err)
	}
	if !r.Transient {
		_ = n.cache.storeSound(key, sound) // it is synthesized again later
	}
	return sound, nil
}

// speakSentences synthesizes a text sentence by sentence, with pauses between them, and passes the parts of its sound
// on to the request's stream.
func (n *neuralVoices) speakSentences(ctx context.Context, v *voice.NeuralVoice, r SpeechRequest) (SpokenSound, error) {
	var samples []float32
	sentences := n.sentencesOf(r.Text, v.Config)
	out := n.openParts(r, v.SampleRate)
	for i, sentence := range sentences {
		phonemes, err := phonemizeSentence(ctx, n.program, v.Config, sentence)
		if err != nil {
			return SpokenSound{}, out.fail(err)
		}
		ids, _ := v.EncodePhonemes(phonemes)
		if ids == nil {
			continue
		}
		if len(samples) > 0 {
			samples = append(samples, make([]float32, v.SampleRate*betweenSentences/Rate)...)
		}
		said := len(samples)
		err = v.SynthesizeParts(ctx, ids, func(part []float32, total int) error {
			if samples = append(samples, part...); len(samples) > v.SampleRate*int(longest.Seconds()) {
				return fmt.Errorf("%w: its speech is longer than %s", ErrNoVoice, longest)
			}
			out.pass(samples, (said+total)*len(sentences)/(i+1))
			return nil
		})
		if err != nil {
			return SpokenSound{}, out.fail(err)
		}
	}
	if samples == nil {
		return SpokenSound{}, &UnspokenError{Voice: r.neural}
	}
	out.end()
	wide := audio.NewResampler(v.SampleRate, WideRate)
	return n.finishSpeech(r.stamp, wide.Flush(wide.Push(nil, samples)))
}
