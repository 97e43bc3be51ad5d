package storetest

import (
	"slices"
	"strings"
	"testing"

	"munadi/store"
	"munadi/store/storetest/fixture"
)

// DamageTest opens stores that are filled by [fixture.FillStore], in which single records can be made unreadable.
type DamageTest struct {
	Kinds        []string // of keys: all must be among Keys
	Keys         []string // of what the stores hold, KIND/…
	Installation fixture.Installation
	Open         func(t *testing.T) DamagedStore
}

// DamagedStore is a copy of the filled store.
type DamagedStore struct {
	store.Store
	Break func(t *testing.T, key string)
	Mend  func(t *testing.T, key string)
}

// notReaders are the methods of the contract that read or change one record, or add records.
var notReaders = []string{
	"AddAudit", "AddDelivery", "AddLiveSegment", "AddOneTime", "AddReplayResult", "AddSuppressions", "AmendCall", "AnswerCall", "BeginAudit", "BeginLive",
	"BeginTrial", "BookCall", "Bootstrap", "CancelCall", "ChangeAlerts", "ChangeBulk", "ChangeDestinations", "ChangeForwarding", "ChangeImportMemory", "ChangeInbound",
	"ChangeMailSetting", "ChangeReplays", "ChangeRules", "ChangeTrunks", "ChangeUser", "ChangePhrases", "ChangeWebhook", "ClaimInstallation",
	"Close", "ConfirmWebSession", "CreateCampaign", "CreateKey", "CreateOrganization", "CreateScenario", "CreateSession", "CreateUser", "DeleteLive", "DeleteReplay",
	"DeleteScenario", "DeleteUser", "DeliveryOf", "DialPerson", "EndLive", "EndSession", "EraseTrial", "EnqueueJob", "FailJob", "FindAlerts", "FindBulk",
	"FindCall", "FindCalls", "FindCampaign", "FindDelivery", "FindDestinations", "FindEvent", "FindFollowed", "FindForwarding", "FindImportMemory", "FindInbound", "FindInstallation", "FindJob",
	"FindKeptRules", "FindKey", "FindLastDial", "FindMailSetting", "FindOrganization", "FindPhrases", "FindReceipt", "FindReplays", "FindRoute",
	"FindRules", "FindScenario", "FindScenarioVersion", "FindSuppression", "FindTrace", "FindTrunks", "FindUser", "FindWebhook", "FinishCall",
	"FinishJob",
	"HangupCall", "KeepRecordingSum", "KeyByHash", "NameOlderCalls", "PutScenario", "ReceiveCall", "RecordCallback", "RecordEventTry", "RecordTry",
	"RedeliverEvent", "RedeliverWebhook", "ReleaseCall", "RemoveJob", "RemoveSuppression", "ReplaceScenario", "ReportJob", "RenewMarks", "RequireSecondFactor", "RescheduleCall", "RetryCampaign",
	"ReturnCall", "ReturnJob", "RevokeKey", "SessionByHash", "SetSession", "StopCall", "TakeOneTime", "TouchKey", "TouchSession",
	"TouchWebSession", "UseAuditKey", "UserByName", "VerifyAudit", "VerifyOrganizations", "WatchKind",
}

// wholeQueue are the records without which a whole queue stands still.
var wholeQueue = []string{"campaign × DueCampaignCalls"}

// RunDamage checks that with one unreadable record of any kind every method that lists, counts, exports, claims or
// sweeps records goes on with the others, and that the damage report of its context says that something is missing.
func RunDamage(t *testing.T, d DamageTest) {
	t.Helper()
	samples := sampleKeys(d)
	for _, kind := range d.Kinds {
		if len(samples[kind]) == 0 {
			t.Errorf("fixture.FillStore makes no record of kind %q", kind)
		}
	}
	whole := d.Open(t)
	want := map[string][]string{}
	for _, reader := range damageReaders() {
		items, _, err := reader.run(t, whole.Store, d.Installation)
		if err != nil || len(items) == 0 && reader.method != "WriteBackup" && reader.method != "ResumeErasures" {
			t.Errorf("%s finds %d items in the undamaged store: %v", reader.method, len(items), err)
		}
		want[reader.method] = items
	}
	looked := d.Open(t)
	d.checkOthers(t, looked, samples, want)
	for kind, keys := range samples {
		for i, key := range keys {
			looked.Break(t, key)
			for _, reader := range lookingReaders() {
				if !reader.mayRead(kind) {
					continue
				}
				reader.checkDamaged(t, looked.Store, d.Installation, key, want[reader.method], false)
			}
			looked.Mend(t, key)
			if i > 0 && kind != "call" && kind != "job" {
				continue
			}
			t.Run(kind, func(t *testing.T) { // closes the store, of which there are hundreds
				t.Parallel()
				swept := d.Open(t)
				swept.Break(t, key)
				told := false
				for _, reader := range sweepingReaders() {
					told = reader.checkDamaged(t, swept.Store, d.Installation, key, want[reader.method], told)
				}
			})
		}
	}
}

