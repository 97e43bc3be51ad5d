package api_test

import "encoding/json"

// quoteJSON returns a text as JSON.
func quoteJSON(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		return err.Error()
	}
	return string(out)
}
