package arabic_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"munadi/engine/arabic"
)

// numberStem matches every number word, in any form, and some other words.
var numberStem = regexp.MustCompile(`واحد|أحد|احد|إحدى|اثن|اتن|ثلاث|تلات|أربع|اربع|خمس|ست|سبع|ثمان|تمان|تسع|عشر|مئ|مائ|مي[ةت]|ألف|الف|آلاف|مليون|ملايين|نصف|ربع|صفر|[0-9٠-٩]`)

// TestProseIsNotChanged: in prose nothing is written otherwise, or redacted, that holds no number word. MUNADI_SPEECH
// is the folder of transcripts (ammi: 1.6 hours of encyclopaedia prose, read); the changes are logged.
func TestProseIsNotChanged(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(os.Getenv("MUNADI_SPEECH"), "ammi/texts.tsv"))
	if err != nil {
		t.Skip("MUNADI_SPEECH is no folder of transcripts:", err)
	}
	changed, all := 0, 0
	for line := range strings.Lines(string(text)) {
		_, said, _ := strings.Cut(line, "\t")
		words := strings.Fields(said)
		all += len(words)
		for _, pieces := range [][]arabic.OutputPiece{
			arabic.WrittenForm{}.WriteWords(words), arabic.MaskWords(words, arabic.FindIdentifiers(words)),
		} {
			for _, p := range pieces {
				source := strings.Join(words[p.First:p.Last+1], " ")
				if p.Text == source {
					continue
				}
				changed++
				t.Logf("%s: %s", source, p.Text)
				if p.Last == p.First && p.Text == "EGP" { // the word of a currency after its number
					continue
				}
				if !numberStem.MatchString(source) {
					t.Errorf("%s became %s, in %q", source, p.Text, said)
				}
			}
		}
	}
	t.Logf("%d changes in %d words", changed, all)
}
