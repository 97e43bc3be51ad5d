package postgres

import "testing"

// TestImportTallyKey: a dump's counter with a malformed key is refused with an error, not with a panic.
func TestImportTallyKey(t *testing.T) {
	for _, key := range [][]string{{""}, {"org"}, {"org", "total"}, {"org", "noon", "scenario"}} {
		if err := importTally(&dbTx{}, key, []byte("{}")); err == nil {
			t.Errorf("%q was imported", key)
		}
	}
}
