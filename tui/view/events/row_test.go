package events

import "testing"

// The column of ids is as wide as the widest, without a look at all events: a long run's have none at the end.
func TestWidthOfIDs(t *testing.T) {
	const loop = `{"StartAt":"Add","States":{
		"Add":{"Type":"Pass","Parameters":{"i.$":"States.MathAdd($.i, 1)","n.$":"$.n"},"Next":"More"},
		"More":{"Type":"Choice","Choices":[{"Variable":"$.i","NumericLessThanPath":"$.n","Next":"Add"}],"Default":"Done"},
		"Done":{"Type":"Succeed"}}}`
	for input, want := range map[string]int{
		`{"i":0,"n":1}`:     len("#9"),
		`{"i":0,"n":50}`:    len("#203"),
		`{"i":0,"n":17000}`: len("#65535"),
	} {
		_, p := shown(t, loop, input, true)
		if p.list.idWidth() != 0 {
			t.Error("ids without a recording")
		}
		if p.compared.recorded = (&Recorded{}); p.list.idWidth() != want {
			t.Errorf("%s: the ids have a width of %d, want %d", input, p.list.idWidth(), want)
		}
	}
	if _, p := shown(t, loop, `{"i":0,"n":1}`, false); p.list.idWidth() != 0 {
		t.Errorf("without events the ids have a width of %d", p.list.idWidth())
	}
}
