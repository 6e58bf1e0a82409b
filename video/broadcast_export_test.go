package video

import "time"

// SetLongestBroadcast is after what time the next broadcast begins.
func (s *Service) SetLongestBroadcast(d time.Duration) { s.longestBroadcast = d }

// SetStoreTries is for storages that fail.
func (s *Service) SetStoreTries(n int) { s.storeTries = n }
