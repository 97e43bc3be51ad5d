package console

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/ui/page"
)

// RecordingStore holds the files of recorded calls. OpenRecording returns [io/fs.ErrNotExist] without the file;
// RemoveFile of a missing file is no error.
type RecordingStore interface {
	OpenRecording(ctx context.Context, name string) (blob.RecordingFile, error)
	RemoveFile(name string) error
}

// openCallRecording opens the recording of the call that the path names.
func (s *ConsoleService) openCallRecording(c echo.Context) (blob.RecordingFile, error) {
	found, err := s.callOf(c)
	if err != nil {
		return nil, err
	}
	if !apimodel.HasRecording(found) {
		return nil, newNotFoundError("the call has no recording")
	}
	file, err := s.Recordings.OpenRecording(c.Request().Context(), found.Recording)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, newNotFoundError("the call has no recording")
	}
	return file, err
}

// callRecording serves the recording, with Range requests. It is authorized by the session and not by a signed link,
// which could expire during playback.
func (s *ConsoleService) callRecording(c echo.Context) error {
	file, err := s.openCallRecording(c)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "audio/wav")
	h.Set(echo.HeaderCacheControl, "private, no-store")
	http.ServeContent(c.Response(), c.Request(), "", info.ModTime(), file)
	return nil
}

// The format of recordings: WAV with a minimal header, stereo, 16 bits.
const (
	wavHeader  = 44
	wavRateAt  = 24
	soundFrame = 4   // bytes: left and right
	mostPeaks  = 240 // bars of a waveform
)

// shapeTimeout bounds how long a page waits for a waveform.
const shapeTimeout = 3 * time.Second

// shapeIn returns the waveform of a call's recording; an empty one if it cannot be read, so that the page is shown
// all the same.
func (s *ConsoleService) shapeIn(ctx context.Context, found call.Call) page.WaveformShape {
	ctx, cancel := context.WithTimeout(ctx, shapeTimeout) // a bucket may be away, and the page is shown all the same
	defer cancel()
	file, err := s.Recordings.OpenRecording(ctx, found.Recording)
	if err != nil {
		return page.WaveformShape{}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return page.WaveformShape{}
	}
	shape, err := shapeOf(bufio.NewReaderSize(file, 64<<10), info.Size())
	if err != nil {
		s.Log.Warn("a recording's shape cannot be read", "call_id", found.ID, "err", err)
	}
	return shape
}

func shapeOf(r io.Reader, size int64) (page.WaveformShape, error) {
	var header [wavHeader]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return page.WaveformShape{}, err
	}
	frames := int((size - wavHeader) / soundFrame)
	rate := max(1, int(binary.LittleEndian.Uint32(header[wavRateAt:])))
	shape := page.WaveformShape{Seconds: float64(frames) / float64(rate)}
	piece := max(1, (frames+mostPeaks-1)/mostPeaks)
	raw := make([]byte, piece*soundFrame)
	for range (frames + piece - 1) / piece {
		n, err := io.ReadFull(r, raw)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return shape, err
		}
		left, right := peakPercent(raw[:n])
		shape.Left, shape.Right = append(shape.Left, left), append(shape.Right, right)
	}
	return shape, nil
}

// peakPercent returns the peaks of both channels, in percent of full scale.
func peakPercent(raw []byte) (left, right int) {
	for ; len(raw) >= soundFrame; raw = raw[soundFrame:] {
		l, r := int(int16(binary.LittleEndian.Uint16(raw))), int(int16(binary.LittleEndian.Uint16(raw[2:])))
		left, right = max(left, l, -l), max(right, r, -r)
	}
	return left * 100 >> 15, right * 100 >> 15
}
