// Package train holds the recipe of the default model, in Python; this test runs the recipe's own, which need nothing
// but Python's standard library, or numpy and scipy where they are there.
package train_test

import (
	"os/exec"
	"testing"
)

func TestRecipe(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine")
	}
	out, err := exec.CommandContext(t.Context(), python, "-m", "unittest", "discover", "-q", "-s", "tests", "-t", ".").
		CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
