package tasks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"harrier/internal/distributed/levels"
	"harrier/internal/model"
)

// S3 is files in a bucket of a server with the interface of Amazon S3. The environment has the credentials: AWS_ACCESS_KEY_ID and
// AWS_SECRET_ACCESS_KEY.
type S3 struct {
	client         *minio.Client
	bucket, prefix string
}

// openS3 opens the files of a search at server/bucket/prefix, where the prefix may be left out.
func openS3(ctx context.Context, at, search string, encrypted bool) (*S3, error) {
	server, path, _ := strings.Cut(at, "/")
	bucket, prefix, _ := strings.Cut(path, "/")
	if server == "" || bucket == "" {
		return nil, &model.UsageError{Text: fmt.Sprintf("--share s3://%s: name a server and a bucket, as in s3://s3.example.org/levels", at)}
	}
	client, err := minio.New(server, &minio.Options{Creds: credentials.NewEnvAWS(), Secure: encrypted})
	if err != nil {
		return nil, &model.UsageError{Text: fmt.Sprintf("--share s3://%s: %v", at, err)}
	}
	has, err := client.BucketExists(ctx, bucket)
	if err == nil && !has {
		err = errors.New("there is no such bucket")
	}
	if err != nil {
		return nil, &model.UsageError{Text: fmt.Sprintf("--share s3://%s: %v", at, err)}
	}
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	return &S3{client, bucket, prefix + search + "/"}, nil
}

// Put implements Origin.
func (s *S3) Put(ctx context.Context, name string, content *os.File) error {
	info, err := content.Stat()
	if err != nil {
		return err
	}
	if has, err := s.client.StatObject(ctx, s.bucket, s.prefix+name, minio.StatObjectOptions{}); err == nil && has.Size == info.Size() {
		return nil
	}
	_, err = s.client.PutObject(ctx, s.bucket, s.prefix+name, content, info.Size(), minio.PutObjectOptions{})
	return s.failed(err)
}

// Fetch implements Origin.
func (s *S3) Fetch(ctx context.Context, name string, into *os.File) error {
	object, err := s.client.GetObject(ctx, s.bucket, s.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return s.failed(err)
	}
	defer object.Close()
	_, err = into.ReadFrom(object)
	if levels.IsOfFile(err) {
		return err
	}
	if err != nil && minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		return &levels.DamagedError{Name: name, Text: "is missing"}
	}
	return s.failed(err)
}

// Clear implements Origin.
func (s *S3) Clear(ctx context.Context) error {
	for object := range s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, Recursive: true}) {
		if object.Err != nil {
			return s.failed(object.Err)
		}
		if err := s.client.RemoveObject(ctx, s.bucket, object.Key, minio.RemoveObjectOptions{}); err != nil {
			return s.failed(err)
		}
	}
	return nil
}

// failed is the error of a server that fails although the client has tried again.
func (s *S3) failed(err error) error {
	if err == nil {
		return nil
	}
	return &model.LimitError{Text: fmt.Sprintf("--share: the server of the bucket %s does not keep or give files: %v", s.bucket, err)}
}
