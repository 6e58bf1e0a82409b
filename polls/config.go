package polls

import "errors"

// Config is the settings of the polls. Their names begin with polls_.
type Config struct {
	PopularMinVotes   int64  `help:"Votes that a poll must once have had to be in the recent list." default:"0"`
	Rules             string `help:"Rate limit rules: default, venue (a hall or school behind one address), or a file." default:"default"`
	Streams           int    `help:"Open event streams in this process at most." default:"1000"`
	StreamsPerAddress int    `help:"Open event streams of one address at most. 0: as the rules say." default:"0"`
}

// Validate tells everything that is wrong.
func (c Config) Validate() error {
	var errs []error
	if c.PopularMinVotes < 0 {
		errs = append(errs, errors.New("polls_popular_min_votes: want 0 or more"))
	}
	if c.Streams < 0 || c.StreamsPerAddress < 0 {
		errs = append(errs, errors.New("polls_streams, polls_streams_per_address: want 0 or more"))
	}
	return errors.Join(errs...)
}
