package locale

import "slices"

// IsCallError reports whether a call's error has a translation.
func IsCallError(message string) bool { return isTranslated(compileCallErrors(), message) }

// IsScenarioFault reports whether a scenario's fault has a translation.
func IsScenarioFault(message string) bool { return isTranslated(compileScenarioFaults(), message) }

func isTranslated(known []compiledMessage, message string) bool {
	return slices.ContainsFunc(known, func(m compiledMessage) bool { return m.form.MatchString(message) })
}

// CountedCalls returns "no calls", "one call", "2 calls".
func CountedCalls(l Language) CountedText {
	return pickLanguage(l, ArabicCalls("", ""), EnglishCount("one call", "{n} calls"))
}
