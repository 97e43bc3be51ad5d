package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"munadi/appliance/config"
	"munadi/appliance/recognizer"
	"munadi/appliance/stt"
	"munadi/appliance/subtitle"
	"munadi/appliance/textform"
	"munadi/engine"
	"munadi/engine/audio"
)

// TranscribeCmd is munadi transcribe: audio files in, text on standard output, a progress bar on standard error if
// that is a terminal.
type TranscribeCmd struct {
	Files    []string `arg:"" name:"file" help:"Audio files in any format; - is standard input."`
	Format   string   `name:"format" enum:"text,json,verbose_json,srt,vtt" default:"text" help:"Output format: text, json, verbose_json, srt or vtt."`
	Mode     string   `name:"mode" enum:"hybrid,rnnt,ctc" default:"hybrid" help:"Decoder: hybrid, rnnt or ctc."`
	Channels string   `name:"channels" enum:"mix,left,right,separate" default:"mix" help:"mix, left, right, or separate: each channel separately, with the text ordered by time."`
	Prompt   string   `name:"prompt" placeholder:"PHRASES" help:"Phrases for context biasing, separated by commas."`
	Language string   `name:"language" placeholder:"CODE" help:"Language, such as ar or en-US, if the model has several; munadi model info lists them."`
	textFlags
}

// textFlags choose the form of the text.
type textFlags struct {
	TextForm string `name:"text-form" enum:"spoken,written" default:"spoken" help:"spoken, or written: numbers, money, telephone numbers, times, dates, percentages and e-mail addresses as people write them."`
	Numerals string `name:"numerals" enum:"latn,arab" default:"latn" help:"Digits of the written form: latn (0123456789) or arab (٠١٢٣٤٥٦٧٨٩)."`
	Country  string `name:"country" placeholder:"CODE" help:"Country of local telephone numbers and currencies in the written form, such as AE; default: SA."`
	Redact   bool   `name:"redact" help:"Write […] for telephone and order numbers, other numbers of five digits or more, and e-mail addresses."`
}

func (f textFlags) options() textform.Options {
	return textform.Options{
		Form: textform.Form(f.TextForm), Numerals: textform.Numerals(f.Numerals), Country: strings.ToUpper(f.Country),
		Redact: f.Redact,
	}
}

// Run transcribes the files; one that can't be read is reported and doesn't stop the others.
func (t *TranscribeCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	e, err := openEngine(cfg)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	if err := checkLanguage(e, t.Language); err != nil {
		return err
	}
	var failures []error
	for _, path := range t.Files {
		if err := t.transcribeFile(ctx, cfg, e, path, out); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", path, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(failures...)
}

// checkLanguage refuses a language that the model does not have.
func checkLanguage(e *engine.Engine, language string) error {
	if e.HasLanguage(language) {
		return nil
	}
	return fmt.Errorf("the model does not have the language %s; it has: %s",
		language, strings.Join(e.ModelInfo().Languages, ", "))
}

func (t *TranscribeCmd) transcribeFile(
	ctx context.Context, cfg *config.Config, e *engine.Engine, path string, out io.Writer,
) error {
	in, size, err := openInput(path)
	if err != nil {
		return err
	}
	defer in.Close()
	bar := showProgress(path, size)
	open := func(channel audio.ChannelChoice) (recognizer.OpenedSound, error) {
		return audio.OpenStream(ctx, in, audio.DecodeOptions{FFmpeg: cfg.FFmpeg, Channel: channel})
	}
	results, err := t.decodeChannels(ctx, e, open, func() { bar(in) })
	if err != nil {
		return err
	}
	bar(nil)
	return t.printResult(out, path, results)
}

// decodeChannels decodes the channels of a recording.
func (t *TranscribeCmd) decodeChannels(
	ctx context.Context, e *engine.Engine, open stt.ChannelOpener, progress func(),
) (results []*engine.Result, err error) {
	channels := stt.ChannelsOf(t.Channels)
	var echoes stt.ChannelEchoes
	if channels[0] != audio.MixChannels {
		if echoes, err = stt.FindEchoes(open); err != nil {
			return nil, err
		}
	}
	for _, channel := range channels {
		sound, err := open(channel)
		if len(results) > 0 && audio.LacksChannel(err) {
			break // mono: there is no second channel
		}
		if err != nil {
			return nil, err
		}
		res, err := e.Transcribe(ctx, sound, engine.TranscribeOptions{
			Mode: engine.DecodeMode(t.Mode), Phrases: engine.SplitPhrases(t.Prompt), Language: t.Language,
			OneChannel: channel != audio.MixChannels, Echo: echoes[channel],
			OnProgress: func(float64, float64) { progress() },
		})
		if err = errors.Join(err, sound.Close()); err != nil {
			return nil, err
		}
		results = append(results, t.options().FormatResult(res))
	}
	return results, nil
}

// openInput opens a file, or reads all of standard input or of a pipe, which cannot be rewound.
func openInput(path string) (io.ReadSeekCloser, int64, error) {
	if path == "-" {
		return readWhole(os.Stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, errors.Unwrap(err)
	}
	st, err := f.Stat()
	switch {
	case err != nil || st.IsDir():
		return nil, 0, errors.Join(errors.New("is not a file"), err, f.Close())
	case st.Mode().IsRegular():
		return f, st.Size(), nil
	}
	defer f.Close()
	return readWhole(f)
}

// readWhole reads r to its end.
func readWhole(r io.Reader) (io.ReadSeekCloser, int64, error) {
	b, err := io.ReadAll(r)
	return nopCloser{bytes.NewReader(b)}, int64(len(b)), err
}

type nopCloser struct{ io.ReadSeeker }

func (nopCloser) Close() error { return nil }

// showProgress returns a function that updates the progress bar to the position in the file; called with nil it
// finishes.
func showProgress(path string, size int64) func(io.Seeker) {
	if !term.IsTerminal(int(os.Stderr.Fd())) || size == 0 {
		return func(io.Seeker) {}
	}
	bar := progressbar.NewOptions64(size, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription(filepath.Base(path)), progressbar.OptionShowBytes(false))
	return func(in io.Seeker) {
		if in == nil {
			_ = bar.Finish() // a failure to draw is ignored
			return
		}
		if at, err := in.Seek(0, io.SeekCurrent); err == nil {
			_ = bar.Set64(at)
		}
	}
}

// printResult prints the results of a file's channels. With several files, plain text is preceded by the file's name.
func (t *TranscribeCmd) printResult(out io.Writer, path string, results []*engine.Result) error {
	var cues []subtitle.SubtitleCue
	for _, s := range stt.MergeSegments(results) {
		cues = append(cues, subtitle.SubtitleCue{Start: s.Start, End: s.End, Text: s.Text})
	}
	switch t.Format {
	case "srt":
		return subtitle.WriteSRT(out, cues)
	case "vtt":
		return subtitle.WriteVTT(out, cues)
	case "text":
		if len(t.Files) > 1 {
			fmt.Fprint(out, strings.ReplaceAll(path, "\n", " "), ": ")
		}
		_, err := fmt.Fprint(out, stt.ResponseBody(results, t.Channels, t.Format))
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(stt.ResponseBody(results, t.Channels, t.Format))
}
