package main

import (
	"runtime/debug"
	"testing"
)

func TestGarbageIsLimitedUnlessTheEnvironmentDoes(t *testing.T) {
	was := debug.SetGCPercent(100)
	defer debug.SetGCPercent(was)
	for environment, want := range map[string]int{"200": 100, "off": 100, "": gcPercent} {
		debug.SetGCPercent(100)
		ballast = nil
		limitGarbage(environment)
		if set := ballast != nil; set != (environment == "") {
			t.Errorf("GOGC=%q: ballast %v", environment, set)
		}
		if got := debug.SetGCPercent(100); got != want {
			t.Errorf("GOGC=%q: %d %%, want %d", environment, got, want)
		}
	}
}
