package db_test

import (
	"bufio"
	"fmt"
	"os"
	osexec "os/exec"
	"strings"
	"testing"

	"stoa/internal/db/dbtest"
)

func TestOneOwnerOfAFile(t *testing.T) {
	t.Parallel()
	path := dbtest.SQLite(t)
	first, second := dbtest.Open(t, path), dbtest.Open(t, path)
	release, err := first.Own()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Own(); err == nil || !strings.Contains(err.Error(), path+" is served by another process") {
		t.Errorf("got %v want a refusal", err)
	}
	exec(t, second, `CREATE TABLE t (a BIGINT)`) // a command may write all the same
	if err := release(); err != nil {
		t.Fatal(err)
	}
	release, err = second.Own()
	if err != nil {
		t.Fatalf("got %v want the file to be free", err)
	}
	release()
}

func TestOwnerOfPostgresIsNotAlone(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.Postgres(t))
	for range 2 {
		release, err := d.Own()
		if err != nil {
			t.Fatal(err)
		}
		defer release()
	}
}

// childOwns makes this test binary a process that owns the file it names.
const childOwns = "STOA_TEST_OWN"

func TestOwnershipDiesWithTheProcess(t *testing.T) {
	if path := os.Getenv(childOwns); path != "" {
		d := dbtest.Open(t, path)
		if _, err := d.Own(); err != nil {
			t.Fatal(err)
		}
		fmt.Println("owned")
		select {}
	}
	t.Parallel()
	path := dbtest.SQLite(t)
	child := osexec.Command(os.Args[0], "-test.run=^TestOwnershipDiesWithTheProcess$")
	child.Env = append(os.Environ(), childOwns+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "owned\n" {
		t.Errorf("got %q, %v want owned", line, err)
	}
	d := dbtest.Open(t, path)
	if _, err := d.Own(); err == nil {
		t.Error("got the file want it to be another's")
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	release, err := d.Own()
	if err != nil {
		t.Fatalf("got %v want the file to be free", err)
	}
	release()
}
