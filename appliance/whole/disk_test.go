package whole_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// smallDisk mounts a file system of that many MiB for the test.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", size)); err != nil {
		skipOrFail(t, "no file system can be mounted here: "+err.Error())
	}
	t.Cleanup(func() { mustSucceed(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// fillDisk fills a disk to n free MiB until free is called.
func fillDisk(t *testing.T, dir string, but int64) (free func()) {
	t.Helper()
	var s syscall.Statfs_t
	mustSucceed(t, syscall.Statfs(dir, &s))
	f, err := os.CreateTemp(dir, "filler-*")
	mustSucceed(t, err)
	mustSucceed(t, syscall.Fallocate(int(f.Fd()), 0, 0, int64(s.Bavail)*s.Bsize-but<<20))
	mustSucceed(t, f.Close())
	return func() { mustSucceed(t, os.Remove(f.Name())) }
}

// TestFullDisk checks that an appliance on a full disk answers, reports the reason, ends running calls, loses nothing
// that it acknowledged, and continues when there is space again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, 320)
	a := startFastCalls(t, instanceSettings{data: filepath.Join(disk, "data")})
	a.tends = append(a.tends, "disk is full", "no space left")
	kept := []string{a.bookOf(t, "", http.StatusCreated), a.bookOf(t, farFuture(), http.StatusCreated)}
	for deadline := time.Now().Add(conversation); a.statusOf(t, kept[0]) != "in_progress"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the call is %s", a.statusOf(t, kept[0]))
		}
	}
	for _, left := range []int64{100, 40, 0} {
		free := fillDisk(t, disk, left)
		a.bookOf(t, farFuture(), http.StatusServiceUnavailable)
		if left == 100 {
			a.awaitStatus(t, kept[0], "completed") // its end is stored nevertheless
		}
		for _, probe := range []string{"/livez", "/health", "/api/v1/health", "/metrics"} {
			if status, body := a.probePath(t.Context(), probe); status != http.StatusOK {
				t.Errorf("%d MiB left, %s: %d %s", left, probe, status, body)
			}
		}
		a.awaitReadiness(t, http.StatusServiceUnavailable)
		a.requestAPI(t, http.MethodGet, "/calls", nil).wantStatus(t, http.StatusOK)
		if got := a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))); got.Status != http.StatusOK {
			t.Errorf("%d MiB left, a transcription: %d %s", left, got.Status, got)
		}
		if got := a.postForm(t, jobs, withFile(demoSample(t, "order.flac"))); got.Status != http.StatusServiceUnavailable ||
			!strings.Contains(got.String(), "disk") || got.Header.Get("Retry-After") == "" {
			t.Errorf("%d MiB left, a job: %d %s", left, got.Status, got)
		}
		free()
		a.awaitReadiness(t, http.StatusOK)
		kept = append(kept, a.bookOf(t, farFuture(), http.StatusCreated))
	}
	a.killProcess(t)
	again := startFastCalls(t, instanceSettings{data: a.Data, noKey: true})
	for _, id := range kept {
		again.requestAPI(t, http.MethodGet, "/calls/"+id, nil).wantStatus(t, http.StatusOK)
	}
	if all := again.requestAPI(t, http.MethodGet, "/calls?limit=200", nil).wantStatus(t, 200).String(); strings.Count(all, `"scenario_id"`) != len(kept) {
		t.Errorf("%d calls were acknowledged, and there are: %s", len(kept), all)
	}
	if strings.Contains(again.log.String(), "is lost") {
		t.Error(again.log.lastLines())
	}
}

// awaitReadiness waits until /readyz answers a status, 10 seconds at most.
func (a *testInstance) awaitReadiness(t *testing.T, want int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		status, body := a.probePath(t.Context(), "/readyz")
		if status == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("/readyz answers %d %s, not %d", status, body, want)
		}
	}
}

// farFuture returns a time at which nothing happens during a test.
func farFuture() string { return time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339) }

// bookOf books a call for a time (empty: now), expects a status, and returns the call's id.
func (a *testInstance) bookOf(t *testing.T, at string, status int) string {
	t.Helper()
	body := jsonObject{"phone_number": "+966500000007", "scenario_id": "restaurant_order"}
	if at != "" {
		body["scheduled_at"] = at
	}
	got := a.requestAPI(t, http.MethodPost, "/calls", body)
	if status != http.StatusCreated {
		failed := got.wantFailure(t, status, "unavailable")
		if text := got.String(); !strings.Contains(text, "disk") || got.Header.Get("Retry-After") == "" {
			t.Errorf("refused with %v", failed)
		}
		return ""
	}
	return got.wantStatus(t, status).successData(t)["id"].(string)
}

func (a *testInstance) statusOf(t *testing.T, id string) string {
	t.Helper()
	return a.requestAPI(t, http.MethodGet, "/calls/"+id, nil).wantStatus(t, http.StatusOK).successData(t)["status"].(string)
}

func (a *testInstance) awaitStatus(t *testing.T, id, want string) {
	t.Helper()
	for deadline := time.Now().Add(conversation); ; time.Sleep(50 * time.Millisecond) {
		got := a.statusOf(t, id)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the call is %s, not %s", got, want)
		}
	}
}

// TestStartWithoutRoom checks that a full or read-only disk at the start is named.
func TestStartWithoutRoom(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, 160)
	serve := []string{"serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(disk, "data"), "--cache", cacheDir()}
	mustSucceed(t, os.Mkdir(filepath.Join(disk, "data"), 0o700))
	free := fillDisk(t, disk, 1)
	runMunadi(t, nil, serve...).wantRefused(t, "a full disk", "disk is full", disk, "free some", "--data")
	free()
	mustSucceed(t, syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	runMunadi(t, nil, serve...).wantRefused(t, "a read-only disk", "read-only", disk, "mount it for writing")
	mustSucceed(t, syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, ""))
	startInstance(t, instanceSettings{data: filepath.Join(disk, "data")})
}
