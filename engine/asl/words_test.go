package asl

import "testing"

// Every constant has its word, the last one the last of its table, and an absent field has none.
func TestWordsOfFields(t *testing.T) {
	for _, last := range []struct{ got, want string }{
		{JitterNone.String(), "NONE"}, {ModeDistributed.String(), "DISTRIBUTED"}, {TypeExpress.String(), "EXPRESS"},
		{InputManifest.String(), "MANIFEST"}, {HeaderGiven.String(), "GIVEN"}, {DelimiterTab.String(), "TAB"},
		{LoadFlatten.String(), "LOAD_AND_FLATTEN"}, {ManifestInventory.String(), "S3_INVENTORY"},
		{OutputJSONL.String(), "JSONL"},
		{TransformFlatten.String(), "FLATTEN"},
		{JitterStrategy(0).String(), ""}, {Delimiter(9).String(), ""},
	} {
		if last.got != last.want {
			t.Errorf("got %q, want %q", last.got, last.want)
		}
	}
	for delimiter, want := range map[Delimiter]byte{0: ',', DelimiterComma: ',', DelimiterPipe: '|',
		DelimiterSemicolon: ';', DelimiterSpace: ' ', DelimiterTab: '\t'} {
		if got := delimiter.Byte(); got != want {
			t.Errorf("%v is %q, want %q", delimiter, got, want)
		}
	}
}
