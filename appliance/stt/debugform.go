package stt

import (
	"munadi/appliance/httpserver/multipartform"
	"munadi/engine"
)

// debugForm is the form of /debug/decode. Names and defaults are those of the contract; ranges that NeMo does not have
// are chosen here. A nil pointer takes its default in engine.DebugParams.ResolveDefaults.
type debugForm struct {
	File *multipartform.UploadedFile `form:"file" required:"true"`
	Mode string                      `form:"mode" default:"hybrid" enum:"hybrid|rnnt|ctc"`

	Strategy            *string  `form:"strategy" enum:"greedy_batch|beam|maes|alsd|tsd|malsd_batch"`
	Temperature         *float64 `form:"temperature" ge:"0.01" le:"10"`
	MaxSymbolsPerStep   *int     `form:"max_symbols_per_step" ge:"0" le:"1000"`
	BeamEnabled         bool     `form:"beam_enabled" default:"false"`
	BeamSize            *int     `form:"beam_size" ge:"1" le:"64"`
	BeamLengthPenalty   *float64 `form:"beam_length_penalty" ge:"-100" le:"100"`
	BeamTemperature     *float64 `form:"beam_temperature" ge:"0.01" le:"10"`
	LoopLabels          *bool    `form:"loop_labels"`
	UseCUDAGraphDecoder *bool    `form:"use_cuda_graph_decoder"`
	AcousticScale       *float64 `form:"acoustic_scale" ge:"0" le:"100"`
	CTCWeight           float64  `form:"ctc_weight" default:"0" ge:"0" le:"1"`

	CTCWSEnabled               bool    `form:"ctc_ws_enabled" default:"false"`
	CTCWSContext               *string `form:"ctc_ws_context" maxlen:"65536"`
	CTCWSApply                 bool    `form:"ctc_ws_apply" default:"false"`
	CTCWSBeamThreshold         float64 `form:"ctc_ws_beam_threshold" default:"7" ge:"0" le:"1000"`
	CTCWSContextScore          float64 `form:"ctc_ws_context_score" default:"3" ge:"-100" le:"100"`
	CTCWSAliTokenWeight        float64 `form:"ctc_ws_ali_token_weight" default:"0.5" ge:"-100" le:"100"`
	CTCWSIntersectionThreshold float64 `form:"ctc_ws_intersection_threshold" default:"30" ge:"0" le:"100"`
	CTCWSKeywordThreshold      float64 `form:"ctc_ws_keyword_threshold" default:"-5" ge:"-1000" le:"1000"`
	CTCWSBlankThreshold        float64 `form:"ctc_ws_blank_threshold" default:"0.8" ge:"0" le:"1"`
	CTCWSNonBlankThreshold     float64 `form:"ctc_ws_non_blank_threshold" default:"0.001" ge:"0" le:"1"`

	MaxChunkSeconds int     `form:"max_chunk_seconds" default:"15" ge:"1" le:"60"`
	VADThreshold    float64 `form:"vad_threshold" default:"0.4" ge:"0" le:"1"`
	VADMinSpeechMS  int     `form:"vad_min_speech_ms" default:"100" ge:"0" le:"60000"`
	VADMaxSpeechS   int     `form:"vad_max_speech_s" default:"20" ge:"1" le:"3600"`
	VADMinSilenceMS int     `form:"vad_min_silence_ms" default:"200" ge:"0" le:"60000"`
	VADPadMS        int     `form:"vad_pad_ms" default:"30" ge:"0" le:"10000"`
}

// engineParams converts the form into the engine's parameters.
func (f *debugForm) engineParams() engine.DebugParams {
	return engine.DebugParams{
		Mode:                       engine.DecodeMode(f.Mode),
		Strategy:                   f.Strategy,
		Temperature:                f.Temperature,
		MaxSymbolsPerStep:          f.MaxSymbolsPerStep,
		BeamEnabled:                f.BeamEnabled,
		BeamSize:                   f.BeamSize,
		BeamLengthPenalty:          f.BeamLengthPenalty,
		BeamTemperature:            f.BeamTemperature,
		LoopLabels:                 f.LoopLabels,
		UseCUDAGraphDecoder:        f.UseCUDAGraphDecoder,
		AcousticScale:              f.AcousticScale,
		CTCWeight:                  f.CTCWeight,
		CTCWSEnabled:               f.CTCWSEnabled,
		CTCWSContext:               f.CTCWSContext,
		CTCWSApply:                 f.CTCWSApply,
		CTCWSBeamThreshold:         f.CTCWSBeamThreshold,
		CTCWSContextScore:          f.CTCWSContextScore,
		CTCWSAliTokenWeight:        f.CTCWSAliTokenWeight,
		CTCWSIntersectionThreshold: f.CTCWSIntersectionThreshold,
		CTCWSKeywordThreshold:      f.CTCWSKeywordThreshold,
		CTCWSBlankThreshold:        f.CTCWSBlankThreshold,
		CTCWSNonBlankThreshold:     f.CTCWSNonBlankThreshold,
		MaxChunkSeconds:            f.MaxChunkSeconds,
		VADThreshold:               f.VADThreshold,
		VADMinSpeechMS:             f.VADMinSpeechMS,
		VADMaxSpeechS:              f.VADMaxSpeechS,
		VADMinSilenceMS:            f.VADMinSilenceMS,
		VADPadMS:                   f.VADPadMS,
	}
}

// parametersBody echoes every parameter under its form name, resolved.
type parametersBody struct {
	Mode                       engine.DecodeMode `json:"mode"`
	Strategy                   *string           `json:"strategy,omitempty"`
	Temperature                *float64          `json:"temperature"`
	MaxSymbolsPerStep          *int              `json:"max_symbols_per_step"`
	BeamEnabled                bool              `json:"beam_enabled"`
	BeamSize                   *int              `json:"beam_size"`
	BeamLengthPenalty          *float64          `json:"beam_length_penalty"`
	BeamTemperature            *float64          `json:"beam_temperature"`
	LoopLabels                 *bool             `json:"loop_labels"`
	UseCUDAGraphDecoder        *bool             `json:"use_cuda_graph_decoder"`
	AcousticScale              *float64          `json:"acoustic_scale"`
	CTCWeight                  float64           `json:"ctc_weight"`
	CTCWSEnabled               bool              `json:"ctc_ws_enabled"`
	CTCWSContext               *string           `json:"ctc_ws_context"`
	CTCWSApply                 bool              `json:"ctc_ws_apply"`
	CTCWSBeamThreshold         float64           `json:"ctc_ws_beam_threshold"`
	CTCWSContextScore          float64           `json:"ctc_ws_context_score"`
	CTCWSAliTokenWeight        float64           `json:"ctc_ws_ali_token_weight"`
	CTCWSIntersectionThreshold float64           `json:"ctc_ws_intersection_threshold"`
	CTCWSKeywordThreshold      float64           `json:"ctc_ws_keyword_threshold"`
	CTCWSBlankThreshold        float64           `json:"ctc_ws_blank_threshold"`
	CTCWSNonBlankThreshold     float64           `json:"ctc_ws_non_blank_threshold"`
	MaxChunkSeconds            int               `json:"max_chunk_seconds"`
	VADThreshold               float64           `json:"vad_threshold"`
	VADMinSpeechMS             int               `json:"vad_min_speech_ms"`
	VADMaxSpeechS              int               `json:"vad_max_speech_s"`
	VADMinSilenceMS            int               `json:"vad_min_silence_ms"`
	VADPadMS                   int               `json:"vad_pad_ms"`
}
