package locale

// ColumnName returns the display name of a column of an exported CSV file; the column's key without one.
func ColumnName(l Language, key string) string { return columns.NameOf(l, key) }

// ColumnNames returns the display names of columns.
func ColumnNames(l Language, keys ...string) []string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = ColumnName(l, key)
	}
	return names
}

// EndedByName returns the display name of the side that ended a call.
func EndedByName(l Language, who string) string { return callEnders.NameOf(l, who) }

var callEnders = WordTable{
	{"customer", "العميل", "customer"},
	{"platform", "المنصة", "platform"},
	{"operator", "موظف", "staff"},
	{"carrier", "شركة الاتصالات", "carrier"},
}

var columns = WordTable{
	{"id", "المعرّف", "Id"},
	{"call_id", "معرّف المكالمة", "Call id"},
	{"person_name", "الشخص", "Person"},
	{"phone_number", "الرقم", "Number"},
	{"scenario_id", "السيناريو", "Scenario"},
	{"status", "الحالة", "Status"},
	{"reason", "السبب", "Reason"},
	{"failure_reason", "سبب الفشل", "Reason for failure"},
	{"created_at", "أُنشئ", "Created"},
	{"scheduled_at", "الموعد", "Scheduled"},
	{"started_at", "بدأ", "Started"},
	{"ended_at", "انتهى", "Ended"},
	{"ended_by", "من أنهاها", "Ended by"},
	{"direction", "الاتجاه", "Direction"},
	{"total_duration", "المدة بالثواني", "Length in seconds"},
	{"attempt_number", "المحاولة", "Attempt"},
	{"max_attempts", "أقصى عدد للمحاولات", "Maximum attempts"},
	{"retry_chain_id", "معرّف أول محاولة", "Id of the first attempt"},
	{"report", "التقرير JSON", "Report JSON"},
	{"until", "حتى", "Until"},
	{"source", "المصدر", "Source"},
	{"at", "الوقت", "At"},
	{"actor", "معرّف الفاعل", "Actor's id"},
	{"who", "من", "Who"},
	{"action", "ماذا", "Action"},
	{"subject", "على", "On"},
	{"detail", "تفصيل", "Detail"},
	{"device", "الميكروفون", "Microphone"},
	{"seconds", "الثواني", "Seconds"},
	{"text", "النص", "Text"},
	{"kind", "النوع", "Kind"},
	{"state", "الحالة", "State"},
	{"tries", "المحاولات", "Attempts"},
	{"last_try_at", "آخر محاولة", "Last attempt"},
	{"last_status_code", "آخر رمز HTTP", "Last HTTP status"},
	{"last_error", "آخر خطأ", "Last error"},
}
