// Command goclient uses OpenAI's own Go client as its documentation shows, and prints what it got as JSON. It is a
// module of its own: the client takes minutes to compile and is nothing that the product needs.
//
//	usage: goclient BASE_URL KEY RECORDING
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

type streamed struct {
	Deltas []string `json:"deltas"`
	Done   struct {
		Text    string  `json:"text"`
		Seconds float64 `json:"seconds"`
	} `json:"done"`
}

type output struct {
	Models   []string         `json:"models"`
	Model    string           `json:"model"`
	JSON     string           `json:"json"`
	Verbose  string           `json:"verbose"`
	Duration float64          `json:"duration"`
	Segments []map[string]any `json:"segment_objects"`
	Stream   streamed         `json:"stream"`
}

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

// run requests the models, then a transcription of the recording in each form.
func run(ctx context.Context, base, key, path string) error {
	client := openai.NewClient(option.WithBaseURL(base), option.WithAPIKey(key), option.WithMaxRetries(0))
	var out output
	for _, request := range []func(context.Context, openai.Client, string) error{
		out.listModels, out.transcribePlain, out.transcribeVerbose, out.streamText,
	} {
		if err := request(ctx, client, path); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func (out *output) listModels(ctx context.Context, client openai.Client, _ string) error {
	models, err := client.Models.List(ctx)
	if err != nil {
		return err
	}
	for _, m := range models.Data {
		out.Models = append(out.Models, m.ID)
	}
	model, err := client.Models.Get(ctx, "svc-stt")
	if err != nil {
		return err
	}
	out.Model = model.ID
	return nil
}

func (out *output) transcribePlain(ctx context.Context, client openai.Client, path string) error {
	params, err := transcriptionOf(path, openai.AudioResponseFormatJSON)
	if err != nil {
		return err
	}
	res, err := client.Audio.Transcriptions.New(ctx, params)
	if err != nil {
		return err
	}
	out.JSON = res.Text
	return nil
}

func (out *output) transcribeVerbose(ctx context.Context, client openai.Client, path string) error {
	params, err := transcriptionOf(path, openai.AudioResponseFormatVerboseJSON)
	if err != nil {
		return err
	}
	res, err := client.Audio.Transcriptions.New(ctx, params)
	if err != nil {
		return err
	}
	var body struct {
		Duration float64
		Segments []map[string]any
	}
	if err := json.Unmarshal([]byte(res.RawJSON()), &body); err != nil {
		return err
	}
	out.Verbose, out.Duration, out.Segments = res.Text, body.Duration, body.Segments
	return nil
}

func (out *output) streamText(ctx context.Context, client openai.Client, path string) error {
	params, err := transcriptionOf(path, openai.AudioResponseFormatJSON)
	if err != nil {
		return err
	}
	events := client.Audio.Transcriptions.NewStreaming(ctx, params)
	for events.Next() {
		switch e := events.Current(); e.Type {
		case "transcript.text.delta":
			out.Stream.Deltas = append(out.Stream.Deltas, e.Delta)
		case "transcript.text.done":
			out.Stream.Done.Text = e.Text
			var raw struct{ Usage struct{ Seconds float64 } }
			if err := json.Unmarshal([]byte(e.RawJSON()), &raw); err != nil {
				return err
			}
			out.Stream.Done.Seconds = raw.Usage.Seconds
		}
	}
	return events.Err()
}

// transcriptionOf returns the parameters of a transcription of a file.
func transcriptionOf(path string, format openai.AudioResponseFormat) (openai.AudioTranscriptionNewParams, error) {
	f, err := os.Open(path)
	return openai.AudioTranscriptionNewParams{Model: "svc-stt", File: f, ResponseFormat: format}, err
}
