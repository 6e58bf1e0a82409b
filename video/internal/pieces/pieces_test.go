package pieces_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"stoa/video/internal/pieces"
	"stoa/video/internal/problem"
)

const mib = 1 << 20

func TestHeadersThatAreRead(t *testing.T) {
	t.Parallel()
	const most = 1<<63 - 1
	for header, want := range map[string]pieces.Range{
		"part 2/7":          {Form: pieces.Parts, Part: 2, Total: 7},
		"part 02/*":         {Form: pieces.Parts, Part: 2, Open: true},
		"part 0/0":          {Form: pieces.Parts},
		"bytes 0-1023/4096": {Form: pieces.Bytes, To: 1023, Total: 4096},
		"bytes 9-1/0":       {Form: pieces.Bytes, From: 9, To: 1},
		"part 9223372036854775799/9223372036854775807":                        {Form: pieces.Parts, Part: most - 8, Total: most},
		"bytes 99999999999999999999-18446744073709551617/9223372036854775808": {Form: pieces.Bytes, From: most, To: most, Total: most},
	} {
		if got, err := pieces.Parse(header); err != nil || got != want {
			t.Errorf("%q: got %+v (%v), want %+v", header, got, err, want)
		}
	}
}

func TestHeadersThatAreMalformed(t *testing.T) {
	t.Parallel()
	for _, header := range []string{
		"", "part", "part 1", "part 1/", "part /1", "part 1/2/3", "part -1/2", "part 1 /2", "Part 1/2", "part  1/2", "parts 1/2",
		"bytes 0-1/*", "bytes */5", "bytes 0-/5", "bytes=0-1/5", "bytes 0-1", "0-1/5", "part 1/2\n", " part 1/2", "part ١/٢", "part 1/2, part 2/2",
	} {
		_, err := pieces.Parse(header)
		wantKind(t, header, err, "malformed")
	}
}

// Each case is what came before, each with its size in bytes, and the piece in
// question.
func TestRulesOfPieces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ before, piece, wantKind string }{
		{"", "part 1/1 1", ""},
		{"", "part 1/1 209715200", ""},
		{"", "part 10000/10000 0", ""},
		{"", "part 1/2 5242880", ""},
		{"", "part 1/* 5242880", ""},
		{"part 1/* 5242880", "part 2/2 0", ""},
		{"part 2/2 7", "part 1/* 5242880", ""},
		{"part 1/3 5242880", "part 3/* 7", ""},
		{"part 3/* 5242880, part 1/* 5242880", "part 4/4 1", ""},
		{"", "bytes 0-0/1 1", ""},
		{"", "bytes 5242880-5242880/5242881 1", ""},
		{"bytes 5242880-5242880/5242881 1", "bytes 0-5242879/5242881 5242880", ""},
		{"", "bytes 0-5242879/32212254720 5242880", ""},
		{"bytes 0-5242879/20971520 5242880", "bytes 5242880-10485759/20971520 5242880", ""},

		{"part 1/2 5242880", "bytes 0-5242879/5242881 5242880", "started-with-part"},
		{"bytes 0-5242879/5242881 5242880", "part 2/2 1", "started-with-bytes"},

		{"", "part 0/2 1", "by-part-part-zero"},
		{"", "part 1/0 1", "by-part-total-parts-zero"},
		{"", "part 10001/* 5242880", "by-part-part-too-high-allowed"},
		{"", "part 99999999999999999999/* 5242880", "by-part-part-too-high-allowed"},
		{"", "part 1/10001 5242880", "by-part-total-parts-too-high"},
		{"", "part 3/2 5242880", "by-part-part-too-high-total"},
		{"part 1/2 5242880", "part 3/* 5242880", "by-part-part-too-high-total"},
		{"part 1/3 5242880", "part 2/4 5242880", "by-part-different-total-parts"},
		{"part 4/* 5242880", "part 1/3 5242880", "by-part-total-parts-too-low"},
		{"part 1/2 5242880", "part 1/2 5242880", "by-part-part-already-sent"},
		{"part 1/* 5242880", "part 1/* 5242880", "by-part-part-already-sent"},
		{"", "part 1/2 5242879", "by-part-uploaded-file-too-small"},
		{"", "part 1/* 5242879", "by-part-uploaded-file-too-small"},

		{"", "bytes 0-0/0 1", "by-bytes-total-bytes-zero"},
		{"", "bytes 0-5242879/52428800001 5242880", "by-bytes-total-bytes-too-high"},
		{"bytes 0-10485759/20971520 10485760", "bytes 5242880-10485758/10485759 5242879", "by-bytes-total-bytes-too-low"},
		{"bytes 0-10485759/20971520 10485760", "bytes 5242880-10485759/10485760 5242880", "by-bytes-different-total-bytes"},
		{"", "bytes 2-1/9 0", "by-bytes-from-byte-too-high"},
		{"", "bytes 0-9/9 10", "by-bytes-to-byte-too-high-total"},
		{"", "bytes 0-52428800000/9 1", "by-bytes-to-byte-too-high-allowed"},
		{"", "bytes 0-8/9 8", "by-bytes-range-mismatch"},
		{"", "bytes 0-8/9 10", "by-bytes-range-mismatch"},
		{"bytes 0-5242879/20971520 5242880", "bytes 5242879-10485759/20971520 5242881", "by-bytes-range-overlap"},
		{"bytes 5242880-10485759/20971520 5242880", "bytes 0-5242880/20971520 5242881", "by-bytes-range-overlap"},
		{"", "bytes 0-5242878/20971520 5242879", "by-bytes-range-too-small"},
		{"", "bytes 0-209715200/209715201 209715201", "by-bytes-range-too-large"},
	} {
		t.Run(test.before+" then "+test.piece, func(t *testing.T) {
			t.Parallel()
			var s pieces.State
			for text := range strings.SplitSeq(test.before, ", ") {
				if text != "" {
					wantKind(t, text, accept(t, &s, text), "")
				}
			}
			count := len(s.Pieces)
			err := accept(t, &s, test.piece)
			wantKind(t, test.piece, err, test.wantKind)
			if accepted := len(s.Pieces) > count; accepted != (err == nil) {
				t.Errorf("got accepted = %v with error %v", accepted, err)
			}
		})
	}
}

