package postgres

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"munadi/store/badger"
	"munadi/store/dump"
	declared "munadi/store/records"
	"munadi/store/storetest/fixture"
)

// neverStored are the fields that records of a kind don't have, each with its reason.
var neverStored = map[string]string{
	"call: Call.Messages":                "are the record call-words",
	"job: Job.Result":                    "is the record job-result",
	"live: LiveSession.Segments":         "are the records live-words",
	"call: CallRecord.Followed":          "is of records of older versions",
	"campaign: Campaign.Loading":         "is set only while CreateCampaign runs",
	"erasure: ErasureResult.Mentions":    "is counted after the calls, of which the unfinished erasure has too many",
	"erasure: ErasureResult.Unreadable":  "is counted in the last transaction of an erasure, which removes its record",
	"delivery: Delivery.Destination":     "is of deliveries of events, the records event",
	"delivery: Delivery.Event":           "is of deliveries of events, the records event",
	"delivery: Delivery.Subject":         "is of deliveries of events, the records event",
	"event: Delivery.Body":               "is the record event-body",
	"event: DeliveryTry.Request":         "is the record event-body",
	"audit-head: AuditHead.Broken":       "is set only where somebody else changed the trail",
	"audit-head: AuditHead.Older":        "counts entries of before the chains, which no new installation has",
	"audit-head: AuditHead.OlderHash":    "is over entries of before the chains, which no new installation has",
	"scenario: Scenario.BuiltIn":         "built-in scenarios are not stored",
	"scenario-version: Scenario.BuiltIn": "built-in scenarios are not stored",
}

// TestEveryFieldIsSet checks that the installation of package fixture, which the tests of migrations, dumps and backups
// use, has a record of every kind, and in the records of each kind every field at least once; and that decoding a
// record leaves its bytes unchanged, which an import writes afterwards.
func TestEveryFieldIsSet(t *testing.T) {
	t.Parallel()
	records := map[string]func() any{turnKind: func() any { return new([]byte) }}
	for _, t := range declared.ListTables() {
		records[t.Kind] = t.NewRecord
	}
	set := map[string]bool{}
	for key, value := range readFixture(t) {
		kind, _, _ := strings.Cut(key, "/")
		if records[kind] == nil {
			continue // an index entry
		}
		record, before := records[kind](), bytes.Clone(value)
		if err := json.Unmarshal(value, record); err != nil && reflect.TypeOf(record) != reflect.TypeFor[*[]byte]() {
			t.Fatalf("%s: %v", key, err)
		}
		if !bytes.Equal(value, before) {
			t.Errorf("decoding %s changed its bytes", key)
		}
		markSet(set, kind, reflect.ValueOf(record).Elem())
	}
	for _, kind := range slices.Sorted(maps.Keys(records)) {
		all := map[string]bool{}
		listFields(all, kind, reflect.TypeOf(records[kind]()).Elem())
		for _, field := range slices.Sorted(maps.Keys(all)) {
			if !set[field] {
				t.Errorf("%s is set in no record that fixture.FillStore makes", field)
			}
		}
	}
}

// readFixture returns the records of a filled store by their keys.
func readFixture(t *testing.T) map[string][]byte {
	t.Helper()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	fixture.FillStore(t, s)
	var b bytes.Buffer
	if err := s.WriteBackup(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	if _, err := dump.ReadDump(&b, func(key, value []byte) error { all[string(key)] = value; return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// markSet adds the names of all fields that a value of a kind of record sets, and of the kind itself.
func markSet(set map[string]bool, kind string, v reflect.Value) {
	set[kind] = true
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			markSet(set, kind, v.Elem())
		}
	case reflect.Struct:
		for _, f := range storedFields(kind, v.Type()) {
			if field := v.FieldByIndex(f.Index); !isEmpty(field) {
				set[nameField(kind, v.Type(), f)] = true
				markSet(set, kind, field)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			markSet(set, kind, v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			markSet(set, kind, v.MapIndex(key))
		}
	}
}

// isEmpty reports whether a field is absent, zero, or a list without entries.
func isEmpty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// listFields adds the names of all fields that a kind of record has, and of the kind itself.
func listFields(all map[string]bool, kind string, t reflect.Type) {
	all[kind] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		listFields(all, kind, t.Elem())
	case reflect.Struct:
		for _, f := range storedFields(kind, t) {
			if name := nameField(kind, t, f); !all[name] {
				all[name] = true
				listFields(all, kind, f.Type)
			}
		}
	}
}

// storedFields returns the fields of a struct that are stored in a kind of record.
func storedFields(kind string, t reflect.Type) (all []reflect.StructField) {
	for i := range t.NumField() {
		f := t.Field(i)
		if _, never := neverStored[nameField(kind, t, f)]; f.IsExported() && f.Tag.Get("json") != "-" && !never {
			all = append(all, f)
		}
	}
	return all
}

func nameField(kind string, t reflect.Type, f reflect.StructField) string {
	return kind + ": " + t.Name() + "." + f.Name
}
