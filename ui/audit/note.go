package audit

import (
	"cmp"
	"regexp"
	"strings"

	"munadi/store/account"
	"munadi/ui/accounts"
	"munadi/ui/keys"
	"munadi/ui/locale"
)

// auditNotes are translations of the audit trail's details by their form: {1} and {2} are placeholders of its numbers.
var auditNotes = []struct {
	form *regexp.Regexp
	text locale.Text
}{
	{regexp.MustCompile(`^on$`), locale.Text{"يعمل", "on"}},
	{regexp.MustCompile(`^off$`), locale.Text{"متوقف", "off"}},
	{regexp.MustCompile(`^kill switch on$`), locale.Text{"أُوقف الاتصال", "calling stopped"}},
	{regexp.MustCompile(`^kill switch off$`), locale.Text{"استُؤنف الاتصال", "calling resumed"}},
	{regexp.MustCompile(`^rules$`), locale.Text{"قواعد الاتصال", "dialling rules"}},
	{regexp.MustCompile(`^webhook$`), locale.Text{"الإشعارات", "webhook"}},
	{regexp.MustCompile(`^version ([0-9]+)$`), locale.Text{"الإصدار {1}", "version {1}"}},
	{regexp.MustCompile(`^([0-9]+) numbers$`), locale.Text{"الأرقام: {1}", "numbers: {1}"}},
	{regexp.MustCompile(`^([0-9]+) addresses$`), locale.Text{"العناوين: {1}", "addresses: {1}"}},
	{regexp.MustCompile(`^([0-9]+) routes$`), locale.Text{"الأرقام: {1}", "numbers: {1}"}},
	{regexp.MustCompile(`^SIP trunks$`), locale.Text{"خطوط SIP", "SIP trunks"}},
	{regexp.MustCompile(`^inbound$`), locale.Text{"المكالمات الواردة", "inbound calls"}},
	{regexp.MustCompile(`^alerts$`), locale.Text{"التنبيهات", "alerts"}},
	{regexp.MustCompile(`^([0-9]+) calls$`), locale.Text{"المكالمات: {1}", "calls: {1}"}},
	{regexp.MustCompile(`^([0-9]+) calls, ([0-9]+) rows skipped$`), locale.Text{"المكالمات: {1}، الأسطر المتروكة: {2}", "calls: {1}, rows skipped: {2}"}},
	{regexp.MustCompile(`^([0-9]+) calls emptied, ([0-9]+) cancelled$`), locale.Text{"مكالمات مُحيت: {1}، وأُلغيت: {2}", "calls emptied: {1}, cancelled: {2}"}},
}

// newKeyNote is the detail of a new API key: its name and scopes.
var newKeyNote = regexp.MustCompile(`^(.+): ([a-z:]+(?:,[a-z:]+)*)$`)

// scopeList names the scopes of a list; what is none stays as it is.
func scopeList(l locale.Language, list string) string {
	named := strings.Split(list, ",")
	for i, scope := range named {
		named[i] = cmp.Or(keys.ScopeName(l, scope), scope)
	}
	return strings.Join(named, locale.ListComma(l))
}

// AuditNote returns a detail or a subject of the audit trail in a language; one without a translation as it is.
func AuditNote(l locale.Language, note string) string {
	for _, n := range auditNotes {
		if values := n.form.FindStringSubmatch(note); values != nil {
			values = append(values, "", "")
			return locale.FillSentence(n.text.In(l), "1", values[1], "2", values[2])
		}
	}
	if key := newKeyNote.FindStringSubmatch(note); key != nil {
		return key[1] + ": " + scopeList(l, key[2])
	}
	return cmp.Or(accounts.RoleName(l, account.UserRole(note)), note)
}
