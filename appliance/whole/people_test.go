package whole_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"munadi/engine/arabic"
	"munadi/engine/audio"
)

// floor is the least share of correct words, spoken singly by people whom the default model was not trained with.
const floor = 0.85

// wordTake is one second in which a person says one word.
type wordTake struct {
	speaker, class, word string
	number               int // from 1
	sound                []byte
	heard                string
}

func (k wordTake) isRight() bool { return arabic.FoldSpelling(k.heard) == arabic.FoldSpelling(k.word) }

// TestPeople transcribes Arabic Speech Commands (Ghandoura, Hjabo, Al Dakkak, 2021), validation speakers, one request
// for each take. Two takes of each word and speaker; all ten with MUNADI_LONG=1.
func TestPeople(t *testing.T) {
	t.Parallel()
	root := projectPath(t, "../shared/speech/asc")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no recordings of people beside the project (../shared/speech/asc)")
	}
	takes := takesOf(t, root)
	a := sharedInstance(t)
	var g errgroup.Group
	g.SetLimit(4)
	for i := range takes {
		g.Go(func() error { return a.sendTake(&takes[i]) })
	}
	mustSucceed(t, g.Wait())
	report, share := scoreTakes(takes)
	out := artifactPath(t, "people.tsv")
	mustSucceed(t, os.WriteFile(out, []byte(report), 0o644))
	counts, _, _ := strings.Cut(report, "miss\t")
	t.Logf("written to %s\n%s", out, counts)
	if share < floor {
		t.Errorf("%.1f %% of %d words are right, less than %.0f %%", 100*share, len(takes), 100*floor)
	}
}

// takesOf splits the recordings into takes.
func takesOf(t testing.TB, root string) []wordTake {
	t.Helper()
	list, err := os.ReadFile(filepath.Join(root, "words.tsv"))
	mustSucceed(t, err)
	speakers, err := os.ReadDir(filepath.Join(root, "val"))
	mustSucceed(t, err)
	wanted := []int{0, 5}
	if runsLongForms() {
		wanted = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	}
	helper := []string{builtBinary(t), "decode-audio"}
	var mu sync.Mutex
	var all []wordTake
	var g errgroup.Group
	g.SetLimit(2)
	for _, speaker := range speakers {
		for line := range strings.Lines(string(list)) {
			class, word, _ := strings.Cut(strings.TrimSpace(line), "\t")
			g.Go(func() error {
				coded, err := os.ReadFile(filepath.Join(root, "val", speaker.Name(), class+".opus"))
				if err != nil {
					return err
				}
				sound, err := audio.DecodeAll(t.Context(), bytes.NewReader(coded), audio.DecodeOptions{Helper: helper})
				if err != nil {
					return err
				}
				for _, k := range wanted {
					from, to := k*audio.Rate, min((k+1)*audio.Rate, len(sound))
					if from >= to {
						continue
					}
					mu.Lock()
					all = append(all, wordTake{speaker: speaker.Name(), class: class, word: word, number: k + 1, sound: encodeWAV(t, sound[from:to])})
					mu.Unlock()
				}
				return nil
			})
		}
	}
	mustSucceed(t, g.Wait())
	return all
}

// sendTake sends one take.
func (a *testInstance) sendTake(k *wordTake) error {
	var body bytes.Buffer
	kind, err := multipartFile(&body, k.sound)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(http.MethodPost, a.URL+transcriptions, &body)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+bootstrapKey)
	r.Header.Set("Content-Type", kind)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var got struct{ Text string }
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || res.StatusCode != http.StatusOK {
		return errors.Join(fmt.Errorf("%s/%s: status %d", k.speaker, k.class, res.StatusCode), err)
	}
	k.heard = got.Text
	return nil
}

// scoreTakes counts correct words: overall, by speaker, and by word with the wrong transcripts; then lists each error.
func scoreTakes(takes []wordTake) (report string, share float64) {
	var b strings.Builder
	row := func(what, name string, some []wordTake) float64 {
		right, wrong := 0, []string{}
		for _, k := range some {
			if k.isRight() {
				right++
			} else {
				wrong = append(wrong, "«"+k.heard+"»")
			}
		}
		slices.Sort(wrong)
		low, high := wilsonInterval(right, len(some))
		if what == "speaker" || what == "all" {
			wrong = nil
		}
		fmt.Fprintf(&b, "%s\t%s\t%d/%d\t%.1f %%\t95 %%: %.1f–%.1f\t%s\n", what, name, right, len(some),
			100*float64(right)/float64(len(some)), 100*low, 100*high, strings.Join(slices.Compact(wrong), " "))
		return float64(right) / float64(len(some))
	}
	share = row("all", "", takes)
	groupTakes(takes, func(k wordTake) string { return k.speaker }, func(name string, some []wordTake) { row("speaker", name, some) })
	groupTakes(takes, func(k wordTake) string { return k.word }, func(name string, some []wordTake) { row("word", name, some) })
	for _, k := range takes {
		if !k.isRight() {
			fmt.Fprintf(&b, "miss\t%s/%s\ttake %d\t«%s»\theard «%s»\n", k.speaker, k.class, k.number, k.word, k.heard)
		}
	}
	return b.String(), share
}

// groupTakes calls each with the takes of every name.
func groupTakes(takes []wordTake, name func(wordTake) string, each func(string, []wordTake)) {
	groups := map[string][]wordTake{}
	var order []string
	for _, k := range takes {
		if groups[name(k)] == nil {
			order = append(order, name(k))
		}
		groups[name(k)] = append(groups[name(k)], k)
	}
	slices.Sort(order)
	for _, n := range order {
		each(n, groups[n])
	}
}

// wilsonInterval returns the 95 % score interval of a share (Wilson, 1927).
func wilsonInterval(right, of int) (low, high float64) {
	const z = 1.959964
	n, p := float64(of), float64(right)/float64(of)
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return (middle - half) / (1 + z*z/n), (middle + half) / (1 + z*z/n)
}
