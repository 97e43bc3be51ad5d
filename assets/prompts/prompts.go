// Package prompts holds the bundled voice: the prompts of the two built-in scenarios, the building blocks of numbers,
// hours, days and months, and the lines of simulated people and answering machines.
//
// It is bytes and their names only. texts.tsv has a line for each clip: its name, where its bytes begin in voice.ulaw,
// how many there are, its text with vowel marks and without. A byte is a sample: 8 kHz mono, G.711 µ-law, which is what
// a telephone line carries; every clip is levelled. voice.g722 holds the same for lines that carry more: 16 kHz mono,
// G.722 at 64 kbit/s, every clip but machine.*, *.high and *.low, in the order of texts.tsv. A clip has the same number
// of bytes there, and its coder starts from the beginning. Names say what a clip is for:
//
//	appointment.* common.* restaurant.*          lines of the assistant
//	number.* hour.* day.* month.* word.*         building blocks
//	callee.*  callee.*.high  callee.*.low        lines of a called person, in three voices
//	machine.* machine.*.high machine.*.low       answering machines and announcements
//
// The voice and its licence are in SOURCES; packaging/make-prompts made the files.
package prompts

import _ "embed"

//go:embed texts.tsv
var index string

//go:embed voice.ulaw
var voice string

//go:embed voice.g722
var wideVoice string

// IndexText returns texts.tsv.
func IndexText() string { return index }

// VoiceBytes returns all clips' bytes, one after another. They lie in the binary and are paged in as they are used.
func VoiceBytes() string { return voice }

// WideVoiceBytes returns the clips' bytes of voice.g722.
func WideVoiceBytes() string { return wideVoice }
