package conversation

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"munadi/appliance/conversation/amd"
	"munadi/appliance/conversation/phrase"
	"munadi/store/scenario"
)

// PhraseBook holds the lines and phrases of all scenarios. It is safe for concurrent use.
type PhraseBook struct {
	common   map[commonText]string
	intents  map[callerIntent]phrase.PhraseList
	hints    map[string][]string // by slot type, and "always"
	promises phrase.PhraseList   // phrases that announce another call
	// unfinished are fillers and words that others follow: who ends with them is not at the end.
	unfinished phrase.PhraseList
	// backchannels are what people say while they listen, and mean no more than that they do.
	backchannels phrase.PhraseList
	waits        phrase.PhraseList // "one moment", also after a backchannel: "ok, one moment" is no yes
	machines     *amd.GreetingPhrases
}

// commonText is a text that belongs to no scenario.
type commonText string

const (
	recordingNotice commonText = "recording_notice"
	notUnderstood   commonText = "not_understood"
	yesOrNo         commonText = "yes_or_no"
	pressYesNo      commonText = "press_yes_no"
	oneMoment       commonText = "one_moment"
	transferring    commonText = "transfer"
	goodbyeText     commonText = "goodbye"
	callLater       commonText = "call_later"
	optOutDone      commonText = "opt_out_done"
	wrongNumberText commonText = "wrong_number"
	notHeard        commonText = "not_heard"
	isCorrect       commonText = "correct"
)

func commonTexts() []commonText {
	return []commonText{
		recordingNotice, notUnderstood, yesOrNo, pressYesNo, oneMoment, transferring, goodbyeText, callLater, optOutDone,
		wrongNumberText, notHeard, isCorrect,
	}
}

// ReadBook reads words/phrases_ar.json and words/machine_ar.json.
func ReadBook(files fs.FS) (*PhraseBook, error) {
	b, err := readPhrases(files)
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(files, "words/machine_ar.json")
	if err != nil {
		return nil, err
	}
	if b.machines, err = amd.ReadPhrases(data); err != nil {
		return nil, fmt.Errorf("words/machine_ar.json: %w", err)
	}
	return b, nil
}

// readPhrases reads words/phrases_ar.json, in which every common text and every intent must be present.
func readPhrases(files fs.FS) (*PhraseBook, error) {
	data, err := fs.ReadFile(files, "words/phrases_ar.json")
	if err != nil {
		return nil, err
	}
	var raw struct {
		Common       map[commonText]string
		Intents      map[callerIntent][]string
		Hints        map[string][]string
		Promises     []string
		Unfinished   []string
		Backchannels []string
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("words/phrases_ar.json: %w", err)
	}
	if len(raw.Promises) == 0 || len(raw.Unfinished) == 0 || len(raw.Backchannels) == 0 {
		return nil, errors.New("words/phrases_ar.json: promises, unfinished or backchannels is missing")
	}
	b := &PhraseBook{
		common: raw.Common, hints: raw.Hints, intents: map[callerIntent]phrase.PhraseList{},
		promises: phrase.NewList(raw.Promises), unfinished: phrase.NewList(raw.Unfinished),
		backchannels: phrase.NewList(raw.Backchannels),
	}
	for _, name := range commonTexts() {
		if b.common[name] == "" {
			return nil, fmt.Errorf("words/phrases_ar.json: common.%s is missing", name)
		}
	}
	for _, name := range allIntents() {
		if len(raw.Intents[name]) == 0 {
			return nil, fmt.Errorf("words/phrases_ar.json: intents.%s is missing", name)
		}
		b.intents[name] = phrase.NewList(raw.Intents[name])
	}
	b.waits = b.intents[wait].AppendPhrases(raw.Backchannels)
	return b, nil
}

// maxHints bounds how many phrases the recognizer is given at a time.
const maxHints = 100

// expectedPhrases returns the phrases that an answer or a side question probably contains, without a lone yes or no:
// biasing raises the recognizer's confidence, and for these words its doubt is more useful.
func (b *PhraseBook) expectedPhrases(s scenario.AnswerSlot, beside []scenario.SideQuestion) []string {
	phrases := append([]string(nil), s.Yes...)
	phrases = append(phrases, s.No...)
	for _, o := range s.Choices {
		phrases = append(phrases, o.Phrases...)
	}
	for _, q := range beside {
		phrases = append(phrases, q.Phrases...)
	}
	phrases = append(phrases, b.hints[string(s.Type)]...)
	phrases = append(phrases, b.hints["always"]...)
	return phrases[:min(len(phrases), maxHints)]
}

// CallTexts returns the texts that a call will have to speak, as far as they are known before it: the disclosure, the
// notice, and the scenario's lines with the call's variables, without the optional ones and those that wait for
// answers. The scheduler checks before the release that they can be spoken.
func CallTexts(b *PhraseBook, in ConversationInput) []string {
	var texts []string
	if in.Disclosure != "" {
		texts = append(texts, in.Disclosure)
	}
	if in.Announce {
		texts = append(texts, b.common[recordingNotice])
	}
	s := &conversationSession{
		ConversationInput: in,
		slots:             map[string]scenario.AnswerSlot{},
		variables:         in.Scenario.WithDefaults(in.Variables),
	}
	seen := map[string]bool{}
	for _, line := range in.Scenario.SpokenLines() {
		t, ok := s.renderText(line.Text)
		if ok && !line.Optional && !seen[t] {
			seen[t] = true
			texts = append(texts, t)
		}
	}
	return texts
}
