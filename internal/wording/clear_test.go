package wording

import (
	"slices"
	"testing"
)

func TestClear(t *testing.T) {
	tests := []struct {
		word, meant string
		others      []string
		want        bool
	}{
		{"Nxet", "Next", []string{"End", "Type"}, true},
		{"next", "Next", nil, true},
		{"SendInvoic", "SendInvoice", []string{"SendMail"}, true},
		{"Step4", "Step3", []string{"Step1"}, false}, // another digit is another word
		{"step3", "Step3", nil, true},
		{"Ed", "End", nil, false},                                // short words have many neighbours
		{"ChargeC", "ChargeA", []string{"ChargeB"}, false},       // both are as near
		{"ChargeAgian", "ChargeAgain", []string{"Charge"}, true}, // swapped
		{"Tyyppe", "Type", nil, false},                           // half of it
		{"NEXT", "Next", []string{"next"}, false},                // two that differ in case only
		{"Next", "Next", nil, false},
		{"Next", "", nil, false},
	}
	for _, tt := range tests {
		candidates := append([]string{tt.meant}, tt.others...)
		if got := Clear(tt.word, tt.meant, slices.Values(candidates)); got != tt.want {
			t.Errorf("Clear(%q, %q, %q) = %v, want %v", tt.word, tt.meant, tt.others, got, tt.want)
		}
	}
}
