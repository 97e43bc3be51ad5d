package console_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/console"
	"munadi/store/account"
	"munadi/store/restaurant"
)

func newPhraseBench(t *testing.T) *consoleBench {
	t.Helper()
	return newBench(t, func(d *console.Dependencies) {
		d.Phrases.BuiltInPhrases = func() restaurant.PhraseSet {
			return restaurant.PhraseSet{Bias: []string{"برجر", "شاورما دجاج"}, Enter: []string{"وضع المطعم"}, Exit: []string{"إنهاء وضع المطعم"}}
		}
	})
}

// TestPhrases checks own lists beside built-in ones, an empty own list, and the reset.
func TestPhrases(t *testing.T) {
	t.Parallel()
	b := newPhraseBench(t)
	form := b.getPage(account.Operator, "/phrases").wantStatus(200).wantTexts("The built-in list: 2 phrases").wantNoTexts("Back to built-in").formValues("/console/phrases")
	if form.Get("bias") != "برجر\nشاورما دجاج" || form.Get("bias.use") != "builtin" {
		t.Errorf("the form begins with %q", form)
	}
	form.Set("bias.use", "own")
	form.Set("bias", "كبسة\r\n\r\n  رز   بخاري \r\nكبسة\r\n")
	form.Set("enter.use", "own")
	form.Set("enter", "")
	b.postForm(account.Operator, "/phrases", form).wantRedirect("/console/phrases")
	got, err := b.store.FindPhrases(t.Context(), "acme")
	b.mustSucceed(err)
	want := &restaurant.PhraseSet{Bias: []string{"كبسة", "رز بخاري"}, Enter: []string{}, UpdatedAt: b.now}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got %s", diff)
	}
	b.getPage(account.Operator, "/phrases").wantTexts("كبسة\nرز بخاري", "Back to built-in")
	b.getPage(account.Operator, "/phrases/reset").wantStatus(200).wantTexts("Your three lists are deleted")
	b.postForm(account.Operator, "/phrases/reset", url.Values{}).wantRedirect("/console/phrases")
	if got, err := b.store.FindPhrases(t.Context(), "acme"); err != nil || got != nil {
		t.Errorf("%v %v", got, err)
	}
	trail, err := b.store.AuditTrail(t.Context(), "acme", 10, "")
	b.mustSucceed(err)
	if len(trail.Items) < 2 || trail.Items[0].Action != "phrases.reset" || trail.Items[1].Actor != "user:id-operator" {
		t.Errorf("the audit trail has %+v", trail.Items)
	}
}

func TestPhraseViolationsAreShown(t *testing.T) {
	t.Parallel()
	b := newPhraseBench(t)
	b.postForm(account.Operator, "/phrases", url.Values{
		"bias.use": {"own"}, "bias": {"برجر\n" + strings.Repeat("ب", 101)}, "enter.use": {"own"}, "enter": {"!!!"},
		"exit.use": {"own"}, "exit": {"انتهى\nوضع المطعم"},
	}).wantStatus(422).wantTexts("Nothing was saved", "line 2 has more than 100", "no word in line 1", "line 2 also begins the mode")
	if got, err := b.store.FindPhrases(t.Context(), "acme"); err != nil || got != nil {
		t.Errorf("saved %v %v", got, err)
	}
	b.getPage(account.Viewer, "/phrases").wantStatus(200).wantTexts("An operator or an owner").wantNoTexts("Save the phrases")
	b.postForm(account.Viewer, "/phrases", url.Values{}).wantStatus(403)
	b.postForm(account.Viewer, "/phrases/reset", url.Values{}).wantStatus(403)
}
