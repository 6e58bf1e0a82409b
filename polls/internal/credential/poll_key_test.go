package credential_test

import "testing"

func TestPollKeyOpensItsPollOnly(t *testing.T) {
	t.Parallel()
	r := staging(t)
	const key = "2NIlt0jtSWG_XjWsIYgnjA" // base64url of 16 bytes of the mac
	if got := r.PollKey(815); got != key {
		t.Errorf("got %s, want %s", got, key)
	}
	if !r.OpensPoll(815, key) {
		t.Error("own key: got refused, want accepted")
	}
	if r.OpensPoll(816, key) || keyring(t, "production", knownKeys()).OpensPoll(815, key) {
		t.Error("another poll, another environment: got accepted, want refused")
	}
	for _, given := range []string{"", key[:21], key + "A"} {
		if r.OpensPoll(815, given) {
			t.Errorf("%q: got accepted, want refused", given)
		}
	}
}
