package stt

import "munadi/engine"

// Body is an engine's result in a response format (json, verbose_json; text is a string with a newline), ready to be
// marshalled: what the service answers, for callers without a server.
func Body(res *engine.Result, format string) any {
	t := &transcript{segments: res.Segments, duration: res.Duration}
	t.text.WriteString(res.Text)
	return t.body(format)
}
