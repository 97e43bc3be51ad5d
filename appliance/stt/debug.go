package stt

import (
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/multipartform"
	"munadi/engine"
	"munadi/engine/audio"
)

// debugForm is the form of /debug/decode.
type debugForm struct {
	File *multipartform.UploadedFile `form:"file" required:"true"`
	engine.DebugParams
}

// debugDecode handles POST /debug/decode. It shares only the recognizer with production, no sessions and no phrases.
func (s *TranscriptionService) debugDecode(c echo.Context) (err error) {
	var f debugForm
	if err := s.readForm(c, s.formDecoder(), &f); err != nil {
		return err
	}
	defer f.File.Close() //nolint:errcheck // the file has no name: closing it frees it
	sound, err := f.File.Open()
	if err != nil {
		return err
	}
	ctx, stop := s.decodingContext(c)
	defer stop()
	longest := s.currentLimits().Duration
	src, err := s.Open(ctx, sound, longest, audio.MixChannels)
	if err != nil {
		return s.explainError(decodingError(ctx, err), s.formDecoder(), longest)
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	result, err := s.Recognizer.DebugDecode(ctx, src, f.DebugParams)
	if err != nil {
		return s.explainError(decodingError(ctx, err), s.formDecoder(), longest)
	}
	s.Metrics.CountDecoded(engine.Upload, result.Duration, result.Timings)
	return c.JSON(http.StatusOK, debugOf(result, echoParams(f.DebugParams)))
}

// echoParams returns the parameters for the response: defaults resolved, the search only if the request named one.
func echoParams(p engine.DebugParams) engine.DebugParams {
	resolved := p.ResolveDefaults()
	resolved.Strategy = p.Strategy
	return resolved
}

type debugBody struct {
	Mode       engine.DecodeMode  `json:"mode"`
	Text       string             `json:"text"`
	Duration   decimal            `json:"duration"`
	Segments   []debugSegmentBody `json:"segments"`
	Parameters engine.DebugParams `json:"parameters"`
	Timings    map[string]decimal `json:"timings_ms"`
	Warnings   []string           `json:"warnings"`
}

type debugSegmentBody struct {
	ID     int         `json:"id"`
	Start  decimal     `json:"start"`
	End    decimal     `json:"end"`
	Text   string      `json:"text"`
	RNNT   headBody    `json:"rnnt"`
	CTC    headBody    `json:"ctc"`
	Hybrid hybridBody  `json:"hybrid"`
	NBest  []nbestBody `json:"nbest"`
	CTCWS  ctcwsBody   `json:"ctc_ws"`
}

type headBody struct {
	Text       string    `json:"text"`
	Score      logScore  `json:"score"`
	Tokens     []string  `json:"tokens"`
	TokenIDs   []int     `json:"token_ids"`
	Timestamps []decimal `json:"timestamps"`
}

type hybridBody struct {
	Text   string   `json:"text"`
	Score  logScore `json:"score"`
	Picked string   `json:"picked"`
}

type nbestBody struct {
	Text      string   `json:"text"`
	Score     logScore `json:"score"`
	RNNTScore logScore `json:"rnnt_score"`
	CTCScore  logScore `json:"ctc_score"`
	TokenIDs  []int    `json:"token_ids"`
}

type ctcwsBody struct {
	Spotted []spottedBody `json:"spotted"`
	Applied bool          `json:"applied"`
	Text    string        `json:"text"`
}

type spottedBody struct {
	Phrase string   `json:"phrase"`
	Start  decimal  `json:"start"`
	End    decimal  `json:"end"`
	Score  logScore `json:"score"`
}

// logScore is a log-probability; minus infinity, which JSON cannot express, is null.
type logScore float64

// MarshalJSON implements json.Marshaler.
func (s logScore) MarshalJSON() ([]byte, error) {
	v := float64(s)
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return []byte("null"), nil
	}
	return decimal(v).MarshalJSON()
}

func debugOf(r *engine.DebugResult, p engine.DebugParams) debugBody {
	b := debugBody{
		Mode:       r.Mode,
		Text:       r.Text,
		Duration:   roundSeconds(r.Duration),
		Segments:   make([]debugSegmentBody, 0, len(r.Segments)),
		Parameters: p,
		Timings:    timingsOf(r.Timings),
		Warnings:   append([]string{}, r.Warnings...),
	}
	for _, s := range r.Segments {
		b.Segments = append(b.Segments, debugSegmentBody{
			ID: s.ID, Start: roundSeconds(s.Start), End: roundSeconds(s.End), Text: s.Text,
			RNNT: headOf(s.RNNT), CTC: headOf(s.CTC),
			Hybrid: hybridBody{s.Hybrid.Text, logScore(s.Hybrid.Score), s.Hybrid.Picked},
			NBest:  nbestOf(s.NBest),
			CTCWS:  ctcwsBody{Spotted: spottedOf(s.Spotted), Applied: s.Applied, Text: s.SpottedText},
		})
	}
	return b
}

func headOf(d engine.HeadResult) headBody {
	times := make([]decimal, len(d.Timestamps))
	for i, t := range d.Timestamps {
		times[i] = roundSeconds(t)
	}
	return headBody{
		Text: d.Text, Score: logScore(d.Score), Tokens: append([]string{}, d.Tokens...),
		TokenIDs: append([]int{}, d.TokenIDs...), Timestamps: times,
	}
}

func nbestOf(list []engine.NBest) []nbestBody {
	out := make([]nbestBody, 0, len(list))
	for _, n := range list {
		out = append(out, nbestBody{
			n.Text, logScore(n.Score), logScore(n.RNNTScore), logScore(n.CTCScore), append([]int{}, n.TokenIDs...),
		})
	}
	return out
}

func spottedOf(list []engine.SpottedPhrase) []spottedBody {
	out := make([]spottedBody, 0, len(list))
	for _, s := range list {
		out = append(out, spottedBody{s.Phrase, roundSeconds(s.Start), roundSeconds(s.End), logScore(s.Score)})
	}
	return out
}

func timingsOf(t engine.Timings) map[string]decimal {
	ms := func(d time.Duration) decimal { return decimal(roundToUnit(d.Seconds()*1e3, 1e3)) }
	return map[string]decimal{
		"decode_audio": ms(t.DecodeAudio), "vad": ms(t.VAD), "features": ms(t.Features), "encoder": ms(t.Encoder),
		"rnnt": ms(t.RNNT), "ctc": ms(t.CTC), "ctc_ws": ms(t.CTCWS), "total": ms(t.Total),
	}
}
