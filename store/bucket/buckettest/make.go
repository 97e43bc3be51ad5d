package buckettest

import (
	"context"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// MakeBucket creates a bucket, unless it exists.
func (s *Server) MakeBucket(ctx context.Context, name string) error {
	client, err := minio.New(s.Endpoint()[len("http://"):], &minio.Options{
		Creds: credentials.NewStaticV4(KeyID, KeySecret, ""), Region: "us-east-1", BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		return err
	}
	err = client.MakeBucket(ctx, name, minio.MakeBucketOptions{Region: "us-east-1"})
	if minio.ToErrorResponse(err).Code == minio.BucketAlreadyOwnedByYou {
		return nil // the client repeated a request whose answer was lost
	}
	return err
}