// checkOthers breaks all samples of the kinds that a reader does not read, at once: it finds what it found before.
func (d DamageTest) checkOthers(t *testing.T, s DamagedStore, samples map[string][]string, want map[string][]string) {
	t.Helper()
	for _, reader := range lookingReaders() {
		var broken []string
		for kind, keys := range samples {
			if !reader.mayRead(kind) {
				broken = append(broken, keys...)
			}
		}
		if len(broken) == 0 {
			continue
		}
		for _, key := range broken {
			s.Break(t, key)
		}
		items, warnings, err := reader.run(t, s.Store, d.Installation)
		if err != nil || len(warnings) > 0 || !slices.Equal(items, want[reader.method]) {
			t.Errorf("%s reads kinds of keys other than %v: %v, %v", reader.method, reader.kinds, warnings, err)
		}
		for _, key := range broken {
			s.Mend(t, key)
		}
	}
}

// mayRead reports whether the method may read keys of a kind.
func (d damageReader) mayRead(kind string) bool {
	return d.kinds == nil || slices.ContainsFunc(d.kinds, func(prefix string) bool { return strings.HasPrefix(kind, prefix) })
}

// sampleKeys returns some keys of each kind: the first and the last, for jobs all, and for calls one of each state.
func sampleKeys(d DamageTest) map[string][]string {
	samples := map[string][]string{}
	for _, key := range slices.Sorted(slices.Values(d.Keys)) {
		kind, _, _ := strings.Cut(key, "/")
		if len(samples[kind]) == 2 {
			samples[kind] = samples[kind][:1]
		}
		samples[kind] = append(samples[kind], key)
	}
	samples["call"], samples["job"] = nil, nil
	for _, id := range d.Installation.Jobs {
		samples["job"] = append(samples["job"], "job/"+fixture.OrgID+"/"+id)
	}
	for _, name := range []string{
		"booked", "dialing", "amended", "transferred", "erased", "running campaign: waiting", "paused campaign: waiting",
	} {
		samples["call"] = append(samples["call"], "call/"+fixture.OrgID+"/"+d.Installation.Calls[name])
	}
	return samples
}

// run runs a reader and returns what it found, and what its damage report says.
func (d damageReader) run(t *testing.T, s store.Store, in fixture.Installation) (items, warnings []string, err error) {
	t.Helper()
	ctx, report := store.CollectDamage(t.Context())
	r := &readerRun{ctx: ctx, s: s, in: in}
	err = d.read(r)
	return r.items, report.Warnings(), err
}

// checkDamaged runs a reader on a store in which the record of key is unreadable. told reports that an earlier sweep
// of the store said that something is missing, which explains what later ones find; so does the result.
func (d damageReader) checkDamaged(
	t *testing.T, s store.Store, in fixture.Installation, key string, want []string, told bool,
) bool {
	t.Helper()
	kind, _, _ := strings.Cut(key, "/")
	name := kind + " × " + d.method
	items, warnings, err := d.run(t, s, in)
	told = told || len(warnings) > 0
	if store.IsUnreadable(err) && slices.Contains(d.named, kind) {
		return told
	}
	if err != nil {
		t.Errorf("%s fails: %v", name, err)
		return told
	}
	counts := map[string]int{}
	for _, item := range items {
		counts[item]++
	}
	missing, differs := map[string]bool{}, len(items) != len(want)
	for _, item := range want {
		if counts[item]--; counts[item] < 0 {
			missing[item], differs = true, true
		}
	}
	if len(missing) > 1 && !slices.Contains(wholeQueue, name) {
		t.Errorf("%s lacks %d of %d items, not only the unreadable one", name, len(missing), len(want))
	}
	if differs && !told {
		t.Errorf("%s: without a word: %d items instead of %d, %d missing", name, len(items), len(want), len(missing))
	}
	return told
}
