package grammar

import (
	_ "embed"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

//go:embed answers_ar.abnf
var answersText string

// Answers returns the rules for Arabic answers that ship with the engine. They are shared and must not be changed; see
// [RuleGrammar.WithPhrases].
var Answers = sync.OnceValue(func() *RuleGrammar {
	g, err := ParseABNF(answersText)
	if err != nil {
		panic("answers_ar.abnf: " + err.Error()) //nolint:forbidigo // embedded: a test reads it
	}
	return g
})

const builtinPrefix = "builtin:grammar/"

// IsGrammar reports whether a text is a grammar rather than a list of phrases: it begins with the ABNF header, or names
// a builtin one.
func IsGrammar(text string) bool {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	return strings.HasPrefix(text, "#ABNF") || strings.HasPrefix(text, builtinPrefix)
}

// ReadAnswer parses a grammar that [IsGrammar] recognizes, with its root set.
func ReadAnswer(text string) (*RuleGrammar, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if name, ok := strings.CutPrefix(text, builtinPrefix); ok {
		return builtinGrammar(name)
	}
	g, err := ParseABNF(text)
	if err != nil {
		return nil, err
	}
	_, err = g.CompileRule("")
	return g, err
}

// builtinRules maps names of VoiceXML 2.0 to rules.
var builtinRules = map[string]string{
	"boolean": "boolean", "digits": "digits", "number": "number", "date": "date", "time": "time",
}

// builtinGrammar returns one of the builtin grammars by its name with its parameters: "boolean", "digits?length=4".
func builtinGrammar(name string) (*RuleGrammar, error) {
	name, query, _ := strings.Cut(name, "?")
	rule, ok := builtinRules[name]
	if !ok {
		return nil, fmt.Errorf("%w: unknown %s%s; known are boolean, digits, number, date and time",
			ErrGrammar, builtinPrefix, name)
	}
	g := Answers().RootedAt(rule)
	values, err := url.ParseQuery(strings.ReplaceAll(query, ";", "&"))
	if err != nil {
		return nil, fmt.Errorf("%w: %q: malformed parameters; want name=value, separated by ;", ErrGrammar, query)
	}
	for key := range values {
		if name != "digits" || key != "length" && key != "minlength" && key != "maxlength" {
			return nil, fmt.Errorf("%w: %s has no parameter %q; digits has length, minlength and maxlength",
				ErrGrammar, name, key)
		}
	}
	if name != "digits" || len(values) == 0 {
		return g, nil
	}
	return digitsGrammar(values)
}

// MaxDigits is the most digits that [DigitGrammar] takes.
const MaxDigits = maxRepeat

// DigitGrammar returns the grammar of strings of least to most digits.
func DigitGrammar(least, most int) *RuleGrammar {
	g := Answers().withRule("digit_string", expansionNode{
		kind: repeatNode, children: []expansionNode{{kind: ruleNode, text: "digit"}}, least: least, most: most,
	})
	return g.RootedAt("digits")
}

func digitsGrammar(values url.Values) (*RuleGrammar, error) {
	limits := map[string]int{"minlength": 1, "maxlength": maxRepeat}
	for key := range values {
		n, err := strconv.Atoi(values.Get(key))
		if err != nil || n < 1 || n > maxRepeat {
			return nil, fmt.Errorf("%w: %s must be a number from 1 to %d", ErrGrammar, key, maxRepeat)
		}
		if key == "length" {
			return DigitGrammar(n, n), nil
		}
		limits[key] = n
	}
	if limits["minlength"] > limits["maxlength"] {
		return nil, fmt.Errorf("%w: minlength is more than maxlength", ErrGrammar)
	}
	return DigitGrammar(limits["minlength"], limits["maxlength"]), nil
}
