package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	ortlib "munadi/assets/ort"
	"munadi/assets/vad"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/engine/ort"
)

const clients = 16

// variant is the only way in which the engine does a cell.
const variant = "Transcribe"

// bench holds the engine under measurement and the audio. What is decoded is kept, so that only the first, unmeasured
// run of a cell pays for it.
type bench struct {
	engine     *engine.Engine
	mode       engine.Mode
	clip, file recording
}

// recording is a file and, once asked for, its samples.
type recording struct {
	path    string
	samples []float32
}

// cell does its work once and gives the texts that it heard.
type cell func(context.Context) ([]string, error)

func (b *bench) cells() map[string]cell {
	return map[string]cell{"clip": b.oneClip, "file": b.longFile, "clients": b.manyClients, "stream": b.streamedFile}
}

func (b *bench) load(q request) (answer, error) {
	b.clip.path, b.file.path = q.Clip, q.File
	b.mode = engine.Mode(q.Head)
	lib, sum, version := ortlib.Library()
	var err error
	b.engine, err = engine.OpenDir(filepath.Join(q.Folder, "munadi"), engine.Config{
		Library:  ort.Library{Zstd: lib, SHA256: sum, Version: version},
		CacheDir: q.Cache, VAD: vad.Model(), Threads: q.Threads,
	})
	if err != nil {
		return answer{}, err
	}
	ways := make(map[string][]string)
	for name := range b.cells() {
		ways[name] = []string{variant}
	}
	return answer{Variants: ways, Version: "ONNX Runtime " + version}, nil
}

func (b *bench) close() {
	if b.engine != nil {
		_ = b.engine.Close() // the process ends
	}
}

func (b *bench) transcribe(ctx context.Context, r *recording, noVAD bool) (*engine.Result, error) {
	samples, err := r.decoded(ctx)
	if err != nil {
		return nil, err
	}
	return b.engine.Transcribe(ctx, &reader{samples}, engine.Options{Mode: b.mode, NoVAD: noVAD})
}

func (b *bench) oneClip(ctx context.Context) ([]string, error) {
	res, err := b.transcribe(ctx, &b.clip, true)
	if err != nil {
		return nil, err
	}
	return []string{res.Text}, nil
}

func (b *bench) longFile(ctx context.Context) ([]string, error) {
	res, err := b.transcribe(ctx, &b.file, false)
	if err != nil {
		return nil, err
	}
	return texts(res), nil
}

// streamedFile reads the long file while it transcribes, as the appliance does; for the measurement of memory.
func (b *bench) streamedFile(ctx context.Context) ([]string, error) {
	f, err := os.Open(b.file.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	stream, err := audio.Open(ctx, f, audio.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }()
	res, err := b.engine.Transcribe(ctx, stream, engine.Options{Mode: b.mode})
	if err != nil {
		return nil, err
	}
	return texts(res), nil
}

func (b *bench) manyClients(ctx context.Context) ([]string, error) {
	if _, err := b.clip.decoded(ctx); err != nil {
		return nil, err
	}
	heard := make([]string, clients)
	g, ctx := errgroup.WithContext(ctx)
	for i := range heard {
		g.Go(func() error {
			res, err := b.transcribe(ctx, &b.clip, true)
			if err == nil {
				heard[i] = res.Text
			}
			return err
		})
	}
	return heard, g.Wait()
}

func texts(r *engine.Result) []string {
	out := make([]string, len(r.Segments))
	for i, s := range r.Segments {
		out[i] = s.Text
	}
	return out
}

// tokens counts those of the clip.
func (b *bench) tokens(ctx context.Context) (int, error) {
	res, err := b.transcribe(ctx, &b.clip, true)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, s := range res.Segments {
		n += len(s.Tokens)
	}
	return n, nil
}

// reader is samples as an engine.Source.
type reader struct{ rest []float32 }

func (r *reader) Read(p []float32) (int, error) {
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (r *recording) decoded(ctx context.Context) ([]float32, error) {
	if r.samples != nil {
		return r.samples, nil
	}
	f, err := os.Open(r.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r.samples, err = audio.Decode(ctx, f, audio.Options{})
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", r.path, err)
	}
	return r.samples, nil
}
