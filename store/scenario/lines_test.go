package scenario_test

import (
	"encoding/json"
	"testing"

	"munadi/store/scenario"
)

// TestUnmarshalKeepsInput: decoding does not write into the bytes that it reads, which an import stores afterwards.
func TestUnmarshalKeepsInput(t *testing.T) {
	t.Parallel()
	const text = `{"steps":[{"say":["one",{"text":"two","optional":true}],"reask":"once","label":{"ar":"أ","en":"b"}}]}`
	data := []byte(text)
	var s scenario.Scenario
	if err := json.Unmarshal(data, &s); err != nil || len(s.Steps[0].Say) != 2 || s.Steps[0].Say[1].Text != "two" {
		t.Fatalf("decoded %+v, %v", s, err)
	}
	if string(data) != text {
		t.Errorf("decoding changed its input to %s", data)
	}
}
