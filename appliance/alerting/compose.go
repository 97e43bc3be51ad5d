package alerting

import (
	"strings"

	"munadi/store/account"
	"munadi/store/alert"
	"munadi/ui/alerts"
	"munadi/ui/locale"
)

// mailTime is the format of times in e-mails: UTC, since the reader's time zone is unknown.
const mailTime = "2006-01-02 15:04 UTC"

// maxSubject is the longest subject, in characters.
const maxSubject = 120

// composeMail returns an e-mail's subject and text, in Arabic and then in English.
func composeMail(a alert.Alert, event alert.AlertEvent, orgID, publicURL string) (subject, text string) {
	var parts, subjects []string
	for _, lang := range locale.AllLanguages() {
		said := locale.DescribeAlert(lang, string(a.Kind), a.Subject, a.Facts)
		title := said.Title
		if event == alert.Cleared {
			title = locale.FillSentence(locale.AlertOver.In(lang), "title", said.Title)
		}
		lines := []string{title, locale.FillSentence(alerts.MailSince.In(lang), "time", a.RaisedAt.UTC().Format(mailTime))}
		if a.ClearedAt != nil && event == alert.Cleared {
			lines = append(lines, locale.FillSentence(alerts.MailUntil.In(lang), "time", a.ClearedAt.UTC().Format(mailTime)))
		} else {
			lines = append(lines, said.What, said.Do)
		}
		if a.Appliance != "" {
			lines = append(lines, locale.FillSentence(alerts.MailAppliance.In(lang), "name", a.Appliance))
		}
		if orgID != account.Default && !a.Installation {
			lines = append(lines, locale.FillSentence(alerts.MailOrganization.In(lang), "name", orgID))
		}
		parts, subjects = append(parts, strings.Join(lines, "\n")), append(subjects, title)
	}
	subject = clipSubject("Munadi: " + strings.Join(subjects, " · "))
	return subject, strings.Join(parts, "\n\n") + "\n\n" + publicURL + "/console/alerts\n"
}

// composeTest returns the subject and text of a trial.
func composeTest(host string) (subject, text string) {
	var parts, subjects []string
	for _, lang := range locale.AllLanguages() {
		parts = append(parts, locale.FillSentence(alerts.MailTestText.In(lang), "host", host))
		subjects = append(subjects, alerts.MailTestTitle.In(lang))
	}
	return clipSubject("Munadi: " + strings.Join(subjects, " · ")), strings.Join(parts, "\n\n") + "\n"
}

// clipSubject makes text one line of at most maxSubject characters.
func clipSubject(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	return string(line[:min(len(line), maxSubject)])
}
