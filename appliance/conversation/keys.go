package conversation

import (
	"context"
	"slices"
	"strconv"

	"munadi/engine/arabic"
	"munadi/store/scenario"
)

// maxKeyed is the largest number of options whose keys are offered; longer lists are hard to remember.
const maxKeyed = 4

// offerKeys adds the keys that answer it (DTMF) to a question that was misunderstood, if it is a yes_no or a short
// choice and the whole offer can be spoken.
func (a *askStep) offerKeys(ctx context.Context, lines scenario.SpokenLines) (scenario.SpokenLines, error) {
	var offer scenario.SpokenLines
	switch a.step.Slot.Type {
	case scenario.YesNo:
		offer = a.commonLines(pressYesNo)
	case scenario.Choice:
		offer = choiceKeys(*a.step.Slot)
	}
	offer, err := a.speakableLines(ctx, offer)
	return append(slices.Clone(lines), offer...), err
}

// speakableLines returns lines, or none if one of them can't be spoken.
func (a *askStep) speakableLines(ctx context.Context, lines scenario.SpokenLines) (scenario.SpokenLines, error) {
	for _, line := range lines {
		if _, err := a.synthesizeText(ctx, line.Text); err != nil {
			return nil, ignoreError(err, errVoice)
		}
	}
	return lines, nil
}

// choiceNames names what can be chosen, each as a line of its own, since a recording is of one name: "صغير", "وسط".
func choiceNames(s scenario.AnswerSlot) (names scenario.SpokenLines) {
	for _, o := range s.Choices {
		if len(o.Phrases) > 0 {
			names = append(names, scenario.SpokenLine{Text: o.Phrases[0]})
		}
	}
	return names
}

// choiceKeys names the key of each option: "صغير اضغط واحد".
func choiceKeys(s scenario.AnswerSlot) scenario.SpokenLines {
	if len(s.Choices) > maxKeyed {
		return nil
	}
	keyed := slices.ContainsFunc(s.Choices, func(o scenario.ChoiceOption) bool { return o.Key != "" })
	var lines scenario.SpokenLines
	for i, o := range s.Choices {
		key := i + 1
		if keyed {
			n, err := strconv.Atoi(o.Key)
			if err != nil {
				continue // the option has no key, or its key is no digit
			}
			key = n
		}
		if len(o.Phrases) > 0 {
			lines = append(lines, scenario.SpokenLine{Text: o.Phrases[0] + " اضغط " + arabic.SpellNumber(key)})
		}
	}
	return lines
}
