package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"munadi/engine/audio"
)

const apiKey = "livebench-key-0123456789"

// benchAppliance is a running munadi with a folder of its own.
type benchAppliance struct {
	dir, address string
	cmd          *exec.Cmd
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
	a.cmd = exec.Command(path, "serve", "--listen", "127.0.0.1:0", "--data", dir+"/data", "--cache", dir+"/cache")
	a.cmd.Env = append(os.Environ(), "MUNADI_BOOTSTRAP_API_KEY="+apiKey)
	log, err := a.cmd.StderrPipe()
	if err == nil {
		err = a.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	found := regexp.MustCompile(`msg=listening addr=(\S+)`)
	for lines := bufio.NewScanner(log); a.address == "" && lines.Scan(); {
		if m := found.FindStringSubmatch(lines.Text()); m != nil {
			a.address = m[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	if err := a.awaitReady(); err != nil {
		a.stopAppliance()
		return nil, err
	}
	return a, nil
}

// awaitReady waits until the model is warm.
func (a *benchAppliance) awaitReady() error {
	if a.address == "" {
		return errors.New("munadi ended before it listened")
	}
	for range 1200 {
		if res, err := http.Get("http://" + a.address + "/readyz"); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("munadi is not ready after a minute")
}

// stopAppliance ends it and removes its folder.
func (a *benchAppliance) stopAppliance() {
	_ = a.cmd.Process.Signal(syscall.SIGTERM)
	_ = a.cmd.Wait()
	_ = os.RemoveAll(a.dir)
}

// processorTime returns how much processor time it has had.
func (a *benchAppliance) processorTime() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", a.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	ticks := 0
	for _, field := range strings.Fields(rest)[11:13] { // proc(5): utime and stime, in hundredths of a second
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// uploadHours has hours of the sound transcribed, again and again until ctx ends.
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

// awaitAnswer waits for the text; breaking it off is no error.
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
