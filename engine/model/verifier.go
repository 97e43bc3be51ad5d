package model

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"munadi/engine/ort"
)

// verifierFile is the graph of the word verifier in a model folder. Its input is "mel" [1, F, T], normalized over all
// bands together; its output "log_likelihoods" [1, K+1] has a class for each word and one for any other.
const verifierFile = "word-verifier.onnx"

const (
	// maxVerifierWords limits the words of a verifier.
	maxVerifierWords = 1000
	// maxLogPrior limits the size of a log prior, in nats: larger ones overflow, or leave no other word a chance.
	maxLogPrior = 20
)

// VerifierConfig describes the word verifier of a model folder.
type VerifierConfig struct {
	Words []string `json:"words"` // the graph's classes, in its order
	// LogPriors are added to the log-probabilities of words that compete, in nats; 0 for others.
	// Each is within ±20.
	LogPriors map[string]float64 `json:"log_priors,omitempty"`
}

func (c *VerifierConfig) checkBounds() error {
	if c == nil {
		return nil
	}
	if n := len(c.Words); n < 2 || n > maxVerifierWords {
		return fmt.Errorf("munadi.json: word_verifier has %d words, want 2 to %d", n, maxVerifierWords)
	}
	for word, prior := range c.LogPriors {
		if math.Abs(prior) > maxLogPrior {
			return fmt.Errorf("munadi.json: word_verifier.log_priors has %g for %q, want %d to %d nats",
				prior, word, -maxLogPrior, maxLogPrior)
		}
		if !slices.Contains(c.Words, word) {
			return fmt.Errorf("munadi.json: word_verifier.log_priors names %q, which is not one of its words", word)
		}
	}
	return nil
}

// WordVerifier classifies single words (keyword classification): which word of a closed list a short utterance is. It
// is trained on features that are normalized over all bands together, since in half a second of audio NeMo's
// normalization per band removes the difference between some words, e.g. نعم and لا. Its likelihoods are combined with
// the speech model's probabilities. Safe for concurrent use.
type WordVerifier struct {
	VerifierConfig
	features int
	session  *ort.GraphSession
}

// openVerifier loads a folder's verifier; nil if its configuration has none.
func openVerifier(f ModelFolder, c ModelConfig) (*WordVerifier, error) {
	if c.Verifier == nil {
		return nil, nil
	}
	file, err := f.openFile(verifierFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the folder has no %s, which munadi.json's word_verifier needs", verifierFile)
	}
	if err != nil {
		return nil, err
	}
	defer file.close()
	s, err := ort.NewSession(
		ort.ModelGraph{Bytes: file.bytes}, []string{"mel"}, []string{"log_likelihoods"}, ort.SessionOptions{Threads: 1},
	)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", verifierFile, err)
	}
	v := &WordVerifier{VerifierConfig: *c.Verifier, features: c.Features, session: s}
	const frames = 50 // a graph with unexpected shapes is detected when it is opened
	if _, err := v.ScoreWords(context.Background(), make([]float32, v.features*frames), frames); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", verifierFile, err), v.Close())
	}
	return v, nil
}

// ScoreWords returns the log-likelihood of each word, and last that of any other, up to a common constant. mel is
// [F, N] with valid frames.
func (v *WordVerifier) ScoreWords(ctx context.Context, mel []float32, valid int) ([]float32, error) {
	mel = trimFrames(nil, mel, len(mel)/v.features, valid)
	out, err := v.session.Run(ctx, ort.DenseTensor{Shape: []int64{1, int64(v.features), int64(valid)}, F32: mel})
	if err != nil {
		return nil, err
	}
	if have, want := len(out[0].F32), len(v.Words)+1; have != want {
		return nil, fmt.Errorf("the verifier has %d classes, want %d: its words and one for any other", have, want)
	}
	return out[0].F32, nil
}

// Close frees the session; no ScoreWords call may be running.
func (v *WordVerifier) Close() error { return v.session.Close() }
