package s3

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/minio/minio-go/v7"

	"stoa/internal/blob"
)

// kindOf gives a failed request its kind, unless it failed for the caller's own
// reason. What the store refuses for good, such as a wrong key, has none: that
// is for the operator, in the log.
func kindOf(callers, err error) error {
	if callers != nil {
		return callers
	}
	answer, answered := errors.AsType[minio.ErrorResponse](err)
	switch {
	case !answered: // not sent, or the answer was lost
		return fmt.Errorf("%w: %w", blob.ErrUnavailable, err)
	case answer.StatusCode >= http.StatusInternalServerError,
		answer.StatusCode == http.StatusTooManyRequests,
		answer.StatusCode == http.StatusRequestTimeout:
		return fmt.Errorf("%w: %w", blob.ErrUnavailable, err)
	}
	switch answer.Code {
	case minio.NoSuchKey:
		return blob.ErrNotFound
	case minio.PreconditionFailed:
		return blob.ErrChanged
	case "ObjectParentIsFile", "ExistingObjectIsDirectory": // versitygw, over a folder of files
		return blob.ErrFolder
	}
	return err
}
