package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"munadi/appliance/config"
	"munadi/appliance/textform"
	"munadi/engine"
	"munadi/engine/mic"
)

// listTimeout is the timeout for listing sound devices.
const listTimeout = 10 * time.Second

// MicCmd is munadi mic: live transcription of a microphone to standard output, until it is interrupted.
type MicCmd struct {
	List     bool   `name:"list" help:"List the microphones of this machine."`
	Device   string `name:"device" placeholder:"NAME" help:"Microphone, by its name, a part of the name or its id; default: the system's default one."`
	Format   string `name:"format" enum:"text,json" default:"text" help:"text, or one JSON object per event."`
	Prompt   string `name:"prompt" placeholder:"PHRASES" help:"Phrases for context biasing, separated by commas."`
	Language string `name:"language" placeholder:"CODE" help:"Language, such as ar or en-US, if the model has several; munadi model info lists them."`
	textFlags
}

// Run lists the devices or listens to one.
func (m *MicCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	if m.List {
		return m.listDevices(ctx, out)
	}
	e, err := openEngine(cfg)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	if err := checkLanguage(e, m.Language); err != nil {
		return err
	}
	s, err := e.OpenStream(engine.StreamOptions{
		Phrases: engine.SplitPhrases(m.Prompt), Partial: 128 * time.Millisecond, Latency: time.Duration(cfg.LiveLatency),
		Language: m.Language,
	})
	if err != nil {
		return err
	}
	w := m.newWriter(out)
	begun := sync.OnceFunc(func() { w.writeNote("listening; press Ctrl+C to stop") })
	err = mic.ListenTo(ctx, m.Device, mic.SoundListener{
		Sound: func(samples []float32) error {
			begun()
			events, err := s.Push(ctx, samples)
			return errors.Join(w.writeEvents(events), err)
		},
		Gone: func(reason error) {
			if events, err := s.Flush(ctx); err == nil { // the sentence may be unfinished
				_ = w.writeEvents(events) // a closed output fails again at the next write
			}
			w.writeNote(reason.Error() + "; waiting until it is back")
		},
		Back: func() { w.writeNote("the microphone is back") },
	})
	if err != nil && ctx.Err() == nil {
		return withMicrophoneHelp(err)
	}
	events, err := s.Flush(context.WithoutCancel(ctx))
	return errors.Join(err, w.writeEvents(events))
}

// withMicrophoneHelp wraps the error of a missing microphone with the remedy.
func withMicrophoneHelp(err error) error {
	switch {
	case errors.Is(err, mic.ErrNoSoundSystem):
		return fmt.Errorf("%w; install PulseAudio, PipeWire or libasound2", mic.ErrNoSoundSystem)
	case errors.Is(err, mic.ErrNoDevice):
		return fmt.Errorf("%w; munadi mic --list shows the available ones", err)
	}
	return err
}

func (m *MicCmd) listDevices(ctx context.Context, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	devices, err := mic.ListDevices(ctx)
	if err != nil {
		return withMicrophoneHelp(err)
	}
	if m.Format == "json" {
		if devices == nil {
			devices = []mic.CaptureDevice{}
		}
		return json.NewEncoder(out).Encode(devices)
	}
	if len(devices) == 0 {
		_, err := fmt.Fprintln(out, "This machine has no microphone.")
		return err
	}
	for _, d := range devices {
		mark := " "
		if d.Default {
			mark = "*"
		}
		if _, err := fmt.Fprintf(out, "%s %s\n", mark, d.Name); err != nil {
			return err
		}
	}
	return nil
}

func (m *MicCmd) newWriter(out io.Writer) *micWriter {
	w := &micWriter{out: out, json: m.Format == "json", form: m.options()}
	if f, ok := out.(*os.File); ok && !w.json && term.IsTerminal(int(f.Fd())) {
		w.width = func() int {
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 80
			}
			return width
		}
	}
	return w
}

// micWriter writes final texts as lines. On a terminal the last line shows the partial text until it is final.
type micWriter struct {
	out   io.Writer
	json  bool
	form  textform.Options
	said  string     // the last turns, as recognized
	width func() int // of the terminal; nil: not a terminal
	shown string     // partial text on the last line
}

// micEvent is an event as JSON. Times are in seconds since the start.
type micEvent struct {
	Type       string        `json:"type"` // partial or final
	Start      float64       `json:"start"`
	End        float64       `json:"end"`
	Text       string        `json:"text"`
	Confidence float64       `json:"confidence"`
	Words      []micWordJSON `json:"words,omitempty"`
}

type micWordJSON struct {
	Word       string  `json:"word"`
	Start      float64 `json:"start"`
	End        float64 `json:"end"`
	Confidence float64 `json:"confidence"`
}

func (w *micWriter) writeEvents(events []engine.StreamEvent) error {
	for _, e := range events {
		if err := w.writeEvent(e); err != nil {
			return err
		}
	}
	return nil
}

func (w *micWriter) writeEvent(e engine.StreamEvent) error {
	final := e.Type == engine.Final
	said := e.Text
	if e = w.form.FormatEvent(w.said, e); final {
		w.said = textform.KeepHeard(w.said, said)
	}
	switch {
	case !final && (e.Type != engine.Partial || w.form.Changes()):
		return nil
	case w.json:
		return w.writeJSON(e)
	case final && e.Text == "":
		return w.rewriteLine("")
	case final:
		_, err := fmt.Fprintf(w.out, "%s%s\n", w.clearLine(), e.Text)
		return err
	}
	return w.rewriteLine(e.Text)
}

func (w *micWriter) writeJSON(e engine.StreamEvent) error {
	o := micEvent{
		Type: string(e.Type), Start: e.Start, End: e.End, Text: e.Text, Confidence: math.Round(e.Confidence*1e4) / 1e4,
	}
	if e.Type == engine.Final {
		for _, x := range e.Words {
			o.Words = append(o.Words, micWordJSON{x.Text, x.Start, x.End, math.Round(x.Confidence*1e4) / 1e4})
		}
	}
	enc := json.NewEncoder(w.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(o)
}

// rewriteLine shows the end of a partial text on the terminal's last line.
func (w *micWriter) rewriteLine(text string) error {
	if w.width == nil || text == w.shown {
		return nil
	}
	runes := []rune(text)
	if most := w.width() - 2; len(runes) > most && most > 0 {
		runes = append([]rune("…"), runes[len(runes)-most+1:]...)
	}
	_, err := fmt.Fprint(w.out, w.clearLine(), strings.TrimSpace(string(runes)))
	w.shown = text
	return err
}

// clearLine returns the escape sequence that erases the last line.
func (w *micWriter) clearLine() string {
	if w.width == nil {
		return ""
	}
	w.shown = ""
	return "\r\x1b[K"
}

// writeNote prints a message for the user to standard error.
func (w *micWriter) writeNote(line string) {
	fmt.Fprintf(os.Stderr, "%smunadi: %s\n", w.clearLine(), line)
}
