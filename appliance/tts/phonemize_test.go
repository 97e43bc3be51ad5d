package tts

import (
	"os/exec"
	"strings"
	"testing"

	"munadi/engine/voice"
)

// TestClauses checks where a text is split, and with which mark.
func TestClauses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"مرحبا":                 "مرحبا|",
		"مرحبا، كيف؟ تمام.":     "مرحبا|, كيف|?// تمام|.",
		"قال: نعم؛ ثم عاد… طيب": "قال|: نعم|; ثم عاد|// طيب|",
		"3.5 و 10:30":           "3.5 و 10:30|",
		"سطر\nسطر":              "سطر|// سطر|",
		"؟ ! …":                 "",
		"":                      "",
	} {
		var parts []string
		for _, sentence := range groupSentences(splitClauses(text)) {
			var clauses []string
			for _, c := range sentence {
				clauses = append(clauses, c.text+"|"+c.mark)
			}
			parts = append(parts, strings.Join(clauses, " "))
		}
		if got := strings.Join(parts, "// "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if parts := groupSentences(splitClauses(strings.Repeat("كلمة وكلمة، ", 100))); len(parts) < 4 {
		t.Errorf("a long sentence is spoken in %d parts", len(parts))
	}
}

// TestPhonemes checks the phonemes of espeak-ng against those that Piper's own phonemizer gives for the same text.
func TestPhonemes(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("espeak-ng")
	if err != nil {
		t.Skip("espeak-ng is not installed")
	}
	c := voice.Config{Phonemes: voice.ESpeakPhonemes, ESpeak: "ar"}
	for text, want := range map[string]string{
		"مَرْحَباً بِكُم":  "mˈarħabˌaː bikˌum",
		"مرحبا، كيف حالك؟": "mrħbˈaː, kˈajfa ħˈaːlik?",
		"قال: نعم;":        "qˈaːl: nˈaʕam;",
		"Smith الآن!":      "smˈɪθ alʔˈaːn!",
	} {
		got, err := phonemizeSentence(t.Context(), program, c, splitClauses(text))
		if err != nil || got != want {
			t.Errorf("%q: %s, want %s; %v", text, got, want, err)
		}
	}
}
