package locale

// StatusWord returns the word for the status of a call or delivery, and for the status groups of charts; the
// status itself without one.
func StatusWord(l Language, status string) string {
	if word, ok := CallsIn(l).Statuses[status]; ok {
		return word
	}
	pair, ok := map[string][2]string{
		"pending":    {"قيد الإرسال", "Pending"},
		"delivered":  {"وصل", "Delivered"},
		"none":       {"لا شيء", "None"},
		"unanswered": {"لم تتمّ", "Not reached"},
		"talking":    {"جارية", "Running"},
	}[status]
	if !ok {
		return status
	}
	return pickLanguage(l, pair[0], pair[1])
}
