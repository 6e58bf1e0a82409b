package app

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"stoa/internal/db"
)

// leastSpace is what a data folder should have left, bytes.
const leastSpace = 1 << 30

// examineSpace looks how much room there is where things are kept.
func examineSpace(dir string) Finding {
	const what = "free space"
	var disk unix.Statfs_t
	if err := unix.Statfs(existing(dir), &disk); err != nil {
		return Finding{what, false, err.Error(), "name another folder with STOA_DATA or --data"}
	}
	free := disk.Bavail * uint64(disk.Bsize)
	text := fmt.Sprintf("%.1f GiB at %s", float64(free)/(1<<30), dir)
	if free < leastSpace {
		return Finding{what, false, text, "delete something there (du -xh --max-depth=1 shows what is large), or name another folder with STOA_DATA"}
	}
	return Finding{what, true, text, ""}
}

// firstYear is before everything that is kept.
const firstYear = 2026

// examineClock compares the clock of this machine with those that it meets: of the file
// system, which may be another machine's, and of database servers.
func (c *Config) examineClock(ctx context.Context) []Finding {
	findings := []Finding{examineYear(time.Now())}
	if stamp, err := fileTime(existing(c.Settings.Data)); err == nil {
		findings = append(findings, judgeClock("clock of the data folder", time.Since(stamp)))
	}
	for _, name := range Environments() {
		where, err := c.Settings.place(name)
		if err != nil || !where.db.postgres() {
			continue
		}
		if off, err := databaseClock(ctx, string(where.db)); err == nil { // else the database is not in order, which is said
			findings = append(findings, judgeClock("clock of the "+name+" database", off))
		}
	}
	return findings
}

func examineYear(now time.Time) Finding {
	if now.Year() < firstYear || now.Year() > firstYear+50 {
		return Finding{"clock", false, "this machine believes that it is " + now.UTC().Format(time.RFC1123), "set it: timedatectl set-ntp true"}
	}
	return Finding{"clock", true, now.UTC().Format(time.RFC1123), ""}
}

// maxClockGap is between clocks that are well.
const maxClockGap = 5 * time.Second

// judgeClock takes how far this machine is ahead of the other clock.
func judgeClock(what string, ahead time.Duration) Finding {
	if ahead.Abs() <= maxClockGap {
		return Finding{what, true, "agrees with this machine", ""}
	}
	other := "behind"
	if ahead < 0 {
		other = "ahead of"
	}
	return Finding{what, false, fmt.Sprintf("is %v %s this machine", ahead.Abs().Round(time.Second), other), "set both clocks by the network: timedatectl set-ntp true"}
}

// fileTime is what the file system says of a file that was written now.
func fileTime(folder string) (time.Time, error) {
	probe, err := os.CreateTemp(folder, ".stoa-doctor-*")
	if err != nil {
		return time.Time{}, err
	}
	defer os.Remove(probe.Name())
	defer probe.Close()
	if _, err := probe.WriteString("now"); err != nil {
		return time.Time{}, err
	}
	info, err := probe.Stat()
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// databaseClock is how far this machine is ahead of a server.
func databaseClock(ctx context.Context, where string) (ahead time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d, err := db.Open(ctx, where, db.Options{})
	if err != nil {
		return 0, err
	}
	defer d.Close()
	var micros int64
	if err := d.QueryRow(ctx, `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`).Scan(&micros); err != nil {
		return 0, err
	}
	return time.Since(db.Time(micros)), nil
}
