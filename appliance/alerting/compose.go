package alerting

import (
	"strings"

	"munadi/store/account"
	"munadi/store/alert"
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
		w, said := locale.AlertMailIn(lang), locale.DescribeAlert(lang, string(a.Kind), a.Subject, a.Facts)
		title := said.Title
		if event == alert.Cleared {
			title = locale.FillSentence(w.Over, "title", said.Title)
		}
		lines := []string{title, locale.FillSentence(w.Since, "time", a.RaisedAt.UTC().Format(mailTime))}
		if a.ClearedAt != nil && event == alert.Cleared {
			lines = append(lines, locale.FillSentence(w.Until, "time", a.ClearedAt.UTC().Format(mailTime)))
		} else {
			lines = append(lines, said.What, said.Do)
		}
		if a.Appliance != "" {
			lines = append(lines, locale.FillSentence(w.Appliance, "name", a.Appliance))
		}
		if orgID != account.Default && !a.Installation {
			lines = append(lines, locale.FillSentence(w.Organization, "name", orgID))
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
		w := locale.AlertMailIn(lang)
		parts = append(parts, locale.FillSentence(w.TestText, "host", host))
		subjects = append(subjects, w.TestTitle)
	}
	return clipSubject("Munadi: " + strings.Join(subjects, " · ")), strings.Join(parts, "\n\n") + "\n"
}

// clipSubject makes text one line of at most maxSubject characters.
func clipSubject(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	return string(line[:min(len(line), maxSubject)])
}
