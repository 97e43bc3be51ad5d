package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"munadi/engine/audio"
	"munadi/packaging/launcher"
)

const apiKey = "livebench-key-0123456789"

// startTimeout is the timeout of loading the model.
const startTimeout = time.Minute

// benchAppliance is a running munadi with its own data folder.
type benchAppliance struct {
	dir, address string
	process      *launcher.Process
}

func startAppliance(munadi string) (*benchAppliance, error) {
	path, err := filepath.Abs(munadi)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "livebench-")
	if err != nil {
		return nil, err
	}
	a := &benchAppliance{dir: dir}
	if a.process, err = launcher.StartProcess(launcher.LaunchOptions{
		Program: path, Args: launcher.ServeArgs(dir+"/data", dir+"/cache"),
		Env: append(os.Environ(), "MUNADI_BOOTSTRAP_API_KEY="+apiKey),
	}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	a.address = strings.TrimPrefix(a.process.URL, "http://")
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	if err := a.process.AwaitReady(ctx); err != nil {
		a.stopAppliance()
		return nil, err
	}
	return a, nil
}

// stopAppliance ends it and removes its folder.
func (a *benchAppliance) stopAppliance() {
	_ = a.process.Stop(startTimeout) // the folder is removed in any case
	_ = os.RemoveAll(a.dir)
}

// uploadHours uploads hours of the sound for transcription, repeatedly until ctx ends.
func (a *benchAppliance) uploadHours(ctx context.Context, sound []float32, hours int) error {
	file := longFile(sound, hours)
	for {
		r, w := io.Pipe()
		form := multipart.NewWriter(w)
		go func() { w.CloseWithError(writeForm(form, file)) }()
		q, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+a.address+"/compat/v1/audio/transcriptions", r)
		if err != nil {
			return err
		}
		q.Header.Set("Authorization", "Bearer "+apiKey)
		q.Header.Set("Content-Type", form.FormDataContentType())
		if err := awaitAnswer(q); err != nil || ctx.Err() != nil {
			return err
		}
	}
}

// awaitAnswer waits for the text; a cancelled request is no error.
func awaitAnswer(q *http.Request) error {
	res, err := http.DefaultClient.Do(q)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the upload was answered with %s", res.Status)
	}
	return nil
}

func writeForm(form *multipart.Writer, file []byte) error {
	part, err := form.CreateFormFile("file", "long.wav")
	if err == nil {
		_, err = part.Write(file)
	}
	return errors.Join(err, form.Close())
}

// longFile repeats the sound as µ-law at 7 kHz: 4 hours of it are less than a request may hold.
func longFile(sound []float32, hours int) []byte {
	const narrow = 7000
	size := hours * 3600 * narrow
	file := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(36+size))...)
	file = append(file, "WAVEfmt \x10\x00\x00\x00\x07\x00\x01\x00"...)
	file = binary.LittleEndian.AppendUint32(file, narrow)
	file = binary.LittleEndian.AppendUint32(file, narrow)
	file = append(file, "\x01\x00\x08\x00data"...)
	file = binary.LittleEndian.AppendUint32(file, uint32(size))
	var once []byte
	for _, v := range audio.NewResampler(rate, narrow).Push(nil, sound) {
		once = append(once, audio.EncodeMuLaw(pcmSample(v)))
	}
	for len(file) < size {
		file = append(file, once...)
	}
	return file[:44+size]
}
