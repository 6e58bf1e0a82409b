package app_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stoa/app"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
)

// raw sends bytes to a port and returns the line of the status.
func (p *process) raw(port, request string) string {
	p.t.Helper()
	conn, err := net.Dial("tcp", p.address(port))
	if err != nil {
		p.t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		p.t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(conn, request) }() // the server may hang up in the middle
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func TestHeadersOf16KiBAtMost(t *testing.T) {
	t.Parallel()
	p := startPolls(t, pollSettings(t.TempDir()), nil)
	const empty = "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Fill: \r\n\r\n"
	request := func(size int) string {
		return strings.Replace(empty, "X-Fill: ", "X-Fill: "+strings.Repeat("a", size-len(empty)), 1)
	}
	if got := p.raw(web, request(16<<10)); !strings.Contains(got, " 200 ") {
		t.Errorf("16 KiB: got %s, want 200", got)
	}
	if got := p.raw(web, request(16<<10+64)); !strings.Contains(got, " 431 ") {
		t.Errorf("more: got %s, want 431", got)
	}
	if got := p.raw(web, "GET /"+strings.Repeat("a", 20<<10)+" HTTP/1.1\r\nHost: x\r\n\r\n"); !strings.Contains(got, " 431 ") {
		t.Errorf("a long line: got %s, want 431", got)
	}
}

func TestLinksAreMadeOfThePublicURL(t *testing.T) {
	t.Parallel()
	settings := bothSettings(t.TempDir())
	settings.SecondPublicURL = "https://try.example.com/"
	p := startPolls(t, settings, nil)
	p.address(staging)
	for port, want := range map[string]string{web: "http://" + p.address(web), staging: "https://try.example.com"} {
		token := member(t, p.login(port, "operator", p.operators()[map[string]string{web: "production", staging: "staging"}[port]]), "authToken")
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.address(port)+"/api/v4/users/me?auth_token="+url.QueryEscape(token), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "evil.example"
		r.Header.Set("X-Forwarded-Host", "evil.example")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || strings.Contains(string(body), "evil.example") || !strings.Contains(string(body), want+"/") {
			t.Errorf("%s: got %s, want links that begin with %s", port, body, want)
		}
	}
}

// getTLS asks a port over TLS, and tells the name in its certificate.
func (p *process) getTLS(ca *authority, port, path string) (name string, got answer) {
	p.t.Helper()
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(ca.pem())
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
	response, err := client.Get("https://" + p.address(port) + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	if response.ProtoMajor != 2 {
		p.t.Errorf("got %s, want HTTP/2", response.Proto)
	}
	return response.TLS.PeerCertificates[0].DNSNames[0], answer{response.StatusCode, string(body), response.Header}
}

func TestListenersForPeopleSpeakTLS(t *testing.T) {
	t.Parallel()
	ca, certs, keys := newAuthority(t), t.TempDir(), t.TempDir()
	put := func(name string) {
		cert, key := ca.issue(name, x509.ExtKeyUsageServerAuth)
		writeFile(t, keys, "tls.key", key)
		writeFile(t, certs, "tls.crt", cert)
	}
	put("one.test")
	settings := bothSettings(t.TempDir())
	settings.TLSCert, settings.TLSKey = filepath.Join(certs, "tls.crt"), filepath.Join(keys, "tls.key")
	p := startPolls(t, settings, nil)
	p.address(staging)
	for _, port := range []string{web, staging} {
		if name, got := p.getTLS(ca, port, "/healthz"); name != "one.test" || got.code != http.StatusOK {
			t.Errorf("%s: got %d from %s, want 200 from one.test", port, got.code, name)
		}
	}
	if !strings.Contains(p.log.String(), "https://"+p.address(web)+"/login") {
		t.Error("the public address is not https")
	}
	put("two.test")
	eventually(t, "the new pair is used", func() bool { name, _ := p.getTLS(ca, web, "/healthz"); return name == "two.test" })
}

func TestListenIsOneProcess(t *testing.T) {
	t.Parallel()
	first := startPolls(t, pollSettings(t.TempDir()), nil)
	settings := pollSettings(t.TempDir())
	settings.Listen = app.Address(first.address(web))
	second := newProcess(t)
	second.run(settings, nil, []string{"polls"})
	second.wait()
	if second.err == nil || !strings.Contains(second.err.Error(), "the port of web") {
		t.Errorf("got %v, want that the port is taken", second.err)
	}
}

func TestReadyAsksTheDatabase(t *testing.T) {
	t.Parallel()
	where := dbtest.Postgres(t)
	settings := pollSettings(t.TempDir())
	settings.DB = app.Database(where)
	p := startPolls(t, settings, nil)
	if got := p.get(web, "/readyz"); got.code != http.StatusOK {
		t.Fatalf("got %d, want 200", got.code)
	}
	lockOut(t, where)
	eventually(t, "not ready", func() bool { return p.get(web, "/readyz").code == http.StatusServiceUnavailable })
	if got := p.get(web, "/healthz"); got.code != http.StatusOK {
		t.Errorf("/healthz: got %d, want 200 while the process lives", got.code)
	}
	eventually(t, "unanswered questions are counted", func() bool {
		return !strings.Contains(p.get("debug", "/metrics").body, `stoa_database_errors{environment="production"} 0`)
	})
	debug, public := p.get("debug", "/readyz?verbose"), p.get(web, "/readyz?verbose")
	if want := `"state":"down","reason":"the database does not answer","detail":"`; debug.code != http.StatusInternalServerError || !strings.Contains(debug.body, want) {
		t.Errorf("/readyz of the debug port: got %d %s, want 500 and %s", debug.code, debug.body, want)
	}
	if want := `{"environment":"production","room":"polls","name":"database","state":"down","reason":"the database does not answer"}`; !strings.Contains(public.body, want) {
		t.Errorf("/readyz: got %s, want %s: what was found is for operators", public.body, want)
	}
}

func TestReadyNamesEveryRoomAndBackend(t *testing.T) {
	t.Parallel()
	p := startPolls(t, bothSettings(t.TempDir()), nil)
	p.address(staging)
	for _, want := range []string{
		`"environment":"production","room":"polls","name":"database","state":"ok"`,
		`"environment":"production","room":"polls","name":"files","state":"ok"`,
		`"environment":"staging","room":"polls","name":"database","state":"ok"`,
	} {
		if got := p.get("debug", "/readyz?verbose").body; !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := p.get(web, "/readyz?verbose").body; strings.Contains(got, "staging") {
		t.Errorf("got %s, want this room alone", got)
	}
}

// lockOut ends every connection to a database and lets no new one in.
func lockOut(t *testing.T, where string) {
	t.Helper()
	u, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"
	admin := dbtest.Open(t, u.String())
	allow := func(yes bool) {
		err := admin.InTx(context.Background(), func(tx *db.Tx) error {
			_, err := tx.Exec(context.Background(), fmt.Sprintf("ALTER DATABASE %s ALLOW_CONNECTIONS %v", name, yes))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	allow(false)
	t.Cleanup(func() { allow(true) })
	rows, err := admin.Query(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
	if err != nil {
		t.Fatal(err)
	}
	rows.Close()
}

func TestStopEndsStreams(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := newProcess(t)
	p.run(pollSettings(data), nil, []string{"polls"}, func(o *app.Options) { o.SetDrainLimit(time.Hour) }) // so that waiting for the stream shows
	p.address(web)
	addPoll(t, filepath.Join(data, "stoa.db"))
	response, err := http.Get("http://" + p.address(web) + "/api/v4/polls/1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	if line, err := lines.ReadString('\n'); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("got %d %q, %v, want a stream", response.StatusCode, line, err)
	}
	if err := p.stop(); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
	if _, err := io.ReadAll(lines); err != nil {
		t.Errorf("got %v, want that the stream ends in order", err)
	}
}

// addPoll puts a poll that can be voted on into a database.
func addPoll(t *testing.T, where string) {
	t.Helper()
	if _, err := os.Stat(where); err != nil {
		t.Fatal(err)
	}
	d := dbtest.Open(t, where)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO polls (id, version, state, creator_id, caption, choice1, choice2, private, first_votes,
			second_votes, peak_votes, favorite_count, comment_count, image_id, upload_key, upload_type, picture, picture_type, medium_width,
			medium_height, large_width, large_height, first_full_url, first_context_url, second_full_url, second_context_url, created_at,
			ready_at, deleted_at) SELECT 1, 1, 1, min(id), 'Tea or coffee?', 'Tea', 'Coffee', $1, 0, 0, 0, 0, 0, 1, '', 'image/jpeg', 'x', 'jpeg', 16, 16,
			16, 16, '', '', '', '', 1, 1, 0 FROM users`, false)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPicturesInABucket(t *testing.T) {
	t.Parallel()
	nobody, _ := freeAddress(t)
	keys := environ{"AWS_ACCESS_KEY_ID": "joe", "AWS_SECRET_ACCESS_KEY": "sesame-street"}
	settings := bothSettings(t.TempDir())
	settings.Blob = app.Files("s3://bucket?region=eu-1&endpoint=http://" + nobody)
	p := startPolls(t, settings, keys)
	p.log.has(t, "going on without the bucket")
	p.log.has(t, "there is no environment staging: blob is in S3 and second_blob names no place")

	without := newProcess(t)
	without.run(settings, nil, []string{"polls"})
	without.wait()
	if without.err == nil || !strings.Contains(without.err.Error(), "AWS_ACCESS_KEY_ID") {
		t.Errorf("without keys: got %v, want that it names AWS_ACCESS_KEY_ID", without.err)
	}
}
