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

	"munadi/appliance/caption"
	"munadi/appliance/config"
	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/engine/audio"
)

// TranscribeCmd is munadi transcribe: files in, text on standard output, progress on standard error if that is a
// terminal.
type TranscribeCmd struct {
	Files    []string `arg:"" name:"file" help:"Recordings in any format; - is standard input."`
	Format   string   `name:"format" enum:"text,json,verbose_json,srt,vtt" default:"text" help:"text, json, verbose_json, srt or vtt."`
	Mode     string   `name:"mode" enum:"hybrid,rnnt,ctc" default:"hybrid" help:"hybrid, rnnt or ctc."`
	Channels string   `name:"channels" enum:"mix,left,right,separate" default:"mix" help:"mix, left, right, or separate: each by itself, text in the order of time."`
	Prompt   string   `name:"prompt" placeholder:"PHRASES" help:"Phrases to listen for, separated by commas."`
}

// Run goes through the files; one that can't be read is reported and doesn't stop the others.
func (t *TranscribeCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	e, err := openEngine(cfg)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	var failures []error
	for _, path := range t.Files {
		if err := t.file(ctx, cfg, e, path, out); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", path, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(failures...)
}

func (t *TranscribeCmd) file(
	ctx context.Context, cfg *config.Config, e *engine.Engine, path string, out io.Writer,
) error {
	in, size, err := open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	bar := progress(path, size)
	var results []*engine.Result
	for _, channel := range stt.Channels(t.Channels) {
		res, err := t.hear(ctx, cfg, e, in, channel, bar)
		var bad *audio.Error
		if len(results) > 0 && errors.As(err, &bad) && bad.Code == audio.CodeChannel {
			break // one channel is all there is
		}
		if err != nil {
			return err
		}
		results = append(results, res)
	}
	bar(nil)
	return t.write(out, path, results)
}

// hear decodes one channel.
func (t *TranscribeCmd) hear(
	ctx context.Context, cfg *config.Config, e *engine.Engine, in io.ReadSeeker, channel audio.Channel,
	bar func(io.Seeker),
) (*engine.Result, error) {
	sound, err := audio.Open(ctx, in, audio.Options{FFmpeg: cfg.FFmpeg, Channel: channel})
	if err != nil {
		return nil, err
	}
	defer func() { _ = sound.Close() }()
	return e.Transcribe(ctx, sound, engine.Options{
		Mode: engine.Mode(t.Mode), Phrases: engine.SplitPhrases(t.Prompt),
		OnProgress: func(float64, float64) { bar(in) },
	})
}

// open is a file, or all of standard input or of a pipe, which can't be rewound.
func open(path string) (io.ReadSeekCloser, int64, error) {
	if path == "-" {
		return whole(os.Stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, errors.Unwrap(err)
	}
	st, err := f.Stat()
	switch {
	case err != nil || st.IsDir():
		return nil, 0, errors.Join(errors.New("it is not a file"), err, f.Close())
	case st.Mode().IsRegular():
		return f, st.Size(), nil
	}
	defer f.Close()
	return whole(f)
}

// whole is all that can be read.
func whole(r io.Reader) (io.ReadSeekCloser, int64, error) {
	b, err := io.ReadAll(r)
	return nopCloser{bytes.NewReader(b)}, int64(len(b)), err
}

type nopCloser struct{ io.ReadSeeker }

func (nopCloser) Close() error { return nil }

// progress shows how much of the file has been read and heard; called with nil it is over.
func progress(path string, size int64) func(io.Seeker) {
	if !term.IsTerminal(int(os.Stderr.Fd())) || size == 0 {
		return func(io.Seeker) {}
	}
	bar := progressbar.NewOptions64(size, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription(filepath.Base(path)), progressbar.OptionShowBytes(false))
	return func(in io.Seeker) {
		if in == nil {
			_ = bar.Finish() // a bar that can't be drawn is no failure
			return
		}
		if at, err := in.Seek(0, io.SeekCurrent); err == nil {
			_ = bar.Set64(at)
		}
	}
}

// write prints the results of a file's channels. Several files in text are told apart by their names.
func (t *TranscribeCmd) write(out io.Writer, path string, results []*engine.Result) error {
	var cues []caption.Cue
	for _, s := range stt.Segments(results) {
		cues = append(cues, caption.Cue{Start: s.Start, End: s.End, Text: s.Text})
	}
	switch t.Format {
	case "srt":
		return caption.WriteSRT(out, cues)
	case "vtt":
		return caption.WriteVTT(out, cues)
	case "text":
		if len(t.Files) > 1 {
			fmt.Fprint(out, strings.ReplaceAll(path, "\n", " "), ": ")
		}
		_, err := fmt.Fprint(out, stt.Body(results, t.Channels, t.Format))
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(stt.Body(results, t.Channels, t.Format))
}
