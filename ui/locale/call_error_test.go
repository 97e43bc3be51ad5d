package locale_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"munadi/ui/locale"
)

// TestCallErrorsAreTranslated: every error that a conversation or the dialer adds to a call has an Arabic sentence.
func TestCallErrorsAreTranslated(t *testing.T) {
	t.Parallel()
	verb := regexp.MustCompile(`%[a-z]`)
	messages := callErrorMessages(t)
	if len(messages) < 25 {
		t.Fatalf("%d messages", len(messages))
	}
	label := func(string) string { return "الموعد" }
	for _, message := range messages {
		example := verb.ReplaceAllString(message, "day")
		got := locale.CallErrorText(locale.Arabic, example, label)
		if !locale.IsCallError(example) || strings.Contains(got, "{1}") || strings.Contains(got, "day") {
			t.Errorf("%q is told as %q", example, got)
		}
	}
	named := func(key string) string { return map[string]string{"day": "اليوم", "hour": "الساعة"}[key] }
	left := locale.CallErrorText(locale.Arabic, "The report does not follow its schema; left out: [day hour]", named)
	if !strings.Contains(left, "اليوم، الساعة") {
		t.Errorf("a list of keys is told as %q", left)
	}
	const unknown = "An error of an older version."
	if got := locale.CallErrorText(locale.Arabic, unknown, label); got != unknown {
		t.Errorf("%q is told as %q", unknown, got)
	}
}

// callErrorMessages are the messages of the errors of calls, out of their source.
func callErrorMessages(t *testing.T) (all []string) {
	t.Helper()
	added := regexp.MustCompile(`(?:addError\(\s*"[a-z_]+",\s*|CallError\{\s*\{?Code: [^M]*Message: )"([^"]+)"`)
	for _, folder := range []string{"conversation", "dialer"} {
		files, err := filepath.Glob("../../appliance/" + folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range added.FindAllStringSubmatch(string(source), -1) {
				all = append(all, found[1])
			}
		}
	}
	return all
}

func TestTimelineNoteInArabic(t *testing.T) {
	t.Parallel()
	for note, want := range map[string]string{
		"refused with SIP status 503 Busy": "رُفضت برد SIP \u2068503 Busy\u2069",
		"the carrier did not take the call: the trunk refuses calls, and is tried with one call at a time": "لم تُطلب: خط SIP يرفض المكالمات، وتُجرَّب واحدة كل مرة",
		"the carrier did not take the call: no answer from the trunk in time":                              "لم تقبلها شركة الاتصالات: \u2068no answer from the trunk in time\u2069",
		"no answer in time":               "لا رد في الوقت المحدد",
		"of what ended before this time":  "ما انتهى قبل هذا الوقت",
		"a note that is not of a program": "a note that is not of a program",
	} {
		if got := locale.TimelineNote(locale.Arabic, note); got != want {
			t.Errorf("%q is told as %q, want %q", note, got, want)
		}
	}
}
