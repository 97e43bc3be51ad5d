package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// damageOutcome is what became of a damaged file.
type damageOutcome string

const (
	refusedStart   damageOutcome = "refused"          // the start, or the restore of a backup, names the reason
	repairedFile   damageOutcome = "repaired"         // and said so
	namedAtStart   damageOutcome = "named at start"   // by log or /health
	namedOnReading damageOutcome = "named on reading" // by API, doctor and backup
	nothingLost    damageOutcome = "nothing lost"     // everything acknowledged is as it was
)

// isNaming reports whether a text says that something is damaged, missing or lost.
func isNaming(text string) bool {
	return slices.ContainsFunc([]string{
		"damaged", "missing", "lost", "incomplete", "INCOMPLETE", "cannot be restored", "does not belong",
	}, func(word string) bool { return strings.Contains(text, word) })
}

// isNamed reports whether a text names the damaged file, or says that something is damaged.
func (c damageCase) isNamed(text string) bool {
	return isNaming(text) || strings.Contains(text, filepath.Base(c.file))
}

// judgeDamage returns what became of a damaged file, and what is wrong with it: content that is not what was
// acknowledged, a loss that nobody names, and "ok" about what is damaged.
func (c damageCase) judgeDamage(seen damageSighting) (outcome damageOutcome, faults []soakFault) {
	add := func(kind, format string, args ...any) {
		faults = append(faults, soakFault{kind, c.String() + ": " + fmt.Sprintf(format, args...)})
	}
	for name, text := range map[string]string{"start": seen.log, "doctor": seen.doctor, "backup": seen.backup} {
		if strings.Contains(text, "goroutine ") {
			add("wrong", "%s ends with a stack: %.2000s", name, text)
		}
	}
	for _, what := range seen.wrong {
		add("wrong", "%s", what)
	}
	if seen.refusal != "" {
		c.judgeRefusal(seen, add)
		return refusedStart, faults
	}
	gone := slices.Concat(seen.unreadable, seen.missing, seen.older)
	atStart := isNaming(warningsOf(seen.log)) || isNaming(seen.health)
	switch {
	case len(gone) > 0 && atStart:
		outcome = namedAtStart
	case len(gone) > 0:
		outcome = namedOnReading
	case seen.restored && c.fault != "" && atStart:
		return repairedFile, faults
	case atStart || isNaming(findingsOf(seen.doctor)):
		outcome = namedAtStart
	default:
		outcome = nothingLost
	}
	c.judgeLoss(seen, gone, add)
	return outcome, faults
}

// judgeRefusal checks that a refusal names what is damaged, and that doctor and backup agree.
func (c damageCase) judgeRefusal(seen damageSighting, add func(kind, format string, args ...any)) {
	if !c.isNamed(seen.refusal) {
		add("wrong", "refused without a reason: %.1000s", seen.refusal)
	}
	if !seen.doctorFailed {
		add("wrong", "doctor says ok: %.300s", seen.doctor)
	}
	if !seen.backupFailed && c.concernsData() {
		add("wrong", "a backup says ok: %.300s", seen.backup)
	}
}

// judgeLoss checks that what is gone is named: by doctor and by a backup, and if it is said not to exist by health too.
func (c damageCase) judgeLoss(seen damageSighting, gone []string, add func(kind, format string, args ...any)) {
	if len(gone) == 0 {
		verified := []string{kindModel, kindInstalled, kindLibrary, kindBackup}
		if slices.Contains(verified, c.kind) && c.fault != "" && !seen.restored {
			add("wrong", "it is used although it is damaged")
		}
		return
	}
	named := seen.doctorFailed && isNaming(findingsOf(seen.doctor))
	if !named {
		add("wrong", "doctor says ok, and %d are gone, as %s: %s", len(gone), gone[0], seen.doctor)
	}
	fileGone := c.kind == kindRecording && c.fault == deletedFile // perhaps by the retention period: only doctor knows
	if !seen.backupFailed && !fileGone && !saysLost(seen) {       // nor can a backup name what was lost at the start
		add("wrong", "a backup says ok, and %d are gone, as %s: %s", len(gone), gone[0], seen.backup)
	}
	told := saysLost(seen) || c.kind == kindRecording && named // a recording is no record: /health does not know it
	if rolledBack := slices.Concat(seen.missing, seen.older); len(rolledBack) > 0 && !told {
		add("lost", "%d are not as they were, as %s, and nobody says so", len(rolledBack), rolledBack[0])
	}
}

// saysLost reports whether start and /health say that the database lost records, so that they are not found or older.
func saysLost(seen damageSighting) bool {
	return isNaming(warningsOf(seen.log)) &&
		(strings.Contains(seen.health, "the database lost") || strings.Contains(seen.health, "the database is damaged"))
}

// concernsData reports whether what a file holds is part of a backup.
func (c damageCase) concernsData() bool {
	outside := []string{kindModel, kindInstalled, kindLibrary, "current", "installation.id", ".installation"}
	return !slices.Contains(outside, c.kind)
}

// warningsOf returns the warnings and errors of a log.
func warningsOf(log string) string {
	var found strings.Builder
	for line := range strings.Lines(log) {
		if strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`) {
			found.WriteString(line)
		}
	}
	return found.String()
}

// findingsOf returns what doctor does not find well.
func findingsOf(doctor string) string {
	var found strings.Builder
	for line := range strings.Lines(doctor) {
		if !strings.HasPrefix(line, "ok ") {
			found.WriteString(line)
		}
	}
	return found.String()
}
