package locale

import (
	"cmp"
	"regexp"
)

// auditNotes are translations of the audit trail's details by their form: {1} and {2} are placeholders of its numbers.
var auditNotes = []struct {
	form            *regexp.Regexp
	arabic, english string
}{
	{regexp.MustCompile(`^on$`), "يعمل", "on"},
	{regexp.MustCompile(`^off$`), "متوقف", "off"},
	{regexp.MustCompile(`^kill switch on$`), "أُوقف الاتصال", "calling stopped"},
	{regexp.MustCompile(`^kill switch off$`), "استُؤنف الاتصال", "calling resumed"},
	{regexp.MustCompile(`^rules$`), "قواعد الاتصال", "dialling rules"},
	{regexp.MustCompile(`^webhook$`), "الإشعارات", "webhook"},
	{regexp.MustCompile(`^([0-9]+) numbers$`), "الأرقام: {1}", "{1} numbers"},
	{regexp.MustCompile(`^([0-9]+) addresses$`), "العناوين: {1}", "{1} addresses"},
	{regexp.MustCompile(`^alerts$`), "التنبيهات", "alerts"},
	{regexp.MustCompile(`^([0-9]+) calls$`), "المكالمات: {1}", "{1} calls"},
	{
		regexp.MustCompile(`^([0-9]+) calls, ([0-9]+) rows skipped$`), "المكالمات: {1}، الأسطر المتروكة: {2}",
		"{1} calls, {2} rows skipped",
	},
	{
		regexp.MustCompile(`^([0-9]+) calls emptied, ([0-9]+) cancelled$`), "مكالمات مُحيت: {1}، وأُلغيت: {2}",
		"{1} calls emptied, {2} cancelled",
	},
}

// AuditNote returns a detail or a subject of the audit trail in a language; one without a translation as it is.
func AuditNote(l Language, note string) string {
	for _, n := range auditNotes {
		if values := n.form.FindStringSubmatch(note); values != nil {
			values = append(values, "", "")
			return FillSentence(pickLanguage(l, n.arabic, n.english), "1", values[1], "2", values[2])
		}
	}
	return cmp.Or(UsersIn(l).RoleName(note), note)
}
