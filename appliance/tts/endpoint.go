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
	"time"
)

const (
	endpointDeadline = 10 * time.Second // for one text, when nothing else is set
	endpointLimit    = 12 << 20         // bytes of an answer: two minutes of 48 kHz
	pcmRate          = 24000            // what OpenAI calls "pcm"
)

// EndpointOptions describe a server with OpenAI's /audio/speech.
type EndpointOptions struct {
	URL      string        // base, ends in /v1
	Model    string        // may be empty
	Voice    string        // for requests that name none
	Key      string        // bearer token; empty: none is sent
	Deadline time.Duration // for one text; 0: 10 s
	CacheDir string        // where answers are kept across starts; empty: nowhere
	// Transport makes the connections; nil: one that makes them itself, whatever proxy the environment names.
	Transport http.RoundTripper
}

// speechEndpoint speaks by a server.
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
	client := &http.Client{Transport: o.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return &speechEndpoint{
		options: o, client: client, url: base.JoinPath("audio", "speech").String(), cache: diskCache{dir: o.CacheDir},
	}, nil
}

func (e *speechEndpoint) synthesize(ctx context.Context, r SpeechRequest) ([]int16, error) {
	voice := r.Voice
	if voice == "" {
		voice = e.options.Voice
	}
	key := cacheKey(e.url, e.options.Model, voice, r.Text)
	if pcm := e.cache.loadSound(key); pcm != nil {
		return pcm, nil
	}
	if e.rest.isResting() {
		return nil, errResting
	}
	pcm, err := e.requestSpeech(ctx, r.Text, voice)
	e.rest.noteResult(err)
	if err != nil {
		return nil, fmt.Errorf("speech endpoint: %w", err)
	}
	// A sound that can't be kept is still one: the next start asks again.
	_ = e.cache.storeSound(key, pcm)
	return pcm, nil
}

// requestSpeech is one request.
func (e *speechEndpoint) requestSpeech(ctx context.Context, text, voice string) ([]int16, error) {
	ctx, cancel := context.WithTimeout(ctx, e.options.Deadline)
	defer cancel()
	body, err := json.Marshal(map[string]string{
		"model": e.options.Model, "voice": voice, "input": text, "response_format": "wav",
	})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if e.options.Key != "" {
		req.Header.Set("Authorization", "Bearer "+e.options.Key)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, statusError(resp.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, endpointLimit+1))
	if err != nil {
		return nil, err
	}
	if len(data) > endpointLimit {
		return nil, fmt.Errorf("its answer is longer than %d bytes", endpointLimit)
	}
	return decodeAnswer(ctx, resp.Header.Get("Content-Type"), data)
}

// statusError is an answer other than 200.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("status %d", int(s)) }

// decodeAnswer reads a WAV file, or bare samples where the content type says so.
func decodeAnswer(ctx context.Context, contentType string, data []byte) ([]int16, error) {
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
