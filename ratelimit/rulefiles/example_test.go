package rulefiles_test

import (
	"fmt"
	"os"
	"path/filepath"

	"stoa/ratelimit"
	"stoa/ratelimit/rulefiles"
)

// Everything that is wrong with a folder of rules, as a checker would tell it.
func ExampleRead() {
	dir, _ := os.MkdirTemp("", "rules")
	defer os.RemoveAll(dir)
	_ = os.WriteFile(filepath.Join(dir, "shop.yaml"), []byte("domain: shop\ndescriptors:\n- key: user\n  rate_limit: {unit: fortnight}\n"), 0o644)
	_ = os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644)

	specs, faults, skipped, err := rulefiles.Read(dir, false)
	if err != nil {
		fmt.Println(err)
	}
	if _, err := ratelimit.NewRules(specs, false); err != nil {
		fmt.Println(err)
	}
	fmt.Println(len(faults), "more faults, skipped", skipped)
	// Output:
	// shop.yaml:4:15: invalid rate limit unit 'fortnight', want one of second, minute, hour, day, week, month, year
	// 0 more faults, skipped [notes.txt]
}
