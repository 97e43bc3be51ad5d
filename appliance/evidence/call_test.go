package evidence_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"munadi/appliance/evidence"
	"munadi/store"
	"munadi/store/badger"
	"munadi/store/badger/badgertest"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/record"
	"munadi/store/storetest/fixture"
)

const disclosure = "هذه المكالمة مسجلة"

// ruleBakery sets the dialling rules of bakery.
func ruleBakery(t *testing.T, s store.Store, consent string) {
	t.Helper()
	err := s.ChangeRules(t.Context(), "bakery", "user:amal", made, func(r *callrules.CallRules) error {
		*r = callrules.CallRules{
			TimeZone: "Asia/Riyadh", Disclosure: disclosure, ConsentBasis: consent, Recording: callrules.RecordOn,
			CallingHours: callrules.CallingHours{"saturday": {{From: "09:00", To: "18:00"}}},
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// holdCall books a call and brings it to its end.
func holdCall(t *testing.T, s store.Store, said ...call.Message) call.Call {
	t.Helper()
	ctx, c := t.Context(), call.Call{
		ID: call.NewID(), OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+966512345678", ScenarioID: "order",
		CreatedAt: made, ScheduledAt: made, Booking: call.Immediate,
	}
	c.Attempt = call.AttemptChain{Number: 1, Max: 1, ChainID: c.ID, Plan: call.RetryPlan{MaxAttempts: 1}}
	_, err := s.BookCall(ctx, c, "key:1", nil)
	if err == nil {
		_, err = s.ReleaseCall(ctx, "bakery", c.ID, made.Add(time.Minute))
	}
	if err == nil {
		_, err = s.AnswerCall(ctx, "bakery", c.ID, "bakery/x.wav", made.Add(2*time.Minute))
	}
	if err == nil {
		_, err = s.FinishCall(ctx, "bakery", c.ID, call.CallOutcome{
			Status: call.Completed, Messages: said, Recording: "bakery/x.wav",
			RecordingSum: &call.RecordingSum{Size: 12, SHA256: strings.Repeat("ab", 32)},
		}, nil, made.Add(3*time.Minute))
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// makeFile returns the evidence of a call as a file.
func makeFile(t *testing.T, s store.Store, id string) string {
	t.Helper()
	e, err := evidence.MakeCallEvidence(t.Context(), s, key, "bakery", id, made.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// part returns a part of verified evidence.
func part(t *testing.T, file, name string) string {
	t.Helper()
	e, err := evidence.VerifyCallEvidence(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return string(e.Parts[name])
}

// TestCallEvidence: the evidence says what was in force when the call was dialled, not what is in force now.
func TestCallEvidence(t *testing.T) {
	t.Parallel()
	s := newTrail(t, 2)
	ruleBakery(t, s, "contract <b>")
	said := call.Message{Role: call.Assistant, Content: disclosure, Start: 0.4, End: 2.1}
	c := holdCall(t, s, said, call.Message{Role: call.User, Content: "نعم", Start: 3, End: 4})
	ruleBakery(t, s, "another")
	one := callrules.SuppressionEntry{OrgID: "bakery", PhoneNumber: c.PhoneNumber, CreatedAt: made}
	if err := s.AddSuppressions(t.Context(), []callrules.SuppressionEntry{one}, "user:amal", made); err != nil {
		t.Fatal(err)
	}
	file := makeFile(t, s, c.ID)
	for name, words := range map[string][]string{
		"call":          {c.ID, "+966512345678", `"status":"completed"`},
		"rules":         {`"known":true`, `"at":"2026-11-21T09:31:00Z"`, `contract \u003cb\u003e`},
		"consent_basis": {`contract \u003cb\u003e`},
		"hour":          {`"zone":"Asia/Riyadh"`, `"local":"2026-11-21T12:31:00+03:00"`, `"allowed":true`, "is built in"},
		"suppression":   {`"suppressed":false`},
		"disclosure":    {disclosure, `"start":0.4`, `"whole":true`},
		"audit":         {"call.create", c.ID, `"hash"`},
		"transcript":    {"نعم"},
		"recording":     {strings.Repeat("ab", 32)},
		"timeline":      {"released", "answered"},
	} {
		for _, word := range words {
			if got := part(t, file, name); !strings.Contains(got, word) {
				t.Errorf("%s lacks %s: %s", name, word, got)
			}
		}
	}
	e, err := evidence.VerifyCallEvidence(strings.NewReader(file))
	if lines := strings.Join(e.Describe(), "\n"); err != nil || !strings.Contains(lines, "contract") || !strings.Contains(lines, "1 entries") {
		t.Errorf("described as %s, %v", lines, err)
	}
	_, err = evidence.MakeCallEvidence(t.Context(), s, key, "airline", c.ID, made)
	if store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("of another organization: %v", err)
	}
}

// TestCallEvidenceIncomplete: the file and its description say that an audit entry cannot be read: it may be the call's.
func TestCallEvidenceIncomplete(t *testing.T) {
	t.Parallel()
	filled, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = filled.Close() })
	in := fixture.FillStore(t, filled)
	dump := badgertest.DumpStore(t, filled)
	for lost, want := range map[string]string{"": "", "audit/" + fixture.OrgID + "/" + record.EncodeRank(1): `incomplete: records of kind "audit"`} {
		var file bytes.Buffer
		made, err := evidence.MakeCallEvidence(t.Context(), dump.OpenDamaged(t, lost), key, fixture.OrgID, in.Calls["completed"], in.Now)
		if err == nil {
			err = made.WriteFile(&file)
		}
		if err != nil {
			t.Fatal(err)
		}
		e, err := evidence.VerifyCallEvidence(&file)
		if got := strings.Join(e.Describe(), "\n"); err != nil || strings.Contains(got, "incomplete") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("without %q: %s, %v", lost, got, err)
		}
	}
}

// TestCallEvidenceUnknown: what is not known says why: of a call that was not dialled, without words, or erased.
func TestCallEvidenceUnknown(t *testing.T) {
	t.Parallel()
	s := newTrail(t, 0)
	ruleBakery(t, s, "")
	c := holdCall(t, s, call.Message{Role: call.Assistant, Content: "هذه المكالمة", End: 1})
	if got := part(t, makeFile(t, s, c.ID), "disclosure"); !strings.Contains(got, `"whole":false`) {
		t.Errorf("an interrupted disclosure is %s", got)
	}
	if got := part(t, makeFile(t, s, c.ID), "consent_basis"); !strings.Contains(got, "named none") {
		t.Errorf("the basis of consent is %s", got)
	}
	if _, err := s.ErasePerson(t.Context(), "bakery", c.PhoneNumber, "user:amal", made.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	file := makeFile(t, s, c.ID)
	for name, word := range map[string]string{
		"disclosure": "no words", "transcript": "no words", "recording": "removed", "rules": "Asia/Riyadh", "audit": "call.create",
	} {
		if got := part(t, file, name); !strings.Contains(got, word) {
			t.Errorf("once erased %s is %s", name, got)
		}
	}
	if strings.Contains(file, c.PhoneNumber) || strings.Contains(file, "هذه المكالمة\"") {
		t.Errorf("once erased it holds personal data: %s", file)
	}
	booked := call.Call{
		ID: call.NewID(), OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+966512345679", ScenarioID: "order",
		CreatedAt: made, ScheduledAt: made, Booking: call.Booked,
	}
	booked.Attempt = call.AttemptChain{Number: 1, Max: 1, ChainID: booked.ID, Plan: call.RetryPlan{MaxAttempts: 1}}
	if _, err := s.BookCall(t.Context(), booked, "key:1", nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rules", "hour", "suppression", "disclosure"} {
		if got := part(t, makeFile(t, s, booked.ID), name); !strings.Contains(got, `"known":false,"unknown":"the call was not dialled"`) {
			t.Errorf("of a booked call %s is %s", name, got)
		}
	}
}

// TestCallEvidenceTampered: an edit of any part, of the head, or of the signature is found and named.
func TestCallEvidenceTampered(t *testing.T) {
	t.Parallel()
	s := newTrail(t, 2)
	ruleBakery(t, s, "contract")
	file := makeFile(t, s, holdCall(t, s, call.Message{Role: call.Assistant, Content: disclosure}).ID)
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(file)); err != nil {
		t.Fatal(err)
	}
	if _, err := evidence.VerifyCallEvidence(&compact); err != nil {
		t.Errorf("written without spaces: %v", err)
	}
	for what, c := range map[string]struct{ from, to, want string }{
		"a rule":           {`"consent_basis": "contract"`, `"consent_basis": "consent"`, `the part "rules" was changed`},
		"the hour":         {"12:31:00+03:00", "11:31:00+03:00", `the part "hour" was changed`},
		"the suppression":  {`"suppressed": false`, `"suppressed": true`, `the part "suppression" was changed`},
		"an audit entry":   {`"actor": "key:1"`, `"actor": "key:2"`, "was changed"},
		"the organization": {`"organization": "bakery"`, `"organization": "airline"`, "signature does not fit"},
		"the time":         {`"made_at": "2026`, `"made_at": "2025`, "signature does not fit"},
		"the key":          {key.PublicKey(), evidence.NewSigningKey([32]byte{9}).PublicKey(), "signature does not fit"},
		"a part removed":   {`"hour": {`, `"hours": {`, "is missing"},
		"something added":  {`"parts": {`, `"note": 1, "parts": {`, "is no evidence"},
		"a part added":     {`"parts": {`, `"parts": {"x": 1,`, `the part "x" was added`},
		"another kind":     {"munadi call evidence", "x", "is no evidence"},
		"a later version":  {`"version": 1`, `"version": 2`, "has version 2"},
	} {
		edited := strings.Replace(file, c.from, c.to, 1)
		if edited == file {
			t.Errorf("%s: the file has no %s:\n%s", what, c.from, file)
		}
		if _, err := evidence.VerifyCallEvidence(strings.NewReader(edited)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	for _, cut := range []string{"", "{", file[:len(file)/2], file + "{}"} {
		if _, err := evidence.VerifyCallEvidence(strings.NewReader(cut)); err == nil {
			t.Errorf("%d bytes are taken", len(cut))
		}
	}
}

func FuzzVerifyCallEvidence(f *testing.F) {
	f.Add([]byte(`{"file":"munadi call evidence","version":1,"sums":{"audit":"x"},"parts":{"audit":[]}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		if e, err := evidence.VerifyCallEvidence(bytes.NewReader(file)); err == nil {
			_ = e.Describe()
			t.Errorf("a file without a signature is taken: %q", file)
		}
	})
}
