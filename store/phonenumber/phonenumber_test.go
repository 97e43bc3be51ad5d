package phonenumber_test

import (
	"testing"

	"github.com/nyaruka/phonenumbers"

	"munadi/store/phonenumber"
)

// TestCostlyInEveryRegion: the premium-rate number of every region's plan is costly, also with digits behind it, and
// an ordinary one is not.
func TestCostlyInEveryRegion(t *testing.T) {
	t.Parallel()
	premium := 0
	for _, region := range phonenumber.ListRegions() {
		for kind, want := range map[phonenumbers.PhoneNumberType]bool{
			phonenumbers.PREMIUM_RATE: true, phonenumbers.PERSONAL_NUMBER: true,
			phonenumbers.FIXED_LINE: false, phonenumbers.MOBILE: false, phonenumbers.SHARED_COST: false, phonenumbers.TOLL_FREE: false,
		} {
			example := phonenumbers.GetExampleNumberForType(region, kind)
			if example == nil {
				continue
			}
			number := phonenumbers.Format(example, phonenumbers.E164)
			if kind == phonenumbers.PREMIUM_RATE {
				premium++
			}
			if got := phonenumber.IsCostly(number); got != want {
				t.Errorf("%s %s of type %d: %t", region, number, kind, got)
			}
			if longer := number + "00"; want && len(longer) <= 16 && !phonenumber.IsAssigned(longer) && !phonenumber.IsCostly(longer) {
				t.Errorf("%s %s is not costly", region, longer)
			}
		}
	}
	if premium < 150 {
		t.Errorf("only %d regions have premium-rate numbers", premium)
	}
}

func TestNumberForms(t *testing.T) {
	t.Parallel()
	for number, want := range map[string][3]bool{ // E.164, assigned, costly
		"+966500000000": {true, true, false}, "+966920012345": {true, true, false}, "+441632960000": {true, false, false},
		"+966000000000": {true, false, false}, "966500000000": {false, false, false}, "+0500000000": {false, false, false}, "": {false, false, false},
		"+97912345678": {true, false, true}, "+881612345678": {true, true, true}, "+19005551234": {true, true, true},
		"+971900123": {true, false, true}, "+447012345678": {true, true, true},
	} {
		if got := [3]bool{phonenumber.IsE164(number), phonenumber.IsAssigned(number), phonenumber.IsCostly(number)}; got != want {
			t.Errorf("%q: %v, want %v", number, got, want)
		}
	}
}
