package demo_test

import "strings"

type wordJSON struct {
	Word       string  `json:"word"`
	Start      float64 `json:"start"`
	End        float64 `json:"end"`
	Confidence float64 `json:"confidence"`
}

type segmentJSON struct {
	ID    int     `json:"id"`
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	Text  string  `json:"text"`
}

type transcriptJSON struct {
	Task     string        `json:"task"`
	Language string        `json:"language"`
	Duration float64       `json:"duration"`
	Text     string        `json:"text"`
	Segments []segmentJSON `json:"segments"`
	Words    []wordJSON    `json:"words"`
}

// fakeTranscript is the fake service's transcript of every recording: the six sentences of
// assets/web/samples/order.flac, with words of equal length.
func fakeTranscript() transcriptJSON {
	out := transcriptJSON{Task: "transcribe", Language: "ar", Duration: 15.93}
	at := 0.35
	var texts []string
	for i, s := range []struct {
		text    string
		seconds float64
	}{
		{"ألو السلام عليكم", 1.80},
		{"بيتزا واحدة كبيرة", 2.24},
		{"عصير برتقال", 1.64},
		{"توصيل", 0.88},
		{"شارع الملك فهد عمارة عشرين", 3.09},
		{"شكرا مع السلامة", 1.73},
	} {
		out.Segments = append(out.Segments, segmentJSON{i, at, at + s.seconds, s.text})
		words := strings.Fields(s.text)
		step := s.seconds / float64(len(words))
		for k, w := range words {
			start := at + float64(k)*step
			out.Words = append(out.Words, wordJSON{w, start, start + step, 0.93})
		}
		texts = append(texts, s.text)
		at += s.seconds + 0.7
	}
	out.Text = strings.Join(texts, " ")
	return out
}

// debugReadings is the debug decoder's result for the same recording: CTC gets one word wrong.
func debugReadings() map[string]any {
	var segments []map[string]any
	for _, s := range fakeTranscript().Segments {
		ctc := strings.ReplaceAll(s.Text, "عمارة", "إمارة")
		segments = append(segments, map[string]any{
			"id": s.ID, "start": s.Start, "end": s.End, "text": s.Text,
			"rnnt":   decoderReading(s.Text, -1.42, s.Start),
			"ctc":    decoderReading(ctc, -2.87, s.Start),
			"hybrid": map[string]any{"text": s.Text, "score": -2.28, "picked": "rnnt"},
		})
	}
	return map[string]any{
		"mode": "hybrid", "text": fakeTranscript().Text, "duration": fakeTranscript().Duration, "segments": segments,
		"timings_ms": map[string]float64{"total": 412.3, "encoder": 287.9}, "warnings": []string{},
	}
}

func decoderReading(text string, score, start float64) map[string]any {
	var tokens []string
	var times []float64
	for _, w := range strings.Fields(text) {
		letters := []rune("▁" + w)
		half := (len(letters) + 1) / 2
		for _, piece := range []string{string(letters[:half]), string(letters[half:])} {
			tokens = append(tokens, piece)
			times = append(times, start+0.16*float64(len(times)))
		}
	}
	return map[string]any{"text": text, "score": score, "tokens": tokens, "timestamps": times}
}
