package stats_test

import (
	"regexp"
	"strings"
	"testing"

	"stoa/internal/stats"
)

func TestCleanKeepsDelimitersAndAddressesOutOfNames(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing to do", "shop.path_/api.user", "shop.path_/api.user"},
		{"empty", "", ""},
		{"colon", "domain.foo:bar", "domain.foo_bar"},
		{"pipe", "domain.foo|bar", "domain.foo_bar"},
		{"address", "shop.ip_10.0.0.1", "shop.ip_10_0_0_1"},
		{"address with a mask", "domain.masked_remote_address_0.0.0.0/0", "domain.masked_remote_address_0_0_0_0/0"},
		{"two addresses", "d.a_0.0.0.0/0_b_172.18.0.1", "d.a_0_0_0_0/0_b_172_18_0_1"},
		{"address and port", "d.10.0.0.1:80.total_hits", "d.10_0_0_1_80.total_hits"},
		{"three numbers are no address", "d.v_1.2.3.total_hits", "d.v_1.2.3.total_hits"},
		{"other characters stay", "d.k_ä ß#@,\\", "d.k_ä ß#@,\\"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := stats.Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q): got %q want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	f.Add("shop.ip_10.0.0.1:80|x")
	f.Add("1.2.3.4.5.6.7.8.9")
	f.Add("1.2.3.4.5.6.7")
	f.Add("1234.1234.1234.1234")
	f.Add("\xff..\n")
	address := regexp.MustCompile(`[0-9]\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]`)
	f.Fuzz(func(t *testing.T, name string) {
		got := stats.Clean(name)
		if strings.ContainsAny(got, ":|") || address.MatchString(got) {
			t.Errorf("Clean(%q) = %q is not clean", name, got)
		}
		if again := stats.Clean(got); again != got {
			t.Errorf("Clean(%q) = %q, cleaned again %q", name, got, again)
		}
		if len(got) != len(name) {
			t.Fatalf("Clean(%q) = %q has another length", name, got)
		}
		for i := range len(name) {
			if got[i] != name[i] && (got[i] != '_' || !strings.ContainsRune(":|.", rune(name[i]))) {
				t.Errorf("Clean(%q) = %q changed byte %d", name, got, i)
			}
		}
	})
}
