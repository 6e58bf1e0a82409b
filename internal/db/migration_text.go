package db

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"text/template"
)

// migrationWords are what migrations write where the engines differ:
//
//	CREATE TABLE t (k TEXT PRIMARY KEY, v {{bytes}} NOT NULL){{without_rowid}};
//	CREATE TABLE n (id {{id}} PRIMARY KEY, name TEXT);   -- on SQLite without an index beside the table
//	{{sequence "t_ids"}};   -- for NextIDs
//
// A table that many rows are inserted into at once has its columns {{not_null}}: a
// statement that fails then leaves the rows before the faulty one behind, for the
// rollback of the transaction to take back, and SQLite need not keep a copy of every
// page that the statement changes.
func (d *DB) migrationWords() template.FuncMap {
	text := func(sqlite, postgres string) func() string {
		if d.Postgres() {
			sqlite = postgres
		}
		return func() string { return sqlite }
	}
	return template.FuncMap{
		"bytes":         text("BLOB", "BYTEA"),
		"id":            text("INTEGER", "BIGINT"), // only this very word makes SQLite keep the rows by their numbers
		"not_null":      text("NOT NULL ON CONFLICT FAIL", "NOT NULL"),
		"without_rowid": text(" WITHOUT ROWID", ""),
		"sequence":      d.sequenceText,
	}
}

func (d *DB) sequenceText(name string) (string, error) {
	if !word.MatchString(name) {
		return "", fmt.Errorf("%q is no name of a sequence: want small letters, digits and _", name)
	}
	if d.Postgres() {
		return "CREATE SEQUENCE " + name, nil
	}
	return fmt.Sprintf("INSERT INTO sequences (name, last) VALUES ('%s', 0)", name), nil
}

// migrationFiles is a folder of migrations with the words replaced.
type migrationFiles struct {
	fs.FS
	words template.FuncMap
}

func (m migrationFiles) Open(name string) (fs.File, error) {
	f, err := m.FS.Open(name)
	if err != nil || path.Ext(name) != ".sql" {
		return f, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	source, err := fs.ReadFile(m.FS, name)
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Funcs(m.words).Parse(string(source))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := t.Execute(&text, nil); err != nil {
		return nil, err
	}
	return migrationFile{bytes.NewBuffer(inOnePiece(text.Bytes())), info}, nil
}

// inOnePiece has goose run the whole file at once, which both engines can. To find where
// each statement ends it would take some megabytes for every line.
func inOnePiece(text []byte) []byte {
	const up = "-- +goose Up\n"
	text = bytes.Replace(text, []byte(up), []byte(up+"-- +goose StatementBegin\n"), 1)
	return append(text, "\n-- +goose StatementEnd\n"...)
}

type migrationFile struct {
	*bytes.Buffer
	info fs.FileInfo
}

func (f migrationFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (migrationFile) Close() error                 { return nil }
