package locale

import (
	"regexp"
	"strings"
)

// machineMessage is an English message of the program in both languages of the console: {} is a placeholder for a
// value, {1} and {2} in the sentences for the first and the second.
type machineMessage struct{ message, arabic, english string }

// compiledMessage is a message with the expression that finds it.
type compiledMessage struct {
	form *regexp.Regexp
	machineMessage
}

func compileMessages(messages []machineMessage) (all []compiledMessage) {
	for _, m := range messages {
		form := strings.ReplaceAll(regexp.QuoteMeta(m.message), `\{\}`, "(.*?)")
		all = append(all, compiledMessage{regexp.MustCompile("(?s)^" + form + "$"), m})
	}
	return all
}

// translateMessage returns a message in a language, its values named by nameOf; one without a translation as it is.
func translateMessage(l Language, known []compiledMessage, message string, nameOf func(string) string) string {
	for _, m := range known {
		values := m.form.FindStringSubmatch(message)
		if values == nil {
			continue
		}
		sentence := pickLanguage(l, m.arabic, m.english)
		for i, value := range values[1:] {
			sentence = strings.ReplaceAll(sentence, "{"+string(rune('1'+i))+"}", "\u2068"+nameOf(value)+"\u2069")
		}
		return sentence
	}
	return message
}

func keepValue(value string) string { return value }
