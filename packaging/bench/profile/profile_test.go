package main

import (
	"strings"
	"testing"
	"time"
)

func TestProfileCountsTheLastRuns(t *testing.T) {
	t.Parallel()
	event := func(name, category, operator string, start, duration int64) profileEvent {
		e := profileEvent{Name: name, Category: category, Start: start, Duration: duration}
		e.Args.Operator = operator
		return e
	}
	times, calls := sumByOperator([]profileEvent{
		event("model_run", "Session", "", 0, 900), // the trial when the model is opened
		event("a_kernel_time", "Node", "Gemm", 10, 500),
		event("model_run", "Session", "", 1000, 90),
		event("a_kernel_time", "Node", "Gemm", 1010, 40),
		event("model_run", "Session", "", 2000, 90),
		event("a_kernel_time", "Node", "Gemm", 2010, 20),
		event("b_kernel_time", "Node", "Conv", 2040, 10),
	}, 2)
	if times["Gemm"] != 30*time.Microsecond || calls["Gemm"] != 1 || times["Conv"] != 5*time.Microsecond {
		t.Errorf("times %v, calls %v", times, calls)
	}
	table := formatProfile(profileOptions{seconds: 10, runs: 2}, []profileColumn{
		{model: "fp32", operators: map[string]time.Duration{"Gemm": time.Millisecond}, calls: map[string]int{"Gemm": 2}},
		{model: "fp32", verbatim: true, operators: map[string]time.Duration{}, calls: map[string]int{}},
	})
	if !strings.Contains(table, "| Gemm | 1.0 (2) |  |") || !strings.Contains(table, "fp32, NeMo") {
		t.Errorf("table:\n%s", table)
	}
}
