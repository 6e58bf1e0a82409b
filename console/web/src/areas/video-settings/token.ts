// An upload token, as the video API has it. ttl is in seconds, 0 for ever.
export interface UploadToken {
  token: string;
  ttl: number;
  createdAt: string;
  expiresAt: string | null;
}

// uploadPage is a page that uploads with a token and nothing else.
export function uploadPage(videoUrl: string, token: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Send us your video</title>
<form id="upload">
  <label>Video <input type="file" name="file" accept="video/*" required></label>
  <button>Upload</button>
  <output></output>
</form>
<script>
  document.getElementById("upload").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const output = form.querySelector("output");
    output.textContent = "Uploading…";
    const response = await fetch("${videoUrl}/upload?token=${token}", { method: "POST", body: new FormData(form) });
    const answer = await response.json();
    output.textContent = response.ok ? "Thank you: " + answer.title : answer.title;
  });
<\/script>
`;
}

export function uploadCommand(videoUrl: string, token: string): string {
  return `curl -F file=@film.mp4 '${videoUrl}/upload?token=${token}'`;
}
