package api_test

import "encoding/json"

// quoted is text as JSON.
func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		return err.Error()
	}
	return string(out)
}
