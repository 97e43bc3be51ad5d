package csvcell_test

import (
	"testing"

	"munadi/appliance/csvcell"
)

func TestGuard(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "سارة": "سارة", "=1+1": "'=1+1", "+966512345601": "'+966512345601", "-": "'-", "@SUM(A1)": "'@SUM(A1)",
		"\t=1": "'\t=1", "\r": "'\r", "a=1": "a=1", "\n=1": "'\n=1",
		"＝1+1": "'＝1+1", "＋1": "'＋1", "－1": "'－1", "＠A": "'＠A", "\xff=": "\xff=", "'": "'", "'quoted": "'quoted",
	} {
		if got := csvcell.GuardCell(text); got != want {
			t.Errorf("%q is kept as %q, not %q", text, got, want)
		}
		if got := csvcell.UnguardCell(want); got != text {
			t.Errorf("%q is read as %q, not %q", want, got, text)
		}
	}
}
