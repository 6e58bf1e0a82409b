package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// begins tells whether a player could show the first frame and play the first sound of
// a video, by fetching what it would.
func (s *server) begins(ctx context.Context, id string) (bool, error) {
	folder := "/vod/" + id + "/hls/"
	master, there, err := s.isThere(ctx, folder+"manifest.m3u8")
	if err != nil || !there {
		return false, err
	}
	for _, playlist := range firstTracks(string(master)) {
		list, there, err := s.isThere(ctx, folder+playlist)
		if err != nil || !there {
			return false, err
		}
		segment := firstFile(string(list))
		if segment == "" {
			return false, nil
		}
		for _, file := range []string{"init.mp4", segment} {
			content, there, err := s.isThere(ctx, folder+path.Join(path.Dir(playlist), file))
			if err != nil || !there || len(content) == 0 {
				return false, err
			}
		}
	}
	return true, nil
}

// firstTracks is the playlists of the sound and of the size that players begin with.
func firstTracks(master string) (tracks []string) {
	if _, rest, found := strings.Cut(master, "#EXT-X-MEDIA:TYPE=AUDIO"); found {
		_, rest, _ = strings.Cut(rest, `URI="`)
		name, _, _ := strings.Cut(rest, `"`)
		tracks = append(tracks, name)
	}
	return append(tracks, firstFile(master))
}

// firstFile is the first line of a playlist that is a name.
func firstFile(playlist string) string {
	for line := range strings.Lines(playlist) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return line
		}
	}
	return ""
}

// isEncoded tells whether all qualities of a type are there: hls or mp4.
func (s *server) isEncoded(ctx context.Context, id, kind string) (bool, error) {
	var status struct {
		Encoding struct {
			Qualities []struct{ Type, Quality, Status string }
		}
	}
	if err := s.call(ctx, "GET", "/videos/"+id+"/status", "", &status); err != nil {
		return false, err
	}
	there := false
	for _, q := range status.Encoding.Qualities {
		switch {
		case q.Status == "failed":
			return false, errors.New(q.Quality + " could not be encoded: see what the worker says")
		case q.Type == kind && q.Status != "encoded":
			return false, nil
		}
		there = there || q.Type == kind
	}
	return there, nil
}

// isDone tells whether also the MP4, the storyboard and the poster are there.
func (s *server) isDone(ctx context.Context, id string) (bool, error) {
	if there, err := s.isEncoded(ctx, id, "mp4"); err != nil || !there {
		return false, err
	}
	for _, file := range []string{"storyboard.vtt", "thumbnail.jpg"} {
		if _, there, err := s.isThere(ctx, "/vod/"+id+"/"+file); err != nil || !there {
			return false, err
		}
	}
	return true, nil
}

// folderSize is the bytes of all files below a folder. Files may go meanwhile.
func folderSize(folder string) (n int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return ignoreMissing(err)
		}
		info, err := entry.Info()
		if err == nil {
			n += info.Size()
		}
		return ignoreMissing(err)
	})
	return n, err
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
