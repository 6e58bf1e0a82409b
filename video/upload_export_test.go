package video

import (
	"context"
	"time"
)

// ImportSource is one try of the job that fetches a source.
func (s *Service) ImportSource(ctx context.Context, id string) error {
	return s.importSource(ctx, importArgs{id})
}

// CopySource is one try of the job that copies a source.
func (s *Service) CopySource(ctx context.Context, id string) error {
	return s.copySource(ctx, copyArgs{id})
}

// RemoveDeleted is one try of the job that removes what is left of a deleted video.
func (s *Service) RemoveDeleted(ctx context.Context, id string) error {
	return s.removeDeleted(ctx, removalArgs{id})
}

// Expire is one turn of the job that takes away what has had its time.
func (s *Service) Expire(ctx context.Context) error { return s.expire(ctx, expireArgs{}) }

// SetSilence is for clients that say nothing.
func (s *Service) SetSilence(d time.Duration) { s.silence = d }

// SetImportPart is for sources that need not be large to be kept in several files.
func (s *Service) SetImportPart(bytes int64) { s.importPart = bytes }
