package main

import (
	"context"
	"fmt"
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

// engineBench holds the engine under measurement and the audio. What is decoded is kept, so that only the first,
// unmeasured run of a cell pays for it.
type engineBench struct {
	engine     *engine.Engine
	mode       engine.DecodeMode
	clip, file benchRecording
}

// benchRecording is a file and, once asked for, its samples.
type benchRecording struct {
	path    string
	samples []float32
}

// benchCell does its work once and gives the texts that it heard.
type benchCell func(context.Context) ([]string, error)

func (b *engineBench) benchCells() map[string]benchCell {
	return map[string]benchCell{"clip": b.oneClip, "file": b.longFile, "clients": b.manyClients, "stream": b.streamedFile}
}

func (b *engineBench) loadModel(q benchRequest) (benchAnswer, error) {
	b.clip.path, b.file.path = q.Clip, q.File
	b.mode = engine.DecodeMode(q.Head)
	lib, sum, version := ortlib.PackedLibrary()
	var err error
	b.engine, err = engine.OpenDir(filepath.Join(q.Folder, "munadi"), engine.Config{
		Library:  ort.PackedLibrary{Zstd: lib, SHA256: sum, Version: version},
		CacheDir: q.Cache, VAD: vad.ModelBytes(), Threads: q.Threads,
	})
	if err != nil {
		return benchAnswer{}, err
	}
	ways := make(map[string][]string)
	for name := range b.benchCells() {
		ways[name] = []string{variant}
	}
	return benchAnswer{Variants: ways, Version: "ONNX Runtime " + version}, nil
}

func (b *engineBench) closeEngine() {
	if b.engine != nil {
		_ = b.engine.Close() // the process ends
	}
}

func (b *engineBench) transcribeRecording(ctx context.Context, r *benchRecording, noVAD bool) (*engine.Result, error) {
	samples, err := r.decodeSamples(ctx)
	if err != nil {
		return nil, err
	}
	return b.engine.Transcribe(ctx, engine.NewSampleReader(samples), engine.TranscribeOptions{Mode: b.mode, NoVAD: noVAD})
}

func (b *engineBench) oneClip(ctx context.Context) ([]string, error) {
	res, err := b.transcribeRecording(ctx, &b.clip, true)
	if err != nil {
		return nil, err
	}
	return []string{res.Text}, nil
}

func (b *engineBench) longFile(ctx context.Context) ([]string, error) {
	res, err := b.transcribeRecording(ctx, &b.file, false)
	if err != nil {
		return nil, err
	}
	return segmentTexts(res), nil
}

// streamedFile reads the long file while it transcribes, as the appliance does; for the measurement of memory.
func (b *engineBench) streamedFile(ctx context.Context) ([]string, error) {
	f, err := os.Open(b.file.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	stream, err := audio.OpenStream(ctx, f, audio.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }()
	res, err := b.engine.Transcribe(ctx, stream, engine.TranscribeOptions{Mode: b.mode})
	if err != nil {
		return nil, err
	}
	return segmentTexts(res), nil
}

func (b *engineBench) manyClients(ctx context.Context) ([]string, error) {
	if _, err := b.clip.decodeSamples(ctx); err != nil {
		return nil, err
	}
	heard := make([]string, clients)
	g, ctx := errgroup.WithContext(ctx)
	for i := range heard {
		g.Go(func() error {
			res, err := b.transcribeRecording(ctx, &b.clip, true)
			if err == nil {
				heard[i] = res.Text
			}
			return err
		})
	}
	return heard, g.Wait()
}

func segmentTexts(r *engine.Result) []string {
	out := make([]string, len(r.Segments))
	for i, s := range r.Segments {
		out[i] = s.Text
	}
	return out
}

// countTokens counts those of the clip.
func (b *engineBench) countTokens(ctx context.Context) (int, error) {
	res, err := b.transcribeRecording(ctx, &b.clip, true)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, s := range res.Segments {
		n += len(s.Tokens)
	}
	return n, nil
}

func (r *benchRecording) decodeSamples(ctx context.Context) ([]float32, error) {
	if r.samples != nil {
		return r.samples, nil
	}
	f, err := os.Open(r.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r.samples, err = audio.DecodeAll(ctx, f, audio.DecodeOptions{})
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", r.path, err)
	}
	return r.samples, nil
}
