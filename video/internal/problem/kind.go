package problem

import "net/http"

// Who is asking.
var (
	MissingAuthorization = New(http.StatusUnauthorized, "authentication-missing-authorization-header",
		"The Authorization header is missing: send an API key by Basic, or an access token by Bearer.")
	InvalidAuthorization = New(http.StatusUnauthorized, "authentication-invalid-authorization-header-value",
		"The Authorization header cannot be read: send an API key by Basic, or an access token by Bearer.")
	InvalidAPIKey = New(http.StatusUnauthorized, "authentication-invalid-api-key",
		"The API key is not known in this environment.")
	InvalidAccessToken = New(http.StatusUnauthorized, "authentication-invalid-access-token",
		"The access token is unknown or has expired: get another from /auth/api-key.")
	InvalidCredentials = New(http.StatusBadRequest, "authentication-invalid-user-credentials",
		"The credentials are not valid in this environment.")
	MissingUploadToken = New(http.StatusUnauthorized, "authentication-missing-upload-token",
		"The upload token is missing: give it as the query parameter token.").WithName("token")
	InvalidUploadToken = New(http.StatusUnauthorized, "authentication-invalid-upload-token",
		"The upload token is unknown or has expired: ask for another.").WithName("token")
	Suspended = New(http.StatusForbidden, "authorization-suspended-account",
		"This account is suspended: ask the operator of the service.")
)

// What is wrong with a request as a whole.
var (
	InvalidPayload = New(http.StatusBadRequest, "invalid-payload",
		"The body of the request cannot be read as JSON.")
	MethodNotAllowed = New(http.StatusMethodNotAllowed, "method-not-allowed",
		"This path does not take this method.")
	TooManyRequests = New(http.StatusTooManyRequests, "too-many-requests", "Too many requests.")
)

// What is wrong with an uploaded file.
var (
	NoFile = New(http.StatusBadRequest, "uploaded-file-no-file",
		"There is no file in the request: send one as multipart/form-data.").WithName("file")
	MultipleFiles = New(http.StatusBadRequest, "uploaded-file-multiple-files",
		"There is more than one file in the request: send one.").WithName("file")
	FileEmpty = New(http.StatusBadRequest, "uploaded-file-empty",
		"The uploaded file is empty.").WithName("file")
	FileTooLarge = New(http.StatusBadRequest, "uploaded-file-too-large",
		"The uploaded file is too large.").WithName("file")
	FileInvalid = New(http.StatusBadRequest, "uploaded-file-invalid-file",
		"The uploaded file cannot be used.").WithName("file")
	FileExtension = New(http.StatusBadRequest, "uploaded-file-extension-invalid",
		"The uploaded file is not of a type that is taken here.").WithName("file")
)

// What is there already.
var (
	SourceUploaded = New(http.StatusBadRequest, "video-source-already-uploaded",
		"The source of this video has been uploaded already: create another video.").WithName("videoId")
	SourceDownloaded = New(http.StatusBadRequest, "video-source-already-downloaded",
		"The source of this video was given by address: create another video.").WithName("videoId")
	SourceCopied = New(http.StatusBadRequest, "video-source-already-copied",
		"The source of this video was copied from another: create another video.").WithName("videoId")
	SummaryExists = New(http.StatusConflict, "summary-already-exists",
		"This video has a summary already.").WithName("videoId").WithDetail("Write into that one, or delete it first.")
	WebhookLimit = New(http.StatusBadRequest, "webhook-limit-reached",
		"There are too many webhooks: delete one first.")
)
