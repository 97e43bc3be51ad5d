package locale

// ColumnName returns the display name of a column of an exported CSV file; the column's key without one.
func ColumnName(l Language, key string) string {
	return wordFor(key, map[string]string{key: pickLanguage(l, columnsArabic(), columnsEnglish())[key]})
}

// ColumnNames returns the display names of columns.
func ColumnNames(l Language, keys ...string) []string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = ColumnName(l, key)
	}
	return names
}

// EndedByName returns the display name of the side that ended a call.
func EndedByName(l Language, who string) string {
	return wordFor(who, pickLanguage(l,
		map[string]string{"customer": "العميل", "platform": "المنصة", "operator": "موظف", "carrier": "شركة الاتصالات"},
		map[string]string{"customer": "customer", "platform": "platform", "operator": "staff", "carrier": "carrier"},
	))
}

func columnsArabic() map[string]string {
	return map[string]string{
		"id": "المعرّف", "call_id": "معرّف المكالمة", "phone_number": "الرقم", "scenario_id": "السيناريو", "status": "الحالة",
		"reason": "السبب", "failure_reason": "سبب الفشل", "created_at": "أُنشئ", "scheduled_at": "الموعد", "started_at": "بدأ",
		"ended_at": "انتهى", "ended_by": "من أنهاها", "total_duration": "المدة بالثواني", "attempt_number": "المحاولة",
		"max_attempts": "أقصى عدد للمحاولات", "retry_chain_id": "معرّف أول محاولة", "report": "التقرير JSON", "until": "حتى",
		"source": "المصدر", "at": "الوقت", "actor": "معرّف الفاعل", "who": "من", "action": "ماذا", "subject": "على", "detail": "تفصيل",
		"device": "الميكروفون", "seconds": "الثواني", "text": "النص", "kind": "النوع", "state": "الحالة", "tries": "المحاولات",
		"last_try_at": "آخر محاولة", "last_status_code": "آخر رمز HTTP", "last_error": "آخر خطأ",
	}
}

func columnsEnglish() map[string]string {
	return map[string]string{
		"id": "Id", "call_id": "Call id", "phone_number": "Number", "scenario_id": "Scenario", "status": "Status",
		"reason": "Reason", "failure_reason": "Reason for failure", "created_at": "Created", "scheduled_at": "Scheduled",
		"started_at": "Started", "ended_at": "Ended", "ended_by": "Ended by", "total_duration": "Length in seconds",
		"attempt_number": "Attempt", "max_attempts": "Maximum attempts", "retry_chain_id": "Id of the first attempt",
		"report": "Report JSON", "until": "Until", "source": "Source", "at": "At", "actor": "Actor's id", "who": "Who",
		"action": "Action", "subject": "On", "detail": "Detail", "device": "Microphone", "seconds": "Seconds", "text": "Text",
		"kind": "Kind", "state": "State", "tries": "Attempts", "last_try_at": "Last attempt", "last_status_code": "Last HTTP status",
		"last_error": "Last error",
	}
}
