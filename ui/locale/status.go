package locale

// StatusWord returns the word for the status of a call or delivery, and for the status groups of charts; the
// status itself without one.
func StatusWord(l Language, status string) string {
	for _, table := range []WordTable{CallStatuses, otherStatuses} {
		if word, ok := table.findWord(l, status); ok {
			return word
		}
	}
	return status
}

// otherStatuses are those of deliveries, and the groups of charts.
var otherStatuses = WordTable{
	{"pending", "قيد الإرسال", "Pending"},
	{"delivered", "وصل", "Delivered"},
	{"none", "لا شيء", "None"},
	{"unanswered", "لم تتمّ", "Not reached"},
	{"talking", "جارية", "Running"},
}
