package engine

import (
	"fmt"
	"strings"

	"munadi/engine/decode"
)

// debugWarnings lists the given parameters that have no effect on this machine, with this model or with the other
// parameters, or that make the result meaningless.
func (e *Engine) debugWarnings(p DebugParams) []string {
	out := []string{}
	note := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	note(*p.UseCUDAGraphDecoder, "use_cuda_graph_decoder has no effect: decoding runs on the CPU, without CUDA graphs")
	note(!e.model.HasRNNT(), "the model has no RNNT head: mode, rnnt and hybrid show the CTC head's result")
	note(!e.model.HasCTC(),
		"the model has no CTC head: mode ctc shows the RNNT head's result; ctc_weight and ctc_ws_* have no effect")
	note(e.isTDT() && searchStrategy(*p.Strategy) != greedyBatch,
		"strategy and beam_enabled: the model is a token-and-duration transducer (TDT), whose RNNT head is decoded greedily")
	p.warnOfSearch(note)
	note(p.Mode != Hybrid && (p.CTCWeight != 0 || *p.AcousticScale != 1 || *p.BeamLengthPenalty != 0),
		"ctc_weight, acoustic_scale and beam_length_penalty rank hypotheses in mode hybrid only")
	note(2*p.VADPadMS >= 1000*p.VADMaxSpeechS,
		"vad_pad_ms before and after speech fills vad_max_speech_s: speech is cut at every window")
	note(p.CTCWSApply && !p.CTCWSEnabled, "ctc_ws_apply: ctc_ws_enabled is off")
	note(p.tunesSpotter() && !p.CTCWSEnabled,
		"ctc_ws_context and the thresholds of ctc_ws_* apply to the word spotter; ctc_ws_enabled is off")
	entries, unwritable := e.parseContext(*p.CTCWSContext)
	note(p.CTCWSEnabled && len(unwritable) > 0,
		"ctc_ws_context: phrases with letters that the model's vocabulary lacks are not spotted: %s", joinPhrases(unwritable))
	note(p.CTCWSEnabled && len(entries) == 0,
		"ctc_ws_context has no phrase that the model's vocabulary can write; nothing is spotted")
	return out
}

// warnOfSearch lists the parameters that the chosen search does not use.
func (p DebugParams) warnOfSearch(note func(when bool, format string, args ...any)) {
	chosen := searchStrategy(*p.Strategy)
	greedy, why := chosen == greedyBatch, "beam_enabled is on"
	if chosen != p.usualStrategy() {
		why = "strategy is " + string(chosen)
	}
	note(chosen != p.usualStrategy() && p.BeamEnabled,
		"beam_enabled applies to the CTC head only; strategy selects the RNNT search")
	note(!greedy && !*p.LoopLabels, "loop_labels applies to greedy decoding; %s", why)
	note(!greedy && chosen != malsdBatch && *p.MaxSymbolsPerStep != 10,
		"max_symbols_per_step applies to greedy decoding and malsd_batch; %s", why)
	note(!greedy && *p.Temperature != 1,
		"temperature applies to greedy decoding and CTC; the RNNT beam uses beam_temperature")
	note(chosen == malsdBatch && *p.BeamTemperature != 1, "beam_temperature does not apply to malsd_batch")
	note(greedy && *p.BeamTemperature != 1, "beam_temperature applies to the beam; beam_enabled is off")
	note(greedy && !p.BeamEnabled && *p.BeamSize != 4, "beam_size applies to the beam; beam_enabled is off")
}

// namedPhrases is the number of phrases that a warning lists, namedRunes their truncated length.
const namedPhrases, namedRunes = 20, 60

// joinPhrases lists phrases in one line.
func joinPhrases(phrases []string) string {
	var out []string
	for _, p := range phrases[:min(namedPhrases, len(phrases))] {
		if runes := []rune(p); len(runes) > namedRunes {
			p = string(runes[:namedRunes]) + "…"
		}
		out = append(out, p)
	}
	if more := len(phrases) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}

// workLimits counts the segments that reached their work limit.
type workLimits struct{ searches, lattices int }

func (l *workLimits) countSegment(d decodedChunk) {
	if d.short {
		l.searches++
	}
	if d.unjudged {
		l.lattices++
	}
}

// addWarnings appends warnings for the client.
func (l workLimits) addWarnings(warnings []string) []string {
	if l.searches > 0 {
		warnings = append(
			warnings,
			fmt.Sprintf("the RNNT search reached its work limit in segments (%d of them, at %d evaluations of the joint"+
				" network per frame) and continued with its best hypothesis only:"+
				" use a smaller beam_size, a lower beam_temperature or fewer max_symbols_per_step", l.searches, searchJoints),
		)
	}
	if l.lattices > 0 {
		warnings = append(
			warnings,
			fmt.Sprintf("hypotheses were ranked by the scores of their search, without the CTC head, in"+
				" segments (%d of them) where scoring all of them on their lattices takes more than %d evaluations of the"+
				" joint network per frame: use a smaller beam_size", l.lattices, latticeJoints),
		)
	}
	return warnings
}

// tunesSpotter reports whether a word spotter parameter differs from its default.
func (p DebugParams) tunesSpotter() bool {
	d := DebugDefaults()
	return *p.CTCWSContext != "" || p.CTCWSBeamThreshold != d.CTCWSBeamThreshold ||
		p.CTCWSContextScore != d.CTCWSContextScore || p.CTCWSAliTokenWeight != d.CTCWSAliTokenWeight ||
		p.CTCWSIntersectionThreshold != d.CTCWSIntersectionThreshold ||
		p.CTCWSKeywordThreshold != d.CTCWSKeywordThreshold || p.CTCWSBlankThreshold != d.CTCWSBlankThreshold ||
		p.CTCWSNonBlankThreshold != d.CTCWSNonBlankThreshold
}

// parseContext parses ctc_ws_context: phrases separated by lines or commas, each alone or in NeMo's form
// word_spelling1_spelling2. Spellings outside the vocabulary are left out and returned.
func (e *Engine) parseContext(text string) (entries []decode.ContextPhrase, unwritable []string) {
	for _, line := range SplitPhrases(text) {
		parts := strings.Split(line, "_")
		spellings := parts[1:]
		if len(spellings) == 0 {
			spellings = parts
		}
		if entry, ok := e.spellPhrase(parts[0], spellings...); ok {
			entries = append(entries, entry)
		}
		for _, s := range spellings {
			if ids := e.model.Tokenizer.EncodeText(s); len(ids) == 0 || !canWrite(e.model, ids) {
				unwritable = append(unwritable, s)
			}
		}
	}
	return entries, unwritable
}

// SplitPhrases splits a phrase list at lines and at Latin and Arabic commas, and drops empty and duplicate items.
func SplitPhrases(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r,،", r) }) {
		phrase := strings.Join(strings.Fields(f), " ")
		if phrase != "" && !seen[phrase] {
			seen[phrase] = true
			out = append(out, phrase)
		}
	}
	return out
}
