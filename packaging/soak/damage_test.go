package main

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kindsOf returns the kinds of faults, sorted, each once.
func kindsOf(faults []soakFault) string {
	var all []string
	for _, f := range faults {
		all = append(all, f.Kind)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// TestJudgeDamage: what became of a damaged file is told apart, and what is false about it is a fault.
func TestJudgeDamage(t *testing.T) {
	t.Parallel()
	const (
		okay   = "ok    tables  all are intact\nok    database  no acknowledged change was lost\n"
		failed = "FAIL  tables  blocks of its tables are damaged: 1\n"
		warns  = `{"level":"ERROR","msg":"blocks of a table are damaged"}` + "\n"
		health = `{"status":"ok","message":"the database is damaged"}`
	)
	table := damageCase{"table", flippedBit, "data/db/000001.sst"}
	model := damageCase{kindModel, flippedBit, "cache/model-1/encoder.onnx"}
	told := damageSighting{
		log: warns, health: health, doctor: failed, doctorFailed: true, backup: "INCOMPLETE", backupFailed: true,
		unreadable: []string{"call a"},
	}
	change := func(s damageSighting, change func(*damageSighting)) damageSighting {
		change(&s)
		return s
	}
	for name, c := range map[string]struct {
		damageCase

		seen damageSighting
		want damageOutcome
		kind string
	}{
		"nothing was in it":    {table, damageSighting{doctor: okay}, nothingLost, ""},
		"named at the start":   {table, told, namedAtStart, ""},
		"named without a loss": {table, change(told, func(s *damageSighting) { s.unreadable, s.backupFailed = nil, false }), namedAtStart, ""},
		"named on reading":     {table, change(told, func(s *damageSighting) { s.log, s.health = "", "" }), namedOnReading, ""},
		"doctor says ok":       {table, change(told, func(s *damageSighting) { s.doctor, s.doctorFailed = okay, false }), namedAtStart, "wrong"},
		"doctor fails aside":   {table, change(told, func(s *damageSighting) { s.doctor = okay }), namedAtStart, "wrong"},
		"backup says ok":       {table, change(told, func(s *damageSighting) { s.backupFailed, s.health = false, "" }), namedAtStart, "wrong"},
		"gone, and said so":    {table, change(told, func(s *damageSighting) { s.unreadable, s.missing = nil, []string{"call a"} }), namedAtStart, ""},
		"gone without a word":  {table, change(told, func(s *damageSighting) { s.health, s.missing = "", []string{"call a"} }), namedAtStart, "lost"},
		"gone, trash is told":  {table, change(told, func(s *damageSighting) { s.health, s.missing = "check whether a database was lost", []string{"call a"} }), namedAtStart, "lost"},
		"a recording is gone": {
			damageCase{kindRecording, deletedFile, "a.wav"},
			damageSighting{doctor: "FAIL  1 are missing", doctorFailed: true, missing: []string{"recording of a"}},
			namedOnReading, "",
		},
		"it is gone without a word": {
			damageCase{kindRecording, deletedFile, "a.wav"},
			damageSighting{doctor: okay, backupFailed: true, missing: []string{"recording of a"}},
			namedOnReading, "lost wrong",
		},
		"a damaged recording is copied": {
			damageCase{kindRecording, cutOff, "a.wav"},
			damageSighting{doctor: failed, doctorFailed: true, unreadable: []string{"recording of a"}},
			namedOnReading, "wrong",
		},
		"older without a word":  {table, change(told, func(s *damageSighting) { s.log, s.health, s.older = "", "", []string{"call a"} }), namedOnReading, "lost"},
		"answers something":     {table, damageSighting{doctor: okay, wrong: []string{"call a answers 200"}}, nothingLost, "wrong"},
		"a stack":               {table, change(told, func(s *damageSighting) { s.doctor += "goroutine 1 [running]" }), namedAtStart, "wrong"},
		"refused":               {table, damageSighting{refusal: "000001.sst", doctorFailed: true, backupFailed: true}, refusedStart, ""},
		"refused for no reason": {table, damageSighting{refusal: "exit", doctorFailed: true, backupFailed: true}, refusedStart, "wrong"},
		"refused, doctor ok":    {table, damageSighting{refusal: "000001.sst", backupFailed: true}, refusedStart, "wrong"},
		"refused, backup ok":    {table, damageSighting{refusal: "000001.sst", doctorFailed: true}, refusedStart, "wrong"},
		"repaired":              {model, damageSighting{log: warns, restored: true}, repairedFile, ""},
		"used damaged":          {model, damageSighting{doctor: okay}, nothingLost, "wrong"},
		"an accepted backup":    {damageCase{kindBackup, cutOff, backupFile}, damageSighting{doctorFailed: true}, nothingLost, "wrong"},
	} {
		outcome, faults := c.judgeDamage(c.seen)
		if outcome != c.want || kindsOf(faults) != c.kind {
			t.Errorf("%s: %q with %v, want %q with %q", name, outcome, faults, c.want, c.kind)
		}
	}
}

// TestDamageFile: a flip changes one written bit, a cut takes away written bytes.
func TestDamageFile(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "f")
	whole := append(bytes.Repeat([]byte("written"), 20), make([]byte, 5000)...)
	for range 100 {
		for _, fault := range fileFaults {
			if err := os.WriteFile(path, whole, 0o400); err != nil {
				t.Fatal(err)
			}
			if err := fault.damageFile(path, random); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			changed := 0
			for n := range min(len(got), len(whole)) {
				changed += bits.OnesCount8(got[n] ^ whole[n])
			}
			switch {
			case fault == deletedFile && os.IsNotExist(err):
			case fault == cutOff && len(got) < 140 && changed == 0:
			case fault == flippedBit && len(got) == len(whole) && changed == 1 && bytes.HasSuffix(got, whole[140:]):
			default:
				t.Errorf("%s: %d bytes, %d bits changed, %v", fault, len(got), changed, err)
			}
			_ = os.Remove(path)
		}
	}
}

// TestKinds: files are sorted by kind, and one of a new kind is not left out.
func TestKinds(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	want := map[string]string{
		"data/db/000001.sst": "table", "data/db/00001.mem": kindLog, "data/db/000001.vlog": "value log", "data/new.thing": "new.thing",
		"data/db/MANIFEST": "MANIFEST", "data/recordings/default/a.wav": "recording", "data/models/own/vocab.txt": kindInstalled,
		"cache/model-1/vocab.txt": kindModel, "cache/libonnxruntime-1.so": kindLibrary, backupFile: kindBackup,
		"data/db/LOCK": "", "munadi.log": "",
	}
	for file := range want {
		path := filepath.Join(folder, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kinds, err := listKinds(folder)
	if err != nil {
		t.Fatal(err)
	}
	for file, kind := range want {
		if kind == "" && len(kinds[kindOf(file)]) > 0 || kind != "" && !slices.Equal(kinds[kind], []string{file}) {
			t.Errorf("%s is among %v", file, kinds)
		}
	}
}
