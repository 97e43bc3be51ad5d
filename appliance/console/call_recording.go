package console

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store/call"
	"munadi/ui/page"
)

// RecordingStore are the files of recorded calls. Open's error is [io/fs.ErrNotExist] without the file; one that is gone
// already is removed without an error.
type RecordingStore interface {
	OpenRecording(name string) (*os.File, error)
	RemoveFile(name string) error
}

// openCallRecording is the recording of the call that the path names.
func (s *ConsoleService) openCallRecording(c echo.Context) (*os.File, error) {
	found, err := s.callOf(c)
	if err != nil {
		return nil, err
	}
	if !apimodel.HasRecording(found) {
		return nil, newNotFoundError("the call has no recording")
	}
	file, err := s.Recordings.OpenRecording(found.Recording)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, newNotFoundError("the call has no recording")
	}
	return file, err
}

// callRecording sends it; parts of it too. The session opens it, so that no link can run out while somebody listens.
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

// The form of recordings: WAV with the plainest header, stereo, 16 bits.
const (
	wavHeader  = 44
	wavRateAt  = 24
	soundFrame = 4   // bytes: left and right
	mostPeaks  = 240 // of a shape
)

// shapeIn is the shape of a call's recording; an empty one when it cannot be read, since the page tells more than that.
func (s *ConsoleService) shapeIn(found call.Call) page.WaveformShape {
	file, err := s.Recordings.OpenRecording(found.Recording)
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

// peakPercent are the heights of a piece's two sides, in percent.
func peakPercent(raw []byte) (left, right int) {
	for ; len(raw) >= soundFrame; raw = raw[soundFrame:] {
		l, r := int(int16(binary.LittleEndian.Uint16(raw))), int(int16(binary.LittleEndian.Uint16(raw[2:])))
		left, right = max(left, l, -l), max(right, r, -r)
	}
	return left * 100 >> 15, right * 100 >> 15
}
