package audio_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math"

	"munadi/engine/audio"
)

func ExampleDecode() {
	tone := make([]float32, 8000) // a second at 8 kHz
	for i := range tone {
		tone[i] = float32(0.5 * math.Sin(2*math.Pi*440*float64(i)/8000))
	}
	var upload bytes.Buffer
	if err := audio.WriteWAV(&upload, tone, 8000); err != nil {
		log.Fatal(err)
	}
	samples, err := audio.DecodeAll(context.Background(), bytes.NewReader(upload.Bytes()), audio.DecodeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(samples), "samples at", audio.Rate)
	_, err = audio.DecodeAll(context.Background(), bytes.NewReader([]byte("%PDF-1.7")), audio.DecodeOptions{})
	fmt.Println(err)
	// Output:
	// 16000 samples at 16000
	// this is a PDF document, not audio; accepted are WAV, FLAC, MP3, Ogg Vorbis, Ogg Opus and WebM Opus
}
