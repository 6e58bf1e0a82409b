package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// parts is in how many pieces a source is sent that is not sent whole.
const parts = 5

// transfer is one upload, or one file that was written.
type transfer struct {
	megabytes float64
	took      time.Duration
	cpu       time.Duration // of the server
}

func (t transfer) speed() float64    { return t.megabytes / t.took.Seconds() }
func (t transfer) cpuPerMB() float64 { return t.cpu.Seconds() * 1e3 / t.megabytes }

// compareUpload measures uploads of the same bytes, and the disk below them.
func compareUpload(ctx context.Context, s settings) error {
	h, site, shut, err := openHome(ctx, s.program)
	if err != nil {
		return err
	}
	defer shut()
	size := s.upload << 20
	ways := []struct {
		name, wanted string
		send         func() (transfer, error)
	}{
		{"written to a file", "", func() (transfer, error) { return writeFile(filepath.Join(h.data(), "raw"), size) }},
		{"sent whole", "≥ 0.7", func() (transfer, error) { return h.upload(ctx, site, size, 1) }},
		{fmt.Sprintf("sent in %d parts", parts), "≥ 0.7", func() (transfer, error) { return h.upload(ctx, site, size, parts) }},
	}
	rounds := make([][]transfer, len(ways))
	for round := range s.rounds + 1 { // the first warms up and is not counted
		for i, way := range ways {
			r, err := way.send()
			if err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
			if round > 0 {
				rounds[i] = append(rounds[i], r)
			}
			fmt.Fprintf(os.Stderr, "%d/%d  %-18s %7.1f MB/s  %5.2f ms CPU for 1 MB\n", round, s.rounds, way.name, r.speed(), r.cpuPerMB())
		}
	}
	fmt.Printf("\nUpload: %d MiB\n\n", s.upload)
	t := newTable("what", "MB/s", "ratio", "wanted", "CPU ms per MB")
	for i, way := range ways {
		cpu := ""
		if i > 0 {
			cpu = figure("%.2f", rounds[i], transfer.cpuPerMB)
		}
		t.add(way.name, figure("%.0f", rounds[i], transfer.speed), ratio(rounds[i], rounds[0], transfer.speed), way.wanted, cpu)
	}
	return t.print()
}

// upload sends a source in a number of pieces, one after the other, and deletes the video.
func (h *home) upload(ctx context.Context, site *server, size int64, pieces int64) (transfer, error) {
	id, err := site.create(ctx, `{"title":"upload"}`)
	if err != nil {
		return transfer{}, err
	}
	before, err := site.cpu()
	if err != nil {
		return transfer{}, err
	}
	start := time.Now()
	if err := site.sendNoise(ctx, id, size, pieces); err != nil {
		return transfer{}, err
	}
	took := time.Since(start)
	after, err := site.cpu()
	if err != nil {
		return transfer{}, err
	}
	if err := site.call(ctx, "DELETE", "/videos/"+id, "", nil); err != nil {
		return transfer{}, err
	}
	err = until(ctx, 20*time.Millisecond, func() (bool, error) { // so that nobody else is disturbed by it
		left, err := folderSize(blobs(h.data()))
		return left < size, err
	})
	return transfer{float64(size) / 1e6, took, after - before}, err
}

// sendNoise speaks HTTP by itself, as viewers do.
func (s *server) sendNoise(ctx context.Context, id string, size, pieces int64) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Address)
	if err != nil {
		return err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for piece := range pieces {
		first, end, part := size*piece/pieces, size*(piece+1)/pieces, ""
		if pieces > 1 {
			part = fmt.Sprintf("Content-Range: bytes %d-%d/%d\r\n", first, end-1, size)
		}
		if _, err := fmt.Fprintf(conn, "POST /videos/%s/source HTTP/1.1\r\nHost: bench\r\n%sContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n%s",
			id, s.authorization(), formType, int64(len(formHead))+end-first+int64(len(formTail)), part, formHead); err != nil {
			return err
		}
		if err := writeNoise(conn, end-first); err != nil {
			return err
		}
		if _, err := io.WriteString(conn, formTail); err != nil {
			return err
		}
		if err := readAnswer(in); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes as many bytes to a file that survives a power cut.
func writeFile(name string, size int64) (transfer, error) {
	defer os.Remove(name)
	start := time.Now()
	f, err := os.Create(name)
	if err != nil {
		return transfer{}, err
	}
	defer f.Close()
	if err := writeNoise(f, size); err != nil {
		return transfer{}, err
	}
	if err := f.Sync(); err != nil {
		return transfer{}, err
	}
	return transfer{megabytes: float64(size) / 1e6, took: time.Since(start)}, f.Close()
}

// noise is bytes that nothing makes shorter, made once.
var noise = sync.OnceValue(func() []byte {
	block := make([]byte, 8<<20)
	rand.NewChaCha8([32]byte{}).Read(block)
	return block
})

// writeNoise writes so many bytes, in bites as programs do that copy.
func writeNoise(w io.Writer, size int64) error {
	const bite = 256 << 10
	block := noise()
	for at := int64(0); at < size; at += bite {
		from := at % int64(len(block))
		if _, err := w.Write(block[from : from+min(bite, size-at)]); err != nil {
			return err
		}
	}
	return nil
}
