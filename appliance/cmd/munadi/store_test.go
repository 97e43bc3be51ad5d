package main

import (
	"strings"
	"testing"

	"munadi/store/dump"
)

// TestPrintCounts checks that number and kind are separated, and numbers right-aligned.
func TestPrintCounts(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := printCounts(&out, dump.RecordCounts{"org": 1, "call": 1200}); err != nil {
		t.Fatal(err)
	}
	if want := "  1200  call\n     1  org\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}
