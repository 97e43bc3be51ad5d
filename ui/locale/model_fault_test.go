package locale_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"munadi/ui/locale"
)

// TestModelFaultsAreTranslated: what the installation of a model says of memory and disk has an Arabic sentence, by the
// messages in its source.
func TestModelFaultsAreTranslated(t *testing.T) {
	t.Parallel()
	const folder = "../../appliance/models/modeljob/"
	room, err := os.ReadFile(folder + "room.go")
	install, other := os.ReadFile(folder + "install.go")
	if err := errors.Join(err, other); err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`(?:Sprintf|errors\.New)\("([^"]+)"\s*\+\s*"([^"]+)"`)
	found := said.FindAllStringSubmatch(string(room)+string(install), -1)
	if len(found) < 3 {
		t.Fatalf("%d messages in the source", len(found))
	}
	for _, one := range found {
		message := strings.ReplaceAll(one[1]+one[2], "%d", "120")
		if got := locale.ModelFault(locale.Arabic, message); got == message || strings.Contains(got, "{") {
			t.Errorf("%q is told as %q", message, got)
		}
	}
	if got := locale.ModelFault(locale.Arabic, "something else"); got != "something else" {
		t.Errorf("an unknown message is told as %q", got)
	}
}
