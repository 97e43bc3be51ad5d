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

// bench holds the engine under measurement and the audio, decoded: no cell's time includes reading it.
type bench struct {
	engine     *engine.Engine
	mode       engine.Mode
	clip, file []float32
}

// cell does its work once and gives the texts that it heard.
type cell func(context.Context) ([]string, error)

func (b *bench) cells() map[string]cell {
	return map[string]cell{"clip": b.oneClip, "file": b.longFile, "clients": b.manyClients}
}

func (b *bench) load(ctx context.Context, q request) (answer, error) {
	var err error
	if b.clip, err = decodeFile(ctx, q.Clip); err != nil {
		return answer{}, err
	}
	if b.file, err = decodeFile(ctx, q.File); err != nil {
		return answer{}, err
	}
	lib, sum, version := ortlib.Library()
	b.engine, err = engine.OpenDir(filepath.Join(q.Folder, "munadi"), engine.Config{
		Library:  ort.Library{Zstd: lib, SHA256: sum, Version: version},
		CacheDir: q.Cache, VAD: vad.Model(), Threads: q.Threads,
	})
	b.mode = engine.Mode(q.Head)
	one := []string{variant}
	return answer{
		Variants: map[string][]string{"clip": one, "file": one, "clients": one},
		Version:  "ONNX Runtime " + version,
	}, err
}

func (b *bench) close() {
	if b.engine != nil {
		_ = b.engine.Close() // the process ends
	}
}

func (b *bench) transcribe(ctx context.Context, samples []float32, noVAD bool) (*engine.Result, error) {
	return b.engine.Transcribe(ctx, &reader{samples}, engine.Options{Mode: b.mode, NoVAD: noVAD})
}

func (b *bench) oneClip(ctx context.Context) ([]string, error) {
	res, err := b.transcribe(ctx, b.clip, true)
	if err != nil {
		return nil, err
	}
	return []string{res.Text}, nil
}

func (b *bench) longFile(ctx context.Context) ([]string, error) {
	res, err := b.transcribe(ctx, b.file, false)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(res.Segments))
	for i, s := range res.Segments {
		texts[i] = s.Text
	}
	return texts, nil
}

func (b *bench) manyClients(ctx context.Context) ([]string, error) {
	texts := make([]string, clients)
	g, ctx := errgroup.WithContext(ctx)
	for i := range texts {
		g.Go(func() error {
			res, err := b.transcribe(ctx, b.clip, true)
			if err == nil {
				texts[i] = res.Text
			}
			return err
		})
	}
	return texts, g.Wait()
}

// tokens counts those of the clip.
func (b *bench) tokens(ctx context.Context) (int, error) {
	res, err := b.transcribe(ctx, b.clip, true)
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

func decodeFile(ctx context.Context, path string) ([]float32, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	samples, err := audio.Decode(ctx, f, audio.Options{})
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", path, err)
	}
	return samples, nil
}
