package postgres

import (
	"fmt"
	"strconv"
)

// turnTable holds when an organization's last job was started, as a time in a column of its own.
type turnTable struct{}

func (turnTable) keyParts() int { return 1 }

func (turnTable) tableName() string { return "job_turns" }

func (turnTable) selectDump() string {
	return "SELECT org AS k, convert_to(lpad(to_hex(served), 16, '0'), 'UTF8') FROM job_turns ORDER BY k"
}

func (turnTable) importRecord(e *dbTx, key []string, raw []byte) error {
	served, err := strconv.ParseInt(string(raw), 16, 64)
	if err != nil {
		return fmt.Errorf("the time of an organization's last job: %w", err)
	}
	e.queueWrite("INSERT INTO job_turns (org, served) VALUES ($1, $2) ON CONFLICT DO NOTHING", key[0], served)
	return nil
}
