package callrules_test

import (
	"slices"
	"strings"
	"testing"

	"munadi/store/callrules"
)

func TestCheckRules(t *testing.T) {
	t.Parallel()
	sound := callrules.CallRules{
		TimeZone: "Asia/Riyadh", Holidays: []string{"2026-09-23"}, Recording: callrules.RecordAnnounce, AttemptsPerDay: 1,
		CallingHours: callrules.CallingHours{
			"sunday": {{From: "14:00", To: "24:00"}, {From: "00:00", To: "12:00"}, {From: "12:00", To: "14:00"}}, "friday": nil,
		},
		AllowedPrefixes: []string{"+966", "+1"}, RetentionDays: callrules.RetentionDays{Audio: 90},
	}
	for _, r := range []callrules.CallRules{{}, sound} {
		if got := callrules.CheckRules(r); got != nil {
			t.Errorf("%+v breaks %v", r, got)
		}
	}
	long := strings.Repeat("ا", 2001)
	for _, c := range []struct {
		rules callrules.CallRules
		want  []string
	}{
		{callrules.CallRules{TimeZone: "Riyadh"}, []string{"time_zone"}},
		{callrules.CallRules{TimeZone: "Local"}, []string{"time_zone"}},
		{callrules.CallRules{TimeZone: "../../etc/passwd"}, []string{"time_zone"}},
		{callrules.CallRules{CallingHours: callrules.CallingHours{"sun": nil}}, []string{"calling_hours.sun"}},
		{callrules.CallRules{CallingHours: callrules.CallingHours{"sunday": nil}}, []string{"calling_hours"}},
		{callrules.CallRules{CallingHours: callrules.CallingHours{"sunday": {{From: "9:00", To: "18:00"}}}}, []string{"calling_hours.sunday.0.from"}},
		{callrules.CallRules{CallingHours: callrules.CallingHours{"sunday": {{From: "24:00", To: "24:01"}}}}, []string{"calling_hours.sunday.0.from", "calling_hours.sunday.0.to"}},
		{callrules.CallRules{CallingHours: callrules.CallingHours{"sunday": {{From: "22:00", To: "06:00"}}}}, []string{"calling_hours.sunday.0.to"}},
		{callrules.CallRules{CallingHours: callrules.CallingHours{"sunday": {{From: "22:00", To: "22:00"}}}}, []string{"calling_hours.sunday.0.to"}},
		{callrules.CallRules{CallingHours: callrules.CallingHours{"sunday": {{From: "-1:00", To: "+1:00"}}}}, []string{"calling_hours.sunday.0.from", "calling_hours.sunday.0.to"}},
		{callrules.CallRules{CallingHours: callrules.CallingHours{"monday": {{From: "09:00", To: "12:00"}, {From: "13:00", To: "14:00"}, {From: "11:59", To: "13:00"}}}}, []string{"calling_hours.monday.2"}},
		{callrules.CallRules{CallingHours: callrules.CallingHours{"monday": make([]callrules.HourSlot, 25)}}, []string{"calling_hours.monday"}},
		{callrules.CallRules{Holidays: []string{"2026-02-28", "2026-02-29", "29.02.2028"}}, []string{"holidays.1", "holidays.2"}},
		{callrules.CallRules{Holidays: make([]string, 1001)}, []string{"holidays"}},
		{callrules.CallRules{AttemptsPerDay: -1, AttemptsPerWeek: 1001}, []string{"attempts_per_day", "attempts_per_week"}},
		{callrules.CallRules{AllowedPrefixes: []string{"966", "+", "+0", "+96a", "+1234567890123456"}}, []string{
			"allowed_prefixes.0", "allowed_prefixes.1", "allowed_prefixes.2", "allowed_prefixes.3", "allowed_prefixes.4",
		}},
		{callrules.CallRules{BlockedPrefixes: make([]string, 1001)}, []string{"blocked_prefixes"}},
		{callrules.CallRules{Recording: "yes"}, []string{"recording"}},
		{callrules.CallRules{City: "cairo", TextForm: "written", Numerals: "arab", Redact: true}, nil},
		{callrules.CallRules{TextForm: "short", Numerals: "roman"}, []string{"text_form", "numerals"}},
		{callrules.CallRules{City: "atlantis"}, []string{"city"}},
		{callrules.CallRules{Disclosure: long, ConsentBasis: "\xff"}, []string{"disclosure", "consent_basis"}},
		{callrules.CallRules{MaxConcurrent: -1, RetentionDays: callrules.RetentionDays{Audio: -1, Transcript: 1 << 20}}, []string{
			"max_concurrent_calls", "retention_days.audio", "retention_days.transcript",
		}},
	} {
		var got []string
		for _, v := range callrules.CheckRules(c.rules) {
			got = append(got, v.Field)
			if v.Message == "" {
				t.Errorf("%s has no message", v.Field)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
}
