package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// DamageReport collects the unreadable (damaged) records that the reads under one context met: lists, counters and
// exports go on without them, and the report says what is missing. It is safe for concurrent use; a nil one collects
// nothing.
type DamageReport struct {
	mu      sync.Mutex
	records map[string]struct{} // keys of records, which begin with their kind and a slash
	lost    bool                // an unknown number of records, or of the index entries that list them, is lost, too
	unnamed bool                // see [DamageReport.AddUnnamed]
}

// reportKey is the context key of a [DamageReport].
type reportKey struct{}

// CollectDamage returns a context whose reads add to the returned report.
func CollectDamage(ctx context.Context) (context.Context, *DamageReport) {
	r := &DamageReport{records: map[string]struct{}{}}
	return context.WithValue(ctx, reportKey{}, r), r
}

// DamageReportOf returns the report of a context; nil without one.
func DamageReportOf(ctx context.Context) *DamageReport {
	r, _ := ctx.Value(reportKey{}).(*DamageReport)
	return r
}

// AddRecord adds an unreadable record by its key, KIND/….
func (r *DamageReport) AddRecord(key string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records[key] = struct{}{}
}

// AddLostPart says that an unknown number of records, or of the index entries that list them, may be lost.
func (r *DamageReport) AddLostPart() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lost = true
}

// AddUnnamed says that a search by name may have missed calls that an older version booked, see
// [CallStore.NameOlderCalls].
func (r *DamageReport) AddUnnamed() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unnamed = true
}

// IsUnnamed reports whether [DamageReport.AddUnnamed] was called, and nothing is missing for another reason.
func (r *DamageReport) IsUnnamed() bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unnamed && !r.lost && len(r.records) == 0
}

// IsEmpty reports that nothing is missing.
func (r *DamageReport) IsEmpty() bool { return len(r.Warnings()) == 0 }

// Warnings describes what is missing, one sentence for each kind of record; nil if nothing is.
func (r *DamageReport) Warnings() (all []string) {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := map[string]int{}
	for key := range r.records {
		kind, _, _ := strings.Cut(key, "/")
		counts[kind]++
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf(
			"incomplete: records of kind %q that cannot be read because they are damaged: %d", kind, counts[kind]))
	}
	if r.lost {
		all = append(all, "incomplete: a part of the database is damaged, and what it held may be missing")
	}
	if r.unnamed {
		all = append(all, "incomplete: calls that an older version booked are still being added to the search by name")
	}
	return all
}
