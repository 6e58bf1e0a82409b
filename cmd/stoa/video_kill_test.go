package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	apivideo "github.com/apivideo/api.video-go-client"
)

var (
	// A job that was there at five deaths is given up, which four kills cannot reach.
	killUploads = flag.Int("kill.uploads", 4, "uploads, and processes that are killed meanwhile")
	killSeed    = flag.Uint64("kill.seed", 0, "who is killed when; 0: another way each time")
)

// The film that is uploaded: several chunks for the encoders, two parts for uploaders.
const (
	killFilmSeconds = 60
	killFilmFrames  = 24 * killFilmSeconds
	killFilmPart    = 5 << 20
)

func TestKilledServersAndWorkersLoseNoUpload(t *testing.T) {
	t.Parallel()
	seed := *killSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("who is killed when: -kill.seed=%d", seed)
	film := makeKillFilm(t)
	c := newCrew(t, []string{"serve", "video"}, []string{"work"}, []string{"work"})

	var wg sync.WaitGroup
	ids := make([]string, *killUploads)
	for i := range ids {
		wg.Go(func() {
			ids[i] = c.create(fmt.Sprintf("film %d", i))
			c.upload(ids[i], film, i%2 == 0)
		})
	}
	wg.Go(func() { c.killSome(*killUploads, rand.New(rand.NewPCG(seed, seed))) })
	wg.Wait()
	if t.Failed() {
		return
	}
	calm := c.create("nobody is killed")
	c.upload(calm, film, true)
	ids = append(ids, calm)
	for _, id := range ids {
		c.awaitEncoded(id)
		c.wantWholeFilm(id)
	}
	c.wantSameFiles(ids)
	for _, id := range ids {
		if err := c.client().Videos.Delete(id); err != nil {
			t.Errorf("delete: %v", err)
		}
	}
	c.wantNothingLeft()
}

func makeKillFilm(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "film.mp4")
	out, err := exec.CommandContext(t.Context(), "ffmpeg", "-nostdin", "-v", "error",
		"-f", "lavfi", "-i", "testsrc2=size=320x240:rate=24", "-f", "lavfi", "-i", "sine=frequency=440", "-t", fmt.Sprint(killFilmSeconds),
		"-c:v", "libx264", "-preset", "ultrafast", "-g", "48", "-b:v", "900k", "-maxrate", "900k", "-bufsize", "900k", "-pix_fmt", "yuv420p", "-c:a", "aac", path).CombinedOutput()
	if err != nil {
		t.Fatalf("make a film: %v\n%s", err, out)
	}
	film, err := os.ReadFile(path)
	if err != nil || len(film) <= killFilmPart || len(film) > 2*killFilmPart {
		t.Fatalf("got a film of %d bytes, %v; want one of two parts", len(film), err)
	}
	return film
}

// killSome kills the server, and then whoever it meets, and starts them again.
func (c *crew) killSome(kills int, random *rand.Rand) {
	for i := range kills {
		time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond) // a moment of chance is what this is about
		victim := c.members[0]
		if i > 0 {
			victim = c.members[random.IntN(len(c.members))]
		}
		c.end(victim, os.Kill)
		c.start(victim)
	}
}

// awaitEncoded waits until every quality is there.
func (c *crew) awaitEncoded(id string) {
	c.t.Helper()
	var status *apivideo.VideoStatus
	for deadline := time.Now().Add(crewPatience); ; time.Sleep(100 * time.Millisecond) {
		var err error
		if status, err = c.client().Videos.GetStatus(id); err != nil {
			c.t.Fatal(err)
		}
		qualities := status.Encoding.GetQualities()
		done := len(qualities) > 0
		for _, q := range qualities {
			if q.GetStatus() == "failed" {
				c.t.Fatalf("%s: %s %s failed", id, q.GetType(), q.GetQuality())
			}
			done = done && q.GetStatus() == "encoded"
		}
		if done {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("%s is not encoded within %v: %+v", id, crewPatience, qualities)
		}
	}
}
