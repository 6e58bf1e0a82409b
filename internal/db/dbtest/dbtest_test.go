package dbtest_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
)

var files = fstest.MapFS{"migrations/001_notes.sql": {Data: []byte("-- +goose Up\nCREATE TABLE notes (id BIGINT PRIMARY KEY);\n")}}

func TestEachHasBothEnginesWithEmptyTables(t *testing.T) {
	seen := map[bool]bool{}
	for range 2 {
		dbtest.Each(t, "notes", files, func(t *testing.T, d *db.DB) {
			seen[d.Postgres()] = true
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(t.Context(), `INSERT INTO notes (id) VALUES (1)`)
				return err
			})
			if err != nil {
				t.Errorf("got %v want a table without rows", err)
			}
		})
	}
	if len(seen) != 2 {
		t.Errorf("got %v want both engines", seen)
	}
}

func TestDatabasesAreNotShared(t *testing.T) {
	t.Parallel()
	a, b := dbtest.Postgres(t), dbtest.Postgres(t)
	if a == b {
		t.Errorf("got %s twice want two databases", a)
	}
}

// childWaits makes this test binary one that starts a server and waits.
const childWaits = "STOA_TEST_CHILD_WAITS"

func TestServerEndsWhenTheBinaryIsKilled(t *testing.T) {
	if os.Getenv(childWaits) != "" {
		var folder string
		if err := dbtest.Open(t, dbtest.Postgres(t)).QueryRow(t.Context(), `SHOW data_directory`).Scan(&folder); err != nil {
			t.Fatal(err)
		}
		fmt.Println(folder)
		select {}
	}
	t.Parallel()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), childWaits+"=1", "STOA_TEST_POSTGRES=")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	folder := strings.TrimSpace(line)
	if _, missing := os.Stat(folder); err != nil || missing != nil {
		t.Errorf("got %q, %v, %v want the folder of a server", line, err, missing)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
	t.Errorf("got %s want it gone", folder)
}
