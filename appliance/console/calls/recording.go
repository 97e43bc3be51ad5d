package calls

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/console/kit"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/locale"
)

// WaveformStore has the waveforms of recorded calls; [io/fs.ErrNotExist] without the file.
type WaveformStore interface {
	ReadWaveform(ctx context.Context, name string) (blob.Waveform, error)
}

// openCallRecording opens the recording of the call that the path names.
func (s handlers) openCallRecording(c echo.Context) (blob.RecordingFile, error) {
	found, err := s.requestCall(c)
	if err != nil {
		return nil, err
	}
	if !apimodel.HasRecording(found) {
		return nil, kit.NewNotFoundError("the call has no recording")
	}
	file, err := s.UseCases.OpenRecording(c.Request().Context(), found)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, kit.NewNotFoundError("the call has no recording")
	}
	return file, err
}

// serveCallRecording serves the recording with Range support. It is authorized by the session and not by a signed link,
// which could expire during playback.
func (s handlers) serveCallRecording(c echo.Context) error {
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

// waveformTimeout bounds how long a page waits for a waveform.
const waveformTimeout = 3 * time.Second

// addWaveform adds the waveform of a call's recording; an empty one if it cannot be read. If the file is damaged or
// missing, the page has no player: without a bucket the file is on the appliance that made the call.
func (s handlers) addWaveform(
	ctx context.Context, found call.Call, l locale.Language, p *calls.CallView,
) {
	ctx, cancel := context.WithTimeout(ctx, waveformTimeout) // the bucket may be unreachable
	defer cancel()
	var w blob.Waveform
	file, err := s.UseCases.OpenRecording(ctx, found)
	if err == nil {
		_ = file.Close()
		w, err = s.Recordings.ReadWaveform(ctx, found.Recording)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.Recording, p.RecordingFault = "", calls.CallRecordingAway.In(l)
	case errors.Is(err, blob.ErrDamaged):
		s.Log.Error("a recording is damaged", "call_id", found.ID, "err", err)
		p.Recording, p.RecordingFault = "", calls.CallRecordingDamaged.In(l)
	case err != nil && ctx.Err() == nil:
		s.Log.Warn("a recording's waveform cannot be read", "call_id", found.ID, "err", err)
	}
	p.Shape = calls.WaveformShape(w)
}
