package stt

import (
	"cmp"
	"slices"

	"munadi/engine"
)

// ResponseBody returns the service's response body, for callers without a server: the results of the decoded channels
// ([ChannelsOf]) in a response format (json, verbose_json; text is a string with a newline).
func ResponseBody(results []*engine.Result, choice, format string) any {
	return transcriptOf(results, choice).verboseBody().responseBody(format, false)
}

// MergeSegments merges the segments of all results by time.
func MergeSegments(results []*engine.Result) []engine.Segment {
	var all []engine.Segment
	for _, s := range transcriptOf(results, "").segments {
		all = append(all, s.Segment)
	}
	return all
}

func transcriptOf(results []*engine.Result, choice string) *clientTranscript {
	t := &clientTranscript{}
	for i, res := range results {
		var channel *int
		if choice == separate {
			channel = &i
		}
		t.duration = max(t.duration, res.Duration)
		for _, s := range res.Segments {
			t.segments = append(t.segments, channelSegment{s, channel})
		}
	}
	slices.SortStableFunc(t.segments, func(a, b channelSegment) int {
		return cmp.Compare(a.Start, b.Start)
	})
	for i := range t.segments {
		t.segments[i].ID = i
		appendSpaced(&t.text, t.segments[i].Text)
	}
	return t
}
