package testkit

// Hostile must leave the program in no other form than a visible one: sequences that a terminal acts on, characters that are not seen, lines that
// begin with FAKE and pretend to be asldb's own, and the Markdown and HTML of links, images and code.
var Hostile = []string{
	"\x1b]52;c;cHduZWQ=\x07", "\x1b[31;77;88m", "\u009b2J", "\u0085FAKE", "\u202egnp.exe", "\u2066x\u2069", "\u200b", "\u200d", "\ufe0f",
	"\ufeff", "\u2028FAKE", "\nFAKE", "\r\nFAKE", "\x7f", "\b\b", "\t", "\U000e0041", "\u061c", "\u00ad", "\ue000",
	"[now](https://evil.example)", "![x](https://evil.example/x.png)", "<img src=x>", "<a href=x>y</a>", "<https://evil.example>", "https://evil.example",
	"&lt;img src=x&gt;", "**b** ~~s~~ __u__", "`", "|", "\n```\n<script>", "\n# h", "\n- [ ] t",
}
