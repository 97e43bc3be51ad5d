package slot

import (
	"strconv"
	"strings"

	"munadi/store/scenario"
)

// KeyState says whether the pressed keys (DTMF) answer a question.
type KeyState int

// The states.
const (
	NoKeys KeyState = iota // these keys are no answer
	More                   // further keys may come; '#' or a pause ends them
	Done
)

// AnswerByKeys returns the answer of the pressed keys. For yes_no 1 is yes and 2 is no; a choice is picked by
// the key of its option, or by its place where no option has a key; a number is keyed in, ended by its last digit,
// '#' or a pause (ended is true then). Other slots have no keys.
func AnswerByKeys(s scenario.AnswerSlot, pressed string, ended bool) (value any, state KeyState) {
	switch s.Type {
	case scenario.YesNo:
		switch pressed {
		case "1":
			return true, Done
		case "2":
			return false, Done
		}
	case scenario.Choice:
		if i := choiceByKey(s, pressed); i >= 0 {
			return s.Choices[i].Value, Done
		}
	case scenario.Number:
		return keyedNumber(s, pressed, ended)
	case scenario.Date, scenario.Time, scenario.Text:
		if !ended && !strings.HasSuffix(pressed, "#") {
			return nil, More // keys in a row are one answer that is not understood, not one each
		}
	}
	return nil, NoKeys
}

func choiceByKey(s scenario.AnswerSlot, key string) int {
	keyed := false
	for i, o := range s.Choices {
		keyed = keyed || o.Key != ""
		if o.Key != "" && o.Key == key {
			return i
		}
	}
	if n, err := strconv.Atoi(key); err == nil && !keyed && len(key) == 1 && n >= 1 && n <= len(s.Choices) {
		return n - 1
	}
	return -1
}

// maxDigits is the maximum number of digits of a keyed number.
const maxDigits = 15

func keyedNumber(s scenario.AnswerSlot, pressed string, ended bool) (any, KeyState) {
	digits, hash := strings.CutSuffix(pressed, "#")
	if digits == "" || len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" {
		return nil, NoKeys
	}
	if !ended && !hash && (s.Digits == 0 || len(digits) < s.Digits) {
		return nil, More
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !isInRange(s, n) || !hasDigits(s, digits) {
		return nil, NoKeys
	}
	return n, Done
}
