package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// caseTimeout is how long the appliance may take over one damaged file, on a busy machine.
const caseTimeout = 5 * time.Minute

// damageReport is the result of damaging files, as JSON beside the log.
type damageReport struct {
	Seed     uint64                               `json:"seed"`
	Rounds   int                                  `json:"rounds"`
	Outcomes map[string]map[fileFault]outcomeSums `json:"outcomes"` // by kind of file
	Sums     outcomeSums                          `json:"sums"`
	Faults   []soakFault                          `json:"faults"`
}

// outcomeSums counts cases by their outcome.
type outcomeSums map[damageOutcome]int

// damageSoak damages the files of an installation, one in each case.
type damageSoak struct {
	soakPlan

	whole  *sampleInstallation
	random *rand.Rand
	out    io.Writer
	report damageReport
}

// runDamageSoak damages each kind of file of an installation by each fault, -damage times, each time in a new copy, and
// judges what start, /health, doctor, the API and backup say about it.
func runDamageSoak(ctx context.Context, p soakPlan, out io.Writer) error {
	s := &damageSoak{soakPlan: p, out: out, random: rand.New(rand.NewPCG(p.seed, 0))}
	s.report = damageReport{Seed: p.seed, Rounds: p.damage, Outcomes: map[string]map[fileFault]outcomeSums{}}
	s.report.Sums = outcomeSums{}
	var err error
	if s.whole, err = makeInstallation(ctx, p); err != nil {
		return fmt.Errorf("make an installation: %w", err)
	}
	kinds, err := listKinds(s.whole.folder)
	if err != nil {
		return err
	}
	if err := s.checkUndamaged(ctx); err != nil {
		return err
	}
	for range p.damage {
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			for _, fault := range fileFaults {
				c := damageCase{kind: kind, fault: fault, file: kinds[kind][s.random.IntN(len(kinds[kind]))]}
				if err := s.runCase(ctx, c); err != nil {
					return fmt.Errorf("%v: %w", c, err)
				}
			}
		}
	}
	return s.writeReport()
}

// checkUndamaged fails if the checks report damage where there is none: they would prove nothing.
func (s *damageSoak) checkUndamaged(ctx context.Context) error {
	for _, file := range []string{"data/secret.key", backupFile, "data/models/" + ownModel + "/vocab.txt"} {
		outcome, faults, err := s.tryCase(ctx, damageCase{kind: kindOf(file), file: file}, func(string) error { return nil })
		if err == nil && (len(faults) > 0 || outcome != nothingLost) {
			err = fmt.Errorf("an undamaged installation is judged %q: %v", outcome, faults)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// runCase damages a file and counts the outcome.
func (s *damageSoak) runCase(ctx context.Context, c damageCase) error {
	outcome, faults, err := s.tryCase(ctx, c, func(path string) error { return c.fault.damageFile(path, s.random) })
	if err != nil {
		return err
	}
	byFault := s.report.Outcomes[c.kind]
	if byFault == nil {
		byFault = map[fileFault]outcomeSums{}
		s.report.Outcomes[c.kind] = byFault
	}
	if byFault[c.fault] == nil {
		byFault[c.fault] = outcomeSums{}
	}
	byFault[c.fault][outcome]++
	s.report.Sums[outcome]++
	s.report.Faults = append(s.report.Faults, faults...)
	printLine(s.out, "%v: %s %v", c, outcome, faults)
	return nil
}

// tryCase damages a file in a copy of the installation, and judges what is said about it.
func (s *damageSoak) tryCase(
	ctx context.Context, c damageCase, damage func(path string) error,
) (damageOutcome, []soakFault, error) {
	ctx, cancel := context.WithTimeout(ctx, caseTimeout)
	defer cancel()
	folder := filepath.Join(s.folder, "copy") // a name that no check searches for
	defer func() { _ = os.RemoveAll(folder) }()
	if err := errors.Join(os.RemoveAll(folder), copyFolder(ctx, s.whole.folder, folder)); err != nil {
		return "", nil, err
	}
	if err := damage(filepath.Join(folder, c.file)); err != nil {
		return "", nil, err
	}
	look := s.lookAtInstallation
	if c.kind == kindBackup {
		look = s.lookAtBackup
	}
	seen, err := look(ctx, c, folder)
	if err != nil {
		return "", nil, err
	}
	outcome, faults := c.judgeDamage(seen)
	return outcome, faults, nil
}

// copyFolder copies a folder, with its modes, times and sparse files.
func copyFolder(ctx context.Context, from, to string) error {
	said, err := exec.CommandContext(ctx, "cp", "-a", from, to).CombinedOutput()
	if err != nil {
		return fmt.Errorf("copy %s: %w: %s", from, err, said)
	}
	return nil
}

// writeReport prints and writes the report, and returns an error if a fault was found.
func (s *damageSoak) writeReport() error {
	text, err := json.MarshalIndent(s.report, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s\n", text)
	if found := len(s.report.Faults); found > 0 {
		err = fmt.Errorf("%d faults found in damaged installations, seed %d", found, s.seed)
	}
	return errors.Join(err, os.WriteFile(filepath.Join(s.folder, "damage.json"), append(text, '\n'), 0o600))
}
