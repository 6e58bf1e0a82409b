package video

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// Config is the settings of the room; flags, variables and file have the same names.
type Config struct {
	Encoders     int           `help:"Chunks that this process encodes at a time; 0: none, -1: one for each core." default:"-1"`
	Restore      bool          `help:"Deleted videos are discarded and can be brought back for 90 days."`
	Referrers    []string      `help:"Hosts whose pages may show videos, such as example.com or *.example.com. Default: all." placeholder:"HOST"`
	NeedReferrer bool          `help:"With referrers: refuse requests that name no page."`
	Countries    []string      `help:"Countries (FR, DE, …) that may watch; needs geo. Default: all." placeholder:"COUNTRY"`
	Geo          string        `help:"MaxMind database (.mmdb) that knows the countries of addresses." type:"path" placeholder:"FILE"`
	Rules        string        `help:"Rate limit rules: default, or a file." default:"default"`
	KeepViews    time.Duration `help:"How long single playbacks are kept for analytics." default:"720h"`
	LiveLadder   []int         `help:"Heights of smaller pictures that are made of broadcasts while they go on, such as 480,240; much work. Default: none." placeholder:"HEIGHT"`
	Scratch      string        `help:"Folder for copies of sources while they are encoded. Default: scratch in the data folder." type:"path" placeholder:"FOLDER"`
}

// liveHeights are the heights of pictures that can be made of a broadcast.
var liveHeights = []int{240, 360, 480, 720, 1080}

// Validate tells what is wrong, all of it.
func (c Config) Validate() error {
	var errs []error
	if c.Encoders < -1 {
		errs = append(errs, errors.New("video_encoders: want -1, 0 or more"))
	}
	if c.KeepViews != 0 && c.KeepViews < time.Hour || c.KeepViews > 30*24*time.Hour {
		errs = append(errs, errors.New("video_keep_views: want 1h to 720h"))
	}
	if len(c.Countries) > 0 && c.Geo == "" {
		errs = append(errs, errors.New("video_countries: needs video_geo, the database that knows countries"))
	}
	if err := checkRules(c.Rules); err != nil {
		errs = append(errs, fmt.Errorf("video_rules: %w", err))
	}
	for _, height := range c.LiveLadder {
		if !slices.Contains(liveHeights, height) {
			errs = append(errs, fmt.Errorf("video_live_ladder: want some of %v, not %d", liveHeights, height))
		}
	}
	return errors.Join(errs...)
}

// EncodersHere is how many chunks are encoded at a time on this machine.
func (c Config) EncodersHere() int {
	if c.Encoders < 0 {
		return runtime.NumCPU()
	}
	return c.Encoders
}
