package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"munadi/store/jsontext"
	"munadi/store/strictjson"
)

// maxMadeName is the length of a name that is made of a label, which leaves room for a number after it.
const maxMadeName = 40

// arabicLetters is a transliteration of Arabic letters and digits into the letters of names; marks are left out.
var arabicLetters = strings.NewReplacer(
	"ا", "a", "أ", "a", "إ", "i", "آ", "a", "ء", "", "ؤ", "w", "ئ", "y", "ب", "b", "ت", "t", "ة", "a", "ث", "th",
	"ج", "j", "ح", "h", "خ", "kh", "د", "d", "ذ", "dh", "ر", "r", "ز", "z", "س", "s", "ش", "sh", "ص", "s", "ض", "d",
	"ط", "t", "ظ", "z",
	"ع", "a", "غ", "gh", "ف", "f", "ق", "q", "ك", "k", "ل", "l", "م", "m", "ن", "n", "ه", "h", "و", "w", "ي", "y",
	"ى", "a",
	"٠", "0", "١", "1", "٢", "2", "٣", "3", "٤", "4", "٥", "5", "٦", "6", "٧", "7", "٨", "8", "٩", "9",
)

// NameFromText makes a name for a step, slot, variable or scenario of what people call it: small Latin letters, digits
// and _, from 1 to 40 of them, Arabic in Latin letters. A text without letters and digits has the name otherwise.
func NameFromText(text, otherwise string) string {
	var words []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		word = strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}, arabicLetters.Replace(strings.ToLower(word)))
		if word != "" {
			words = append(words, word)
		}
	}
	name := strings.Join(words, "_")
	if name != "" && name[0] <= '9' {
		name = otherwise + "_" + name
	}
	name = strings.TrimRight(name[:min(len(name), maxMadeName)], "_")
	if name == "" {
		return otherwise
	}
	return name
}

// NameFromLabel makes a name of a label, of its English text if there is one.
func NameFromLabel(l Label, otherwise string) string {
	if l.English != "" {
		return NameFromText(l.English, otherwise)
	}
	return NameFromText(l.Arabic, otherwise)
}

var numberedName = regexp.MustCompile(`^(.+)_[0-9]+$`)

// IsNumbered reports whether a name is another one, or that with a number after it.
func IsNumbered(name, base string) bool {
	if name == base {
		return true
	}
	parts := numberedName.FindStringSubmatch(name)
	return parts != nil && parts[1] == base
}

// UnusedName returns name, or name with the first number from 2 after it, that is not taken.
func UnusedName(name string, taken func(string) bool) string {
	base := name[:min(len(name), 58)]
	for n := 2; taken(name); n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	return name
}

// UnusedStepID returns an id that no step has, derived from id.
func (s Scenario) UnusedStepID(id string) string {
	return UnusedName(id, func(id string) bool { return s.FindStep(id) < len(s.Steps) })
}

// UnusedValueName returns a name that no slot and no variable has, derived from name.
func (s Scenario) UnusedValueName(name string) string {
	taken := s.ValueNames()
	return UnusedName(name, func(name string) bool { return taken[name] })
}

// ValueNames returns the names of the slots and variables.
func (s Scenario) ValueNames() map[string]bool {
	names := map[string]bool{}
	for _, slot := range s.AllSlots() {
		names[slot.Name] = true
	}
	for _, v := range s.Variables {
		names[v.Name] = true
	}
	return names
}

// Label is the localized display name of a variable, slot, choice or step. In JSON a bare text is used for both
// languages; an object has ar, en or both. Keys, not labels, are in reports, webhooks and the API.
type Label struct {
	Arabic  string `json:"ar,omitempty"`
	English string `json:"en,omitempty"`
}

// Languages of a label.
const (
	labelArabic  = "ar"
	labelEnglish = "en"
)

var errLabel = errors.New("must be a text, or an object with a text for ar, en or both")

// TextIn returns the label in a language, "ar" or "en"; empty without one.
func (l Label) TextIn(language string) string {
	switch language {
	case labelArabic:
		return l.Arabic
	case labelEnglish:
		return l.English
	}
	return ""
}

// AnyText returns the label in any language, Arabic first; empty without one.
func (l Label) AnyText() string {
	if l.Arabic != "" {
		return l.Arabic
	}
	return l.English
}

// UnmarshalJSON decodes a bare text or an object.
func (l *Label) UnmarshalJSON(data []byte) error {
	switch data = bytes.TrimSpace(data); {
	case bytes.Equal(data, []byte("null")):
		*l = Label{}
		return nil
	case len(data) > 0 && data[0] == '"':
		var text string
		err := json.Unmarshal(data, &text)
		*l = Label{Arabic: text, English: text}
		return err
	case len(data) == 0 || data[0] != '{':
		return errLabel
	}
	type plain Label
	return json.Unmarshal(data, (*plain)(l))
}

// MarshalJSON writes a bare text if both languages have the same.
func (l Label) MarshalJSON() ([]byte, error) {
	if l.Arabic == l.English {
		return jsontext.MarshalUnescaped(l.Arabic)
	}
	type plain Label
	return jsontext.MarshalUnescaped(plain(l))
}

// BindForm assigns either form of a label.
func (l *Label) BindForm(b *strictjson.ValueBinder, path string, from any) {
	switch v := from.(type) {
	case string:
		*l = Label{Arabic: v, English: v}
	case map[string]any:
		b.BindStruct(path, v, l)
	default:
		b.AddViolation(path, "%v", errLabel)
	}
}

// checkLabel requires a label of one line; it may be absent.
func (c *scenarioChecker) checkLabel(field string, l Label) {
	for _, text := range []string{l.Arabic, l.English} {
		if text != "" && strings.TrimSpace(text) == "" || strings.ContainsFunc(text, unicode.IsControl) {
			c.addFailure(field, "must be one line of text")
		}
		c.checkLength(field, text, maxName)
		if l.Arabic == l.English {
			return // the same finding twice
		}
	}
}

// checkChoiceLabels requires labels for choices that exist.
func (c *scenarioChecker) checkChoiceLabels(path string, v ScenarioVariable) {
	for _, choice := range slices.Sorted(maps.Keys(v.ChoiceLabels)) {
		if !slices.Contains(v.Choices, choice) {
			c.addFailure(path, "has a label for %q, which is not one of choices", choice)
			continue
		}
		c.checkLabel(strictjson.JoinPath(path, choice), v.ChoiceLabels[choice])
	}
}
