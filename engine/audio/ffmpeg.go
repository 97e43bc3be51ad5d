package audio

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
)

// ffmpegDemuxers are the containers that ffmpeg may open: audio and video files. Playlists (which name other files),
// devices and pictures are excluded.
const ffmpegDemuxers = "aac,ac3,aiff,amr,amrnb,amrwb,ape,asf,au,avi,caf,dsf,dts,eac3,flac,flv,g722,gsm,iff,loas," +
	"matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpc,mpc8,mpeg,mpegts,nut,ogg,oma,qcp,rm,shn,sln,sox,spdif,tak,tta," +
	"voc,w64,wav,wv,xwma"

// ffmpegSource is a recording that ffmpeg turns into WAV.
type ffmpegSource struct {
	sampleSource // of ffmpeg's output
	name         string
	p            *childProcess
	spool        *os.File // unlinked copy of the input; nil if the input is a file
}

// openFFmpeg decodes other formats with ffmpeg, if it is installed. Errors are public.
func openFFmpeg(ctx context.Context, r io.ReadSeeker, name string, opt DecodeOptions) (sampleSource, error) {
	path, err := findFFmpeg(opt.FFmpeg)
	if err != nil {
		return nil, newUnsupportedFault(name, err)
	}
	in, spool, err := ensureSeekable(r)
	if err != nil {
		return nil, err
	}
	s := &ffmpegSource{name: name, spool: spool}
	args := append([]string{jobFFmpeg, childSeconds(opt.MaxDuration), path}, ffmpegArgs()...)
	if s.p, err = startChild(ctx, in, opt, args...); err != nil {
		return nil, errors.Join(err, s.closeSpool())
	}
	if s.sampleSource, err = openWAV(s.p.out, -1); err != nil {
		return nil, closeWith(newUndecodableError(name, errors.Join(err, s.p.waitChild())), s)
	}
	return s, nil
}

// ffmpegArgs returns ffmpeg's arguments. The input is opened through /proc, so that ffmpeg can seek in it; the output
// keeps rate and channels, since SampleStream resamples and mixes.
func ffmpegArgs() []string {
	return []string{
		"-nostdin", "-hide_banner", "-v", "error", "-threads", "1",
		"-protocol_whitelist", "file,pipe", "-format_whitelist", ffmpegDemuxers, "-i", "file:/proc/self/fd/0",
		"-map", "0:a:0", "-vn", "-sn", "-dn", "-threads", "1", "-c:a", "pcm_f32le", "-f", "wav", "-bitexact", "pipe:1",
	}
}

func findFFmpeg(option string) (string, error) {
	if option == "none" {
		return "", exec.ErrNotFound
	}
	if option == "" {
		option = "ffmpeg"
	}
	return exec.LookPath(option)
}

func newUnsupportedFault(name string, cause error) error {
	e := notAudio("this looks like %s, which can only be decoded if ffmpeg is installed", name)
	if name == "" {
		e = notAudio("this is no kind of audio that is known here")
	}
	e.Cause = cause
	return e
}

func newUndecodableError(name string, cause error) error {
	e := notAudio("this looks like %s, but it is damaged, truncated or without audio", name)
	if name == "" {
		e = notAudio("this is no kind of audio that is known here")
	}
	e.Cause = cause
	return e
}

// ensureSeekable returns r as a file at its beginning: r if it is one, otherwise an unlinked copy.
func ensureSeekable(r io.ReadSeeker) (in, spool *os.File, err error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, nil, err
	}
	if f, ok := r.(*os.File); ok {
		return f, nil, nil
	}
	if spool, err = os.CreateTemp("", "munadi-audio-*"); err != nil {
		return nil, nil, err
	}
	if err = os.Remove(spool.Name()); err == nil {
		_, err = io.Copy(spool, struct{ io.Reader }{r})
	}
	if err != nil {
		return nil, nil, errors.Join(err, spool.Close())
	}
	return spool, spool, nil
}

func (s *ffmpegSource) SoundFormat() SoundFormat {
	f := s.sampleSource.SoundFormat()
	f.Container, f.Codec = s.name, "by ffmpeg"
	if f.Container == "" {
		f.Container = "unnamed"
	}
	return f
}

// Read returns ffmpeg's samples; at their end, ffmpeg's exit status and messages decide between io.EOF and a fault.
func (s *ffmpegSource) Read(p []float32) (int, error) {
	n, err := s.sampleSource.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if err := s.p.waitChild(); err != nil {
		return n, newDamagedFault("ffmpeg cannot decode the rest", err)
	}
	if complaint := s.p.stderr.String(); reportsTruncation(complaint) {
		return n, newTruncatedFault("it ends too early", errors.New(complaint))
	}
	return n, io.EOF
}

// reportsTruncation recognizes ffmpeg's messages about truncated files, which it decodes with exit status 0.
func reportsTruncation(complaint string) bool {
	for _, word := range []string{"partial file", "runcat", "prematurely", "Invalid data found", "not found"} {
		if strings.Contains(complaint, word) {
			return true
		}
	}
	return false
}

// Close kills ffmpeg and removes the copy of the input.
func (s *ffmpegSource) Close() error { return errors.Join(s.p.killChild(), s.closeSpool()) }

func (s *ffmpegSource) closeSpool() error {
	if s.spool == nil {
		return nil
	}
	defer func() { s.spool = nil }()
	return s.spool.Close()
}
