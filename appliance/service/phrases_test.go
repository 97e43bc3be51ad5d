package service_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/memory"
	"munadi/store/restaurant"
)

// TestReplacePhrases checks which lists are refused, where, and that nothing of a refused request is stored.
func TestReplacePhrases(t *testing.T) {
	t.Parallel()
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "acme", Name: "Acme", CreatedAt: now}, "test"); err != nil {
		t.Fatal(err)
	}
	cases := &service.UseCases{Store: s, Now: func() time.Time { return now }}
	who := service.Caller{OrgID: "acme", Actor: "user:amal"}
	builtIn := restaurant.PhraseSet{Bias: []string{"برجر"}, Enter: []string{"ابدأ"}, Exit: []string{"انتهى"}}
	many := make([]string, service.MaxPhrases+1)
	for i := range many {
		many[i] = fmt.Sprint("طبق ", i)
	}
	long := strings.Repeat("ب", service.MaxPhrase+1)
	for want, own := range map[string]restaurant.PhraseSet{
		"bias":    {Bias: many},
		"bias.1":  {Bias: []string{"كبسة", long, "!"}},
		"enter.0": {Enter: []string{"12"}},
		"exit.1":  {Exit: []string{"كفى", "ابدأ"}},
		"exit.0":  {Enter: []string{"انتهى"}},
	} {
		err := cases.ReplacePhrases(t.Context(), who, own, builtIn, nil)
		var broken *service.ViolationError
		if !errors.As(err, &broken) || len(broken.Violations) != 1 || broken.Violations[0].Field != want {
			t.Errorf("%s: %v", want, err)
		}
	}
	if kept, err := s.FindPhrases(t.Context(), "acme"); err != nil || kept != nil {
		t.Errorf("stored after refusals: %+v, %v", kept, err)
	}
	own := restaurant.PhraseSet{Bias: many[1:], Enter: []string{}}
	if err := cases.ReplacePhrases(t.Context(), who, own, builtIn, nil); err != nil {
		t.Fatal(err)
	}
	if kept, err := s.FindPhrases(t.Context(), "acme"); err != nil || kept == nil || !kept.UpdatedAt.Equal(now) || kept.Exit != nil {
		t.Errorf("stored: %+v, %v", kept, err)
	}
	if err := cases.ReplacePhrases(t.Context(), who, restaurant.PhraseSet{}, builtIn, nil); err != nil {
		t.Fatal(err)
	}
	if kept, err := s.FindPhrases(t.Context(), "acme"); err != nil || kept != nil {
		t.Errorf("stored after a reset: %+v, %v", kept, err)
	}
}
