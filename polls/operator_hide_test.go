package polls_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"stoa/internal/db"
	"stoa/polls"
	"stoa/polls/internal/wire"
)

// A hidden poll is not there for others, in any process, at once; its creator can look
// at it and delete it.
func TestHiddenPollIsThereForItsCreatorAlone(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		other := newOther(t, d, s)
		ann, root := plantLogin(s, d, "ann"), plantLogin(s, d, "root", "operator")
		ann.call("POST", "/publishers", object{"name": "acme", "display_name": "Acme"}).object()
		poll := ann.ready(object{"tags": "food"})
		path := pollPath(poll)
		set := plantSet(s, ann.planted, "ours", pollID(poll))
		picture := s.call("GET", path, nil).object()["image"].(object)["url"]
		voter := s.voter()
		voter.cast(pollID(poll), 1).object() // the ballot box remembers the poll from now on
		watcher := other.watch(pollID(poll))
		watcher.until(1, 0)
		embedded := fmt.Sprintf("/api/v4/publishers/acme/embedded_polls/iframe?pollset_id=%d", set)

		for range 2 {
			if err := s.service.Hide(t.Context(), root.id, pollID(poll), true); err != nil {
				t.Fatal(err)
			}
		}
		if e := watcher.next(); e.name != "deleted" {
			t.Errorf("got %v want the stream to end", e)
		}
		for _, look := range []*site{s, other} {
			look.call("GET", path, nil).refused(404, "poll_not_found", "poll_id")
			for _, list := range []string{"/polls", "/polls?tag=food", "/users/ann/polls_created"} {
				if got := look.listed(list); len(got) != 0 {
					t.Errorf("got %v of %s want none", got, list)
				}
			}
			if got := look.send("GET", embedded, nil, nil); got.status != http.StatusNotFound {
				t.Errorf("got %d want no embed", got.status)
			}
		}
		if got := s.fetch(picture); got.status != http.StatusNotFound {
			t.Errorf("got %d want no picture", got.status)
		}
		voter.cast(pollID(poll), 2).refused(404, "poll_not_found", "poll_id")
		root.call("GET", path, nil).refused(404, "poll_not_found", "poll_id")

		if got := ann.call("GET", path, nil).object(); got["public"] != false || got["voteCount"] != 1.0 {
			t.Errorf("got %v want the creator to see it", got)
		}
		if got := ann.call("GET", "/users/ann", nil).object(); got["votesReceivedCount"] != 0.0 {
			t.Errorf("got %v want its votes not counted", got["votesReceivedCount"])
		}
		ann.call("POST", path+"/votes", object{"option": 1}).refused(409, "poll_not_ready", "")
		ann.call("GET", path+"/events", nil).refused(409, "poll_not_ready", "")
		ann.call("POST", path+"/comments", object{"body": "why?"}).refused(409, "poll_not_ready", "")
		ann.call("POST", "/publishers/acme/embeds", object{"poll_id": pollID(poll)}).refused(409, "poll_not_ready", "poll_id")
		ann.call("POST", path+"/upload_data", nil).refused(409, "already_ready", "")
		ann.announce(poll, nil).object() // as one that is ready: nothing happens

		if err := s.service.Hide(t.Context(), root.id, pollID(poll), false); err != nil {
			t.Fatal(err)
		}
		voter.cast(pollID(poll), 2).object()
		for _, look := range []*site{s, other} {
			if got := look.call("GET", path, nil).object(); got["secondChoiceVoteCount"] != 1.0 {
				t.Errorf("got %v want the vote", got)
			}
			if got := look.listed("/polls"); len(got) != 1 {
				t.Errorf("got %v want it in the list again", got)
			}
		}
	})
}

func TestHideRefusesWhatNobodySees(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		draft, gone := ann.draft(nil), plantPollOf(t, d, ann.id)
		ann.call("DELETE", fmt.Sprint("/polls/", gone), nil).object()
		for id, want := range map[int64]wire.Code{pollID(draft): wire.PollNotReady, gone: wire.PollNotFound, 999999: wire.PollNotFound} {
			err := s.service.Hide(t.Context(), 1, id, true)
			if got, ok := errors.AsType[*wire.Error](err); !ok || got.Code != want {
				t.Errorf("%d: got %v want %s", id, err, want)
			}
		}
		hidden := plantPollOf(t, d, ann.id)
		if err := s.service.Hide(t.Context(), ann.id, hidden, true); err != nil {
			t.Fatal(err)
		}
		ann.call("DELETE", fmt.Sprint("/polls/", hidden), nil).object()
		if r, err := s.service.Record(t.Context(), hidden); err != nil || r.State != polls.StateDeleted {
			t.Errorf("got %v, %v want it deleted", r, err)
		}
	})
}

func TestPageOfAHiddenPollSaysSo(t *testing.T) {
	t.Parallel()
	d := openSQLite(t)
	s := newSite(t, d)
	ann := plantLogin(s, d, "ann")
	poll := plantPollOf(t, d, ann.id)
	if err := s.service.Hide(t.Context(), ann.id, poll, true); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/%d-tabs-or-spaces", poll)
	newBrowserOf(ann).open(path).says(200, "hidden this poll", "Delete this poll").lacks(`class="vote"`)
	newBrowser(s).open(path).says(404, "Nothing here")
}
