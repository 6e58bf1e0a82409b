package console_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"stoa/console"
	"stoa/internal/db"
	"stoa/internal/exampletest"
	"stoa/internal/jobs"
)

// The examples of the page are run in the order of an operator who tries them all.
func TestExamplesOfTheDocsWereRun(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *db.DB) {
		rules, _ := limited(t, t.TempDir())
		k := newDesk(t, d, rules, func(o *console.Options) {
			jobs.Handle(o.Queue, func(context.Context, errand) error { return jobs.Abandon(errors.New("the bridge is closed")) })
		})
		k.work()
		story := exampletest.Read(t, k.send("GET", "/api/operator/docs", http.Header{}, "").body, t.TempDir())
		story.Set("TOKEN", k.token)
		tell := func(operations ...string) {
			for _, operation := range operations {
				story.Tell(operation)
			}
		}
		tell("getSession", "postVideoAccess", "getSystem", "getVersions", "getStorage", "getSettings",
			"listKeys", "postKey", "patchKey", "deleteKey", "postAccount", "listAccounts", "getAccount", "putPassword")
		tellPolls(k, story, tell)
		tellVideo(k, d, story, tell)
		tell("getClusterExamples", "checkCluster", "formatCluster", "graphCluster", "listClusterValues", "renderCluster", "diffClusters",
			"getLimits", "postLimitsExplain", "postLimitsCheck", "getRuleFile", "putRuleFile")
		tellJobs(k, story, tell)
		logins := story.Object("getAccount")["logins"].([]any)
		story.Swap("5f0c9a1b2d3e", logins[0].(object)["id"].(string))
		tell("deleteLogin", "deleteLogins", "patchAccount", "deleteAccount")
		story.End()
	})
}

// tellPolls is the part of Ann, whose poll is hidden, and of the publisher that she leads.
func tellPolls(k *desk, story *exampletest.Story, tell func(...string)) {
	ann := k.send("POST", "/api/v4/users/authenticate", http.Header{}, `{"email_or_username":"ann","password":"correct horse"}`)
	story.Swap("815", k.newPoll(ann.object()["authToken"].(string), "Tabs or spaces?"))
	k.logIn("bob", false)
	tell("listPolls", "getPoll", "getPollPicture", "getPollVotes", "listPollComments", "putPollHidden", "getPollStatistics",
		"postPublisher", "listPublishers", "getPublisher", "postMember", "deleteMember")
}

// tellVideo is the part of what the video API does not show.
func tellVideo(k *desk, d *db.DB, story *exampletest.Story, tell func(...string)) {
	hook := k.postVideo("/webhooks", "application/json", `{"url":"https://example.com/hook","events":["video.source.recorded"]}`, "webhookId")
	story.Swap("webhook_XXXXXXXXXXXXXXX", hook)
	story.Swap("/de1/", "/"+logDelivery(k.t, d, hook, 1, "the answer was 500")+"/")
	story.Swap("vi4blUQJFrYWbaG44NChkH27", k.postVideo("/videos", "application/json", `{"title":"My film"}`, "videoId"))
	story.Swap("watermark_1BWr2L5MTQwxGkuxKjzh6i", k.postWatermark())
	story.Swap("li400mYKSgQ6xs7taUeSaEKr", k.postVideo("/live-streams", "application/json", `{"name":"Evening show"}`, "liveStreamId"))
	tell("listDeliveries", "resendDelivery", "getWatermarkPicture", "getVideoStandings", "getDoors", "listRestreams")
}

// tellJobs is the part of a job that was given up.
func tellJobs(k *desk, story *exampletest.Story, tell func(...string)) {
	for _, part := range [][]string{{"listJobs", "getJob", "retryJob", "retryJobs"}, {"discardJob"}} {
		k.add(errand{})
		var listed []any
		until(k.t, "a job given up", func() bool {
			listed = k.ask("GET", "/system/jobs?state=given_up&kind=test.errand", "").object()["jobs"].([]any)
			return len(listed) > 0
		})
		story.Swap("jobs/42", fmt.Sprintf("jobs/%v", listed[0].(object)["id"]))
		tell(part...)
	}
}
