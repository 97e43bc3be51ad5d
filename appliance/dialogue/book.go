package dialogue

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"munadi/appliance/dialogue/amd"
	"munadi/appliance/dialogue/phrase"
	"munadi/store/scenario"
)

// Book is what a conversation knows to say and to hear in any scenario. It is safe for concurrent use.
type Book struct {
	common   map[common]string
	intents  map[intent]phrase.List
	hints    map[string][]string // by slot type, and "always"
	machines *amd.Phrases
}

// common is a text that belongs to no scenario.
type common string

const (
	recordingNotice common = "recording_notice"
	notUnderstood   common = "not_understood"
	yesOrNo         common = "yes_or_no"
	pressYesNo      common = "press_yes_no"
	oneMoment       common = "one_moment"
	transferring    common = "transfer"
	goodbyeText     common = "goodbye"
	callLater       common = "call_later"
	optOutDone      common = "opt_out_done"
	wrongNumberText common = "wrong_number"
	didYouSay       common = "did_you_say"
	isCorrect       common = "correct"
)

func commons() []common {
	return []common{
		recordingNotice, notUnderstood, yesOrNo, pressYesNo, oneMoment, transferring, goodbyeText, callLater, optOutDone,
		wrongNumberText, didYouSay, isCorrect,
	}
}

// ReadBook reads words/phrases_ar.json and words/machine_ar.json.
func ReadBook(files fs.FS) (*Book, error) {
	data, err := fs.ReadFile(files, "words/phrases_ar.json")
	if err != nil {
		return nil, err
	}
	var raw struct {
		Common  map[common]string
		Intents map[intent][]string
		Hints   map[string][]string
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("words/phrases_ar.json: %w", err)
	}
	b := &Book{common: raw.Common, hints: raw.Hints, intents: map[intent]phrase.List{}}
	for _, name := range commons() {
		if b.common[name] == "" {
			return nil, fmt.Errorf("words/phrases_ar.json: common.%s is missing", name)
		}
	}
	for _, name := range intents() {
		if len(raw.Intents[name]) == 0 {
			return nil, fmt.Errorf("words/phrases_ar.json: intents.%s is missing", name)
		}
		b.intents[name] = phrase.New(raw.Intents[name])
	}
	if data, err = fs.ReadFile(files, "words/machine_ar.json"); err != nil {
		return nil, err
	}
	if b.machines, err = amd.ReadPhrases(data); err != nil {
		return nil, fmt.Errorf("words/machine_ar.json: %w", err)
	}
	return b, nil
}

// maxHints bounds how many phrases the recognizer is given at a time.
const maxHints = 100

// expected are the phrases that an answer is likely to hold. A lone yes or no is not among them: what the recognizer
// was told to expect it is sure of, and here its doubt is worth more than its help.
func (b *Book) expected(s scenario.Slot) []string {
	phrases := append([]string(nil), s.Yes...)
	phrases = append(phrases, s.No...)
	for _, o := range s.Choices {
		phrases = append(phrases, o.Phrases...)
	}
	phrases = append(phrases, b.hints[string(s.Type)]...)
	phrases = append(phrases, b.hints["always"]...)
	return phrases[:min(len(phrases), maxHints)]
}

// Texts are the texts that a call will have to speak, as far as they are known before it: the disclosure, the notice,
// and the scenario's lines with the call's variables, without the optional ones and those that wait for answers.
// Whoever releases the call makes sure that they can be spoken.
func Texts(b *Book, in Input) []string {
	var texts []string
	if in.Disclosure != "" {
		texts = append(texts, in.Disclosure)
	}
	if in.Announce {
		texts = append(texts, b.common[recordingNotice])
	}
	s := &session{Input: in, slots: map[string]scenario.Slot{}, variables: in.Scenario.WithDefaults(in.Variables)}
	seen := map[string]bool{}
	for _, line := range in.Scenario.Spoken() {
		t, ok := s.words(line.Text)
		if ok && !line.Optional && !seen[t] {
			seen[t] = true
			texts = append(texts, t)
		}
	}
	return texts
}
