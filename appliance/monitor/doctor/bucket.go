package doctor

import (
	"context"
	"fmt"
	"os"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/store/bucket"
)

const (
	bucketTimeout = 30 * time.Second
	// maxSkew is the difference of clocks that is reported; S3 servers refuse requests from 15 minutes on.
	maxSkew = 30 * time.Second
)

// CheckBucket writes, reads, lists and removes an object, and compares the clocks.
func CheckBucket(ctx context.Context, b bucket.ObjectBucket) admin.CheckFinding {
	ctx, cancel := context.WithTimeout(ctx, bucketTimeout)
	defer cancel()
	f := admin.CheckFinding{Name: "recordings", State: admin.StateOK}
	ahead, err := bucket.CheckAccess(ctx, b)
	switch {
	case err != nil:
		f.State, f.Text = admin.StateFailed, err.Error()
	case ahead.Abs() > maxSkew:
		f.State = admin.StateWarning
		f.Text = fmt.Sprintf("%s can be used, but its clock differs from this machine's by %v: requests are refused if the "+
			"clocks differ by 15 minutes", b.Location(), ahead)
	default:
		f.Text = b.Location() + ": an object was written, read, listed and removed"
	}
	return f
}

// checkBucketOf checks the bucket of the settings with the keys of this process.
func checkBucketOf(ctx context.Context, cfg *config.Config) admin.CheckFinding {
	b, err := bucket.OpenBucket(cfg.Recordings, os.LookupEnv)
	if err != nil {
		return admin.CheckFinding{Name: "recordings", State: admin.StateFailed, Text: err.Error()}
	}
	return CheckBucket(ctx, b)
}
