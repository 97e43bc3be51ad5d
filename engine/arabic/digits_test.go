package arabic_test

import (
	"os"
	"strings"
	"testing"

	"munadi/engine/arabic"
)

func TestDigits(t *testing.T) {
	t.Parallel()
	phrases := readTable(t, "testdata/digits.tsv")
	if len(phrases) < 150 {
		t.Fatalf("only %d phrases", len(phrases))
	}
	for spoken, want := range phrases {
		if got := readDigits(spoken); got != want {
			t.Errorf("Digits(%s) = %s, want %s", spoken, got, want)
		}
	}
}

func TestDigitsSaysWhichWordsBecameEachPiece(t *testing.T) {
	t.Parallel()
	got := arabic.NumbersToDigits(strings.Fields("أريد خمسة و عشرين ونص وثلاثة"))
	want := []arabic.OutputPiece{{"أريد", 0, 0}, {"25.5", 1, 4}, {"و3", 5, 5}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("piece %d = %v, want %v", i, got[i], want[i])
		}
	}
}

func TestDigitsOfNothing(t *testing.T) {
	t.Parallel()
	if got := arabic.NumbersToDigits(nil); len(got) != 0 {
		t.Errorf("Digits(nil) = %v", got)
	}
}

func FuzzDigits(f *testing.F) {
	for _, s := range []string{"خمسة وعشرين ونص", "و و", "ثلاث مئة ألف", "الساعة خمسة", "مية و", "إحدى", "، .", "ألف مليون آلاف"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := strings.Fields(s)
		next := 0
		for _, p := range arabic.NumbersToDigits(words) {
			if p.First != next || p.Last < p.First || p.Last >= len(words) {
				t.Fatalf("piece %v does not go on from word %d of %q", p, next, words)
			}
			if p.Text != words[p.First] && !strings.ContainsAny(p.Text, "0123456789") {
				t.Fatalf("piece %v of %q is neither its word nor a number", p, words)
			}
			next = p.Last + 1
		}
		if next != len(words) {
			t.Fatalf("pieces end at word %d of %q", next, words)
		}
	})
}

// readDigits returns a sentence with its numbers in digits.
func readDigits(spoken string) string {
	var out []string
	for _, p := range arabic.NumbersToDigits(strings.Fields(spoken)) {
		out = append(out, p.Text)
	}
	return strings.Join(out, " ")
}

// readTable reads lines of two columns; empty ones and those that begin with # are skipped.
func readTable(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		spoken, written, ok := strings.Cut(line, "\t")
		if _, twice := rows[spoken]; !ok || twice {
			t.Fatalf("%s: %q has no second column, or is there twice", name, line)
		}
		rows[spoken] = written
	}
	return rows
}