func TestFilesThatArePiecesOfNothing(t *testing.T) {
	t.Parallel()
	const full = 30 << 30
	var s pieces.State
	for n := range int64(full / pieces.MaxPiece) {
		if err := s.Accept(pieces.Range{Form: pieces.Parts, Part: n + 1, Open: true}, pieces.MaxPiece); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		state *pieces.State
		piece string
		want  *problem.Error
	}{
		{&s, "part 9999/* 209715200", problem.FileTooLarge},
		{new(pieces.State), "part 1/1 209715201", problem.FileTooLarge},
		{new(pieces.State), "bytes 0-5242879/32212254721 5242880", problem.FileTooLarge},
		{new(pieces.State), "part 1/1 0", problem.FileEmpty},
	} {
		if err := accept(t, test.state, test.piece); !errors.Is(err, test.want) {
			t.Errorf("%q: got %v, want %v", test.piece, err, test.want)
		}
	}
}

func TestWholeUploadOnlyAtTheBeginning(t *testing.T) {
	t.Parallel()
	var s pieces.State
	if err := s.AdmitWhole(); err != nil {
		t.Errorf("got %v at the beginning, want nil", err)
	}
	if err := accept(t, &s, "part 2/2 1"); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "whole", s.AdmitWhole(), "already-initiated")
}

func TestNothingIsNotComplete(t *testing.T) {
	t.Parallel()
	for _, form := range []pieces.Form{"", pieces.Parts, pieces.Bytes} {
		if s := (pieces.State{Form: form}); s.Complete() {
			t.Errorf("got %q complete without a piece, want it not", form)
		}
	}
}

func TestWhatTheStatusShows(t *testing.T) {
	t.Parallel()
	for before, want := range map[string]string{
		"":                                   `{"bytes":[],"parts":{"parts":[],"total":null},"size":0,"known":false,"complete":false}`,
		"part 3/* 5242880, part 1/* 5242880": `{"bytes":[],"parts":{"parts":[1,3],"total":null},"size":10485760,"known":false,"complete":false}`,
		"part 2/2 4, part 1/* 5242880":       `{"bytes":[],"parts":{"parts":[1,2],"total":2},"size":5242884,"known":true,"complete":true}`,
		"bytes 5242880-5242882/5242883 3":    `{"bytes":[{"from":5242880,"to":5242882,"total":5242883}],"parts":{"parts":[],"total":null},"size":5242883,"known":true,"complete":false}`,
		"bytes 5242880-5242882/5242883 3, bytes 0-5242879/5242883 5242880": `{"bytes":[{"from":0,"to":5242879,"total":5242883},{"from":5242880,"to":5242882,"total":5242883}],"parts":{"parts":[],"total":null},"size":5242883,"known":true,"complete":true}`,
	} {
		var s pieces.State
		for text := range strings.SplitSeq(before, ", ") {
			if text != "" {
				wantKind(t, text, accept(t, &s, text), "")
			}
		}
		size, known := s.Size()
		got, err := json.Marshal(struct {
			Bytes    any   `json:"bytes"`
			Parts    any   `json:"parts"`
			Size     int64 `json:"size"`
			Known    bool  `json:"known"`
			Complete bool  `json:"complete"`
		}{s.ReceivedBytes(), s.ReceivedParts(), size, known, s.Complete()})
		if err != nil || string(got) != want {
			t.Errorf("%q: got %s (%v), want %s", before, got, err, want)
		}
		if !slices.IsSortedFunc(s.Ordered(), func(a, b pieces.Piece) int { return int(a.At - b.At) }) {
			t.Errorf("%q: got pieces %v, want them in order", before, s.Ordered())
		}
	}
}

// accept takes a header with a size at the end.
func accept(t *testing.T, s *pieces.State, text string) error {
	t.Helper()
	space := strings.LastIndexByte(text, ' ')
	var size int64
	if _, err := fmt.Sscan(text[space+1:], &size); err != nil {
		t.Fatal(err)
	}
	r, err := pieces.Parse(text[:space])
	if err != nil {
		t.Fatal(err)
	}
	return s.Accept(r, size)
}

// wantKind takes the kind without what all of them begin with; "" is no error.
func wantKind(t *testing.T, what string, err error, kind string) {
	t.Helper()
	if kind == "" {
		if err != nil {
			t.Errorf("%q: got %v, want no error", what, err)
		}
		return
	}
	e, ok := errors.AsType[*problem.Error](err)
	if !ok || e.Status != 400 || e.Kind != "video-content-range-"+kind || e.Title == "" || e.Detail == "" || e.Name == "" {
		t.Errorf("%q: got %+v, want a whole 400 of kind %s", what, err, kind)
	}
}
