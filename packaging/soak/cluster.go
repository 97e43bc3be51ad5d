package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"munadi/store/bucket/buckettest"
	"munadi/store/postgres/postgrestest"
)

// answerTimeout is how long a client waits for one appliance before it asks another one.
const answerTimeout = 15 * time.Second

// applianceCluster is several appliances on one PostgreSQL server and one bucket.
type applianceCluster struct {
	database *postgrestest.Server
	bucket   *buckettest.Server
	members  []*clusterMember
}

// clusterMember is an appliance of a cluster across its restarts, with its own network link to the database.
type clusterMember struct {
	soakAppliance

	link  *postgrestest.NetworkLink
	alive atomic.Pointer[soakAppliance] // its life; nil while it is dead
	kills []time.Time
}

// startCluster starts the database, the bucket and the appliances. After an error closeCluster stops those started.
func startCluster(ctx context.Context, p soakPlan, w *soakWitness) (c *applianceCluster, err error) {
	if postgrestest.FindProgram("initdb") == "" || buckettest.FindServer() == "" {
		return nil, errors.New("PostgreSQL or the S3 server (SeaweedFS) is missing: packaging/setup test installs both")
	}
	c = &applianceCluster{}
	if c.database, err = postgrestest.StartServer(true); err != nil {
		return c, err
	}
	if c.bucket, err = buckettest.StartServer(); err != nil { //nolint:contextcheck // it bounds itself
		return c, err
	}
	if err := c.bucket.MakeBucket(ctx, "soak"); err != nil {
		return c, err
	}
	for n := range p.appliances {
		m, err := c.newMember(p, w, n)
		if err != nil {
			return c, err
		}
		c.members = append(c.members, m)
		if err := m.startLife(ctx); err != nil {
			return c, err
		}
	}
	return c, nil
}

// newMember returns the appliance of a number, not yet started. Clocks are ahead and behind by turns.
func (c *applianceCluster) newMember(p soakPlan, w *soakWitness, n int) (*clusterMember, error) {
	name := fmt.Sprintf("munadi-%d", n+1)
	program, err := filepath.Abs(p.munadi)
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(p.folder, name+".log"))
	if err != nil {
		return nil, err
	}
	link, err := c.database.OpenLink()
	if err != nil {
		return nil, err
	}
	m := &clusterMember{link: link, soakAppliance: soakAppliance{
		program: program, data: filepath.Join(p.folder, name), cache: filepath.Join(p.folder, "cache"), witness: w,
		log: log, name: name, tends: []string{"database", "bucket", "context deadline exceeded"}, timeScale: p.timeScale,
		env: buckettest.ListVariables(), clock: p.clocks,
		lines: "4", args: []string{
			"--store", link.URL(), "--recordings", c.bucket.URL("soak", ""), "--backup-at", "none",
		},
	}}
	if n%2 == 1 {
		m.clock = -p.clocks
	}
	if n > 0 {
		m.args = append(m.args, "--secret-file", filepath.Join(c.members[0].data, "secret.key"))
	}
	return m, nil
}

// startLife begins a life and returns when it is ready.
func (m *clusterMember) startLife(ctx context.Context) error {
	life := m.soakAppliance
	if err := life.startLife(ctx); err != nil {
		life.killProcess()
		return fmt.Errorf("%s: %w", m.name, err)
	}
	m.alive.Store(&life)
	return nil
}

// killProcess kills it.
func (m *clusterMember) killProcess() {
	if life := m.alive.Swap(nil); life != nil {
		life.killProcess()
	}
}

// closeCluster stops all processes.
func (c *applianceCluster) closeCluster() {
	for _, m := range c.members {
		m.killProcess()
		_ = m.link.Close() // its connections end with it
	}
	if c.bucket != nil {
		_ = c.bucket.Close()
	}
	if c.database != nil {
		_ = c.database.Close()
	}
}

// chooseMember returns any appliance that lives.
func (c *applianceCluster) chooseMember() (*soakAppliance, error) {
	for _, i := range rand.Perm(len(c.members)) {
		if life := c.members[i].alive.Load(); life != nil {
			return life, nil
		}
	}
	return nil, errors.New("no appliance lives")
}

// requestJSON sends a request to any appliance, as a load balancer does. 503 and 429 are errors.
func (c *applianceCluster) requestJSON(
	ctx context.Context, method, path string, body any, headers ...string,
) (httpAnswer, error) {
	return c.askMember(ctx, func(ctx context.Context, a *soakAppliance) (httpAnswer, error) {
		return a.requestJSON(ctx, method, path, body, headers...)
	})
}

// uploadRecording sends a recording to any appliance.
func (c *applianceCluster) uploadRecording(
	ctx context.Context, path string, recording []byte, fields []string, headers ...string,
) (httpAnswer, error) {
	return c.askMember(ctx, func(ctx context.Context, a *soakAppliance) (httpAnswer, error) {
		return a.uploadRecording(ctx, path, recording, fields, headers...)
	})
}

func (c *applianceCluster) askMember(
	ctx context.Context, ask func(context.Context, *soakAppliance) (httpAnswer, error),
) (httpAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	a, err := c.chooseMember()
	if err != nil {
		return httpAnswer{}, err
	}
	got, err := ask(ctx, a)
	if err == nil && (got.status == http.StatusServiceUnavailable || got.status == http.StatusTooManyRequests) {
		err = fmt.Errorf("%s answers %d", a.name, got.status)
	}
	return got, err
}

// patientClient repeats a request until an appliance responds; for the verification, which only reads.
type patientClient struct{ *applianceCluster }

func (p patientClient) requestJSON(
	ctx context.Context, method, path string, body any, headers ...string,
) (got httpAnswer, err error) {
	for deadline := time.Now().Add(settling); ; sleepContext(ctx, 200*time.Millisecond) {
		got, err = p.applianceCluster.requestJSON(ctx, method, path, body, headers...)
		if err == nil || ctx.Err() != nil || time.Now().After(deadline) {
			return got, err
		}
	}
}

// printLine writes a line of the run with its time.
func printLine(out io.Writer, format string, args ...any) {
	fmt.Fprintf(out, time.Now().Format("15:04:05 ")+format+"\n", args...)
}
