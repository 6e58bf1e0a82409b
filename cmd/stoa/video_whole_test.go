package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"stoa/internal/blob/file"
)

// wantWholeFilm checks that each segment is in the playlist once and in order, and that
// together they are every frame and the whole sound.
func (c *crew) wantWholeFilm(id string) {
	c.t.Helper()
	v, err := c.client().Videos.Get(id)
	if err != nil {
		c.t.Fatal(err)
	}
	folder := c.address() + "/vod/" + v.VideoId + "/hls/"
	for track, perSecond := range map[string]float64{"240p": 24, "audio": 48000.0 / 1024} {
		response, err := http.Get(folder + track + "/manifest.m3u8")
		if err != nil {
			c.t.Fatal(err)
		}
		playlist, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			c.t.Fatal(err)
		}
		segments := regexp.MustCompile(`(?m)^\d+\.m4s$`).FindAllString(string(playlist), -1)
		for i, got := range segments {
			if want := fmt.Sprintf("%d.m4s", i); got != want {
				c.t.Fatalf("%s of %s: got segment %s, want %s", track, id, got, want)
			}
		}
		if len(segments) < killFilmSeconds/5 || !strings.Contains(string(playlist), "#EXT-X-ENDLIST") {
			c.t.Errorf("%s of %s: got %d segments in\n%s\nwant the whole film", track, id, len(segments), playlist)
		}
		out, err := exec.CommandContext(c.t.Context(), "ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0",
			folder+track+"/manifest.m3u8").CombinedOutput()
		var frames float64
		if _, scanned := fmt.Sscan(string(out), &frames); err != nil || scanned != nil {
			c.t.Fatalf("%s of %s: %v, %s", track, id, err, out)
		}
		want := killFilmSeconds * perSecond
		if track == "240p" && frames != killFilmFrames || frames < want-2 || frames > want+3 {
			c.t.Errorf("%s of %s: got %v frames, want %v", track, id, frames, want)
		}
	}
}

// versions is what differs between the keys of equal videos.
var versions = regexp.MustCompile(`^video/\w+/|[0-9a-zA-Z_-]{16,}`)

// wantSameFiles checks that no video has files which another of the same film has not,
// once what is made last is there.
func (c *crew) wantSameFiles(ids []string) {
	c.t.Helper()
	var odd string
	for deadline := time.Now().Add(crewPatience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if odd = c.oddFiles(ids); odd == "" {
			return
		}
	}
	c.t.Error(odd)
}

// oddFiles tells what some of the videos have and others have not, and what belongs to
// none of them.
func (c *crew) oddFiles(ids []string) string {
	owners := map[string][]string{} // by what is the same of a key
	for _, key := range c.keys() {
		id := strings.Split(key, "/")[1]
		if !slices.Contains(ids, id) {
			return fmt.Sprintf("got %s, want only files of videos that are there", key)
		}
		name := versions.ReplaceAllString(key, "*")
		if !strings.HasPrefix(name, "*source/") { // which differ by how they were sent
			owners[name] = append(owners[name], id)
		}
	}
	var odd []string
	for name, have := range owners {
		if slices.Sort(have); !slices.Equal(have, slices.Sorted(slices.Values(ids))) {
			odd = append(odd, fmt.Sprintf("got %s in %q, want it once in each of %q", name, have, ids))
		}
	}
	return strings.Join(odd, "\n")
}

func (c *crew) blobs() string { return filepath.Join(c.folder, "data", "blobs") }

// keys is everything that is stored.
func (c *crew) keys() []string {
	c.t.Helper()
	store, err := file.New(c.blobs())
	if err != nil {
		c.t.Fatal(err)
	}
	defer store.Close()
	var keys []string
	for info, err := range store.List(context.WithoutCancel(c.t.Context()), "") {
		if err != nil {
			c.t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// wantNothingLeft checks that the deletion of all videos leaves no file, and that what
// killed processes left behind is gone after the next start.
func (c *crew) wantNothingLeft() {
	c.t.Helper()
	for deadline := time.Now().Add(crewPatience); len(c.keys()) > 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.t.Fatalf("got %q left of deleted videos", c.keys())
		}
	}
	for _, m := range c.members {
		c.end(m, syscall.SIGTERM)
	}
	long := time.Now().Add(-24 * time.Hour) // nobody can be writing them any more
	for _, path := range filesBelow(c, filepath.Join(c.blobs(), "~incoming")) {
		if err := os.Chtimes(path, long, long); err != nil {
			c.t.Fatal(err)
		}
	}
	c.start(c.members[0])
	c.address()
	c.end(c.members[0], syscall.SIGTERM)
	for _, folder := range []string{c.blobs(), filepath.Join(c.folder, "data", "scratch")} {
		if left := filesBelow(c, folder); len(left) > 0 {
			c.t.Errorf("got %q left in %s", left, folder)
		}
	}
}

// filesBelow is the files in a folder, which may not be there.
func filesBelow(c *crew, folder string) (files []string) {
	c.t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		c.t.Fatal(err)
	}
	return files
}
