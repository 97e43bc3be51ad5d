package text

// Status is the word for where a call or a delivery stands; the machine's own word for one that has none here.
func Status(l Lang, status string) string {
	pair, ok := map[string][2]string{
		"scheduled":        {"مجدولة", "Scheduled"},
		"dialing":          {"يرنّ", "Ringing"},
		"in_progress":      {"جارية الآن", "Talking"},
		"completed":        {"تمّت", "Completed"},
		"no_answer":        {"لم يُجب", "No answer"},
		"user_rejected":    {"رفض المكالمة", "Rejected"},
		"user_unavailable": {"غير متاح", "Unavailable"},
		"automation":       {"ردّ آلي", "Machine"},
		"failed":           {"فشلت", "Failed"},
		"cancelled":        {"أُلغيت", "Cancelled"},
		"pending":          {"قيد الإرسال", "Pending"},
		"delivered":        {"وصل", "Delivered"},
		"none":             {"لا شيء", "None"},
		"unanswered":       {"لم تتمّ", "Not reached"},
		"talking":          {"جارية", "Running"},
	}[status]
	if !ok {
		return status
	}
	return pick(l, pair[0], pair[1])
}
