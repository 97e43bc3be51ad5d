package system

import (
	"strings"
	"testing"
	"unicode"

	"munadi/appliance/models/modeljob"
	"munadi/appliance/models/modelshare"
	"munadi/ui/locale"
	"munadi/ui/models"
)

// TestSharedProblems checks that each fault of shared models has a sentence in both languages with the model's name and
// without empty blanks, and the program's message beside it.
func TestSharedProblems(t *testing.T) {
	t.Parallel()
	for _, l := range []locale.Language{locale.Arabic, locale.English} {
		for _, kind := range modelshare.ListKinds() {
			p := modelshare.ShareProblem{Kind: kind, Model: "large", Need: 3 << 30, Free: 1 << 30, Detail: "open x: denied"}
			got := sharedProblemView(p, l)
			if got.Text == "" || strings.Contains(got.Text, "{}") || got.Detail != p.Detail {
				t.Errorf("%s in %s: %+v", kind, l, got)
			}
			if named := strings.Contains(p.String(), "large"); named && !strings.Contains(got.Text, "large") {
				t.Errorf("%s in %s does not name the model: %s", kind, l, got.Text)
			}
		}
	}
}

// TestInstallFaults checks that each kind of installation fault has a sentence in each language's script, and the
// program's message beside it. A record of an older version, without a kind, is explained by its message.
func TestInstallFaults(t *testing.T) {
	t.Parallel()
	for _, kind := range modeljob.ListFaultKinds() {
		arabic, detail := describeInstallFault(kind, "the hub answers 418", locale.Arabic)
		english, _ := describeInstallFault(kind, "the hub answers 418", locale.English)
		inArabic := func(c rune) bool { return unicode.Is(unicode.Arabic, c) }
		if !strings.ContainsFunc(arabic, inArabic) || english == "" || strings.ContainsFunc(english, inArabic) {
			t.Errorf("%s: %q, %q", kind, arabic, english)
		}
		if detail != "the hub answers 418" {
			t.Errorf("%s: beside it %q", kind, detail)
		}
	}
	if n := len(models.InstallFaults); n != len(modeljob.ListFaultKinds()) {
		t.Errorf("%d sentences for %d kinds", n, len(modeljob.ListFaultKinds()))
	}
	if got, detail := describeInstallFault(
		"", "of an older version", locale.Arabic,
	); got != "of an older version" || detail != "" {
		t.Errorf("an old record: %q, %q", got, detail)
	}
	if got, _ := describeInstallFault("other", "", locale.Arabic); got != "" {
		t.Errorf("no fault: %q", got)
	}
}
