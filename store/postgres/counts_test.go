package postgres

import "testing"

// TestImportCountsKey: a dump's counter with a malformed key is refused with an error, not with a panic.
func TestImportCountsKey(t *testing.T) {
	for _, key := range [][]string{{""}, {"org"}, {"org", "total"}, {"org", "noon", "scenario"}} {
		raw := []byte(`{"counts":{"completed":1}}`)
		if err := (&dbTx{}).importCounts(kindTables["call-tally"].Table, key, raw); err == nil {
			t.Errorf("%q was imported", key)
		}
	}
}
