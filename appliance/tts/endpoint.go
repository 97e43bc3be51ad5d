package tts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"munadi/appliance/endpoint"
)

const (
	endpointDeadline = 10 * time.Second // default timeout of one text
	endpointLimit    = 12 << 20         // maximum bytes of an answer: two minutes at 48 kHz
	pcmRate          = 24000            // sample rate of OpenAI's "pcm"
)

// EndpointOptions configures a server with OpenAI's /audio/speech API.
type EndpointOptions struct {
	URL      string        // base, ends in /v1
	Model    string        // may be empty
	Voice    string        // default voice
	Key      string        // bearer token; empty: none
	Deadline time.Duration // timeout of one text; 0: 10 s
	CacheDir string        // persistent cache; empty: none
	// Transport is the HTTP transport; nil: direct connections, ignoring the environment's proxy.
	Transport http.RoundTripper
}

// speechEndpoint is the voice of a server.
type speechEndpoint struct {
	options EndpointOptions
	client  *http.Client
	url     string
	cache   diskCache
	rest    endpointBackoff
}

func newEndpoint(o EndpointOptions) (*speechEndpoint, error) {
	base, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("speech endpoint: %w", err)
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, errors.New("speech endpoint: want an http or https URL")
	}
	if o.Deadline == 0 {
		o.Deadline = endpointDeadline
	}
	if o.Transport == nil {
		o.Transport = &http.Transport{}
	}
	return &speechEndpoint{
		options: o, client: endpoint.NewClient(o.Transport), url: base.JoinPath("audio", "speech").String(),
		cache: diskCache{dir: o.CacheDir},
	}, nil
}

func (e *speechEndpoint) synthesizeSpeech(ctx context.Context, r SpeechRequest) (SpokenSound, error) {
	voice := r.Voice
	if voice == "" {
		voice = e.options.Voice
	}
	key := cacheKey(e.url, e.options.Model, voice, r.Text)
	if sound, found := e.cache.loadSound(key); found {
		return sound, nil
	}
	if e.rest.isResting() {
		return SpokenSound{}, errResting
	}
	sound, err := e.requestSpeech(ctx, r.Text, voice)
	e.rest.noteResult(err)
	if err != nil {
		return SpokenSound{}, fmt.Errorf("speech endpoint: %w", err)
	}
	// Cache errors are ignored: the text is requested again later.
	_ = e.cache.storeSound(key, sound)
	return sound, nil
}

// requestSpeech sends one request.
func (e *speechEndpoint) requestSpeech(ctx context.Context, text, voice string) (SpokenSound, error) {
	ctx, cancel := context.WithTimeout(ctx, e.options.Deadline)
	defer cancel()
	body, err := json.Marshal(map[string]string{
		"model": e.options.Model, "voice": voice, "input": text, "response_format": "wav",
	})
	if err != nil {
		return SpokenSound{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return SpokenSound{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	if e.options.Key != "" {
		req.Header.Set("Authorization", "Bearer "+e.options.Key)
	}
	endpoint.AllowRepeat(req)
	resp, err := e.client.Do(req)
	if err != nil {
		return SpokenSound{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return SpokenSound{}, statusError(resp.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, endpointLimit+1))
	if err != nil {
		return SpokenSound{}, err
	}
	if len(data) > endpointLimit {
		return SpokenSound{}, fmt.Errorf("its answer is longer than %d bytes", endpointLimit)
	}
	return decodeAnswer(ctx, resp.Header.Get("Content-Type"), data)
}

// statusError is a response other than 200.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("status %d", int(s)) }

// decodeAnswer decodes a WAV file, or raw samples if the content type says so.
func decodeAnswer(ctx context.Context, contentType string, data []byte) (SpokenSound, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || bytes.HasPrefix(data, []byte("RIFF")) {
		return decodeWAV(ctx, data)
	}
	switch kind = strings.ToLower(kind); kind {
	case "audio/pcm", "audio/x-pcm", "audio/raw":
		rate := pcmRate
		if n, err := strconv.Atoi(params["rate"]); err == nil {
			rate = n
		}
		return decodePCM(data, rate)
	}
	return decodeWAV(ctx, data)
}

// Exponential backoff of an endpoint after failures.
const (
	firstRest   = 10 * time.Second
	longestRest = 5 * time.Minute
)

// endpointBackoff is a circuit breaker: it keeps calls from waiting repeatedly for a failing endpoint.
type endpointBackoff struct {
	mu    sync.Mutex
	until time.Time
	next  time.Duration
}

func (r *endpointBackoff) isResting() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Before(r.until)
}

// noteResult records the result of a request. Refused texts and cancelled callers do not count as failures.
func (r *endpointBackoff) noteResult(err error) {
	var status statusError
	refused := errors.As(err, &status) && (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity)
	if refused || errors.Is(err, context.Canceled) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.until, r.next = time.Time{}, 0
		return
	}
	r.next = min(longestRest, max(firstRest, 2*r.next))
	r.until = time.Now().Add(r.next)
}
