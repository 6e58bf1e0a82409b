package polls_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestPublishersUseTheirArea(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		poll := ann.ready(object{"caption": "Tea or coffee?", "tags": "drink"})
		b, other := newBrowserOf(ann), newBrowserOf(bob)
		b.send("/publishers/new", "name", "Big News", "display_name", "News").says(422).has(`value="Big News"`, `id="name-error">The publisher name`)
		b.send("/publishers/new", "name", "news", "display_name", "The News").says(200, "The News", "ann owner").at("/publishers/news").has("publisher area")
		b.open("/publishers/new").says(200).at("/publishers/news")
		other.open("/publishers/news").says(403, "Only the team of news may do this")
		other.open("/publishers/news/statistics").says(403)
		other.send("/publishers/news", "action", "add_member", "username", "bob").says(403)

		b.send("/publishers/news", "action", "add_member", "username", "nobody").says(404, "There is no such user").has(`value="nobody"`)
		b.send("/publishers/news", "action", "add_member", "username", "BOB").says(200, "The team is changed.", "Remove bob")
		b.send("/publishers/news", "action", "add_member", "username", "bob").says(409, "in a team already")
		other.open("/publishers/news").says(200).lacks("Add somebody")
		b.send("/publishers/news", "action", "remove_member", "username", "bob").says(200).lacks("/users/bob")

		b.send("/publishers/news", "action", "create_embed", "embed_name", "front", "target", "poll", "poll", "no").says(400).has(`id="embed-poll-error">Give the number`, `value="front"`)
		b.send("/publishers/news", "action", "create_embed", "embed_name", "front", "target", "poll", "poll", "4711").says(404).has(`id="embed-poll-error">There is no`)
		address := fmt.Sprintf("https://polls.example/%d-tea-or-coffee?x=1", pollID(poll))
		page := b.send("/publishers/news", "action", "create_embed", "embed_name", "front", "target", "poll", "poll", address).says(200, "front", "Poll: Tea or coffee?")
		_, preview, _ := strings.Cut(string(page.body), `<a href="/publishers/news/embedded_polls`)
		preview, _, _ = strings.Cut(preview, `"`)
		if got := s.send("GET", "/publishers/news/embedded_polls"+strings.ReplaceAll(preview, "&amp;", "&"), nil, nil); got.status != 200 {
			t.Errorf("got %d for the preview %s want 200", got.status, preview)
		}
		b.send("/publishers/news", "action", "set_placement", "placement", "side", "target", "tag", "tag", "nothing").says(404, "No poll has this tag.")
		b.send("/publishers/news", "action", "set_placement", "placement", "side", "target", "tag", "tag", "#Drink").says(200, "side", "now Tag: drink")
		b.send("/publishers/news", "action", "set_placement", "placement", "side", "target", "moon").says(400, "Pick a poll")
		b.open("/publishers/news/statistics").says(200, "front Poll: Tea or coffee?", "0 views")
		b.open("/publishers/other").says(404)
	})
}

func TestPollSetWithoutScript(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		var ids []string
		for _, caption := range []string{"One?", "Two?", "Three?"} {
			ids = append(ids, fmt.Sprint(pollID(ann.ready(object{"caption": caption}))))
		}
		b := newBrowserOf(ann)
		b.send("/publishers/new", "name", "news", "display_name", "The News").says(200)
		const fresh = "/publishers/news/poll_sets/new"
		b.open(fresh).says(200, "Nothing in it yet.", "Add One?", "Add Three?")
		b.send(fresh, "add_polls", "1", "add", ids[0]+", http://x/"+ids[1]+"-two", "display_name", "Numbers").says(200).has(order(ids[0], ids[1])...).has(`value="Numbers"`)
		b.send(fresh, "add_polls", "1", "add", "what").says(400, "“what” is neither the number of a poll").has(`name="add" value="what"`)
		b.send(fresh, "add_polls", "1", "add", "4711").says(200, "There is no public poll 4711.")
		b.send(fresh, "add_own", ids[2], "poll_id", ids[0]).says(200).has(order(ids[0], ids[2])...).lacks("Add<span class=\"unseen\"> Three?")
		b.send(fresh, "move_up", ids[1], "poll_id", ids[0], "poll_id", ids[1]).says(200).has(order(ids[1], ids[0])...)
		b.send(fresh, "move_down", ids[0], "poll_id", ids[0], "poll_id", ids[1]).says(200).has(order(ids[1], ids[0])...)
		b.send(fresh, "remove", ids[0], "poll_id", ids[0], "poll_id", ids[1]).says(200).has(order(ids[1])...)
		b.send(fresh, "save", "1", "name", "numbers", "display_name", "Numbers").says(400, "A poll set has 1 to 100 polls.")
		b.send(fresh, "save", "1", "display_name", "Numbers", "poll_id", ids[0]).says(422).has(`id="name-error">Please fill this in.`)
		b.send(fresh, "save", "1", "name", "numbers", "display_name", "Numbers", "poll_id", ids[1], "poll_id", ids[0]).says(200, "The poll set is saved.", "Numbers 2 polls")

		sets := s.call("GET", "/publishers/news/poll_sets", nil)
		if !strings.Contains(string(sets.body), fmt.Sprintf(`"poll_ids":[%s,%s]`, ids[1], ids[0])) {
			t.Errorf("got %s want the polls in their order", sets.body)
		}
		set := "/publishers/news/poll_sets/1"
		b.open(set).says(200).has(order(ids[1], ids[0])...)
		b.send(set, "save", "1", "name", "numbers", "display_name", "More numbers", "poll_id", ids[2]).says(200, "More numbers 1 poll ")
		b.send(set, "save", "1", "name", "numbers", "display_name", "", "poll_id", ids[2]).says(422).has(`id="display_name-error">Please fill this in.`)
		b.send(set, "delete_set", "1").says(200, "The poll set is deleted.").lacks("More numbers")
		b.open(set).says(404)
		b.open("/publishers/news/poll_sets/x").says(404)
	})
}

// order is the hidden fields of a set with these polls.
func order(ids ...string) []string {
	var fields []string
	for _, id := range ids {
		fields = append(fields, fmt.Sprintf(`<input type="hidden" name="poll_id" value="%s">`, id))
	}
	return fields
}
