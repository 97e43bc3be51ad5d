package api_test

import (
	"strings"
	"testing"

	"munadi/appliance/evidence"
)

// TestAuditExport gets the audit log as a file that can be checked by itself, of the key's organization alone.
func TestAuditExport(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("POST", "/calls", minimal).want(201)
	b.askPath("POST", "/suppressions", `{"phone_number":"+966500000055"}`).want(201)
	got := b.askPath("GET", "/audit", "").want(200)
	file, err := evidence.VerifyAuditFile(strings.NewReader(got.Body.String()))
	if err != nil || file.Organization != "acme" || file.Entries < 3 || got.Header().Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("%+v, %v: %s", file, err, got.Body)
	}
	some := b.askPath("GET", "/audit?action=call.&from=2020-01-01T00:00:00Z", "").want(200).Body.String()
	if file, err := evidence.VerifyAuditFile(strings.NewReader(some)); err != nil || file.Entries != 1 {
		t.Errorf("%+v, %v: %s", file, err, some)
	}
	if table := b.askPath("GET", "/audit", "", withHeader{"Accept", "text/csv"}).want(200).Body.String(); !strings.HasPrefix(table, "at,actor,") {
		t.Errorf("as CSV %s", table)
	}
	other := b.askPath("GET", "/audit", "", withKey(rival)).want(200).Body.String()
	if file, err := evidence.VerifyAuditFile(strings.NewReader(other)); err != nil || file.Organization == "acme" || strings.Contains(other, "suppression") {
		t.Errorf("another organization gets %+v, %v: %s", file, err, other)
	}
	b.askPath("GET", "/audit?from=x", "").failure(422, "validation_error", "from")
	b.askPath("GET", "/audit?page=2", "").failure(422, "validation_error", "page")
}

// TestEvidence gets the evidence of a call as a file that can be checked by itself.
func TestEvidence(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	ended := b.addFinishedCall()
	got := b.askPath("GET", "/calls/"+ended.ID+"/evidence", "").want(200)
	e, err := evidence.VerifyCallEvidence(strings.NewReader(got.Body.String()))
	if err != nil || e.CallID != ended.ID || e.Organization != "acme" || !strings.Contains(string(e.Parts["rules"]), `"known":true`) ||
		!strings.Contains(got.Header().Get("Content-Disposition"), ended.ID) {
		t.Errorf("%v: %s", err, got.Body)
	}
	b.askPath("GET", "/calls/call_x/evidence", "").failure(404, "not_found")
}
