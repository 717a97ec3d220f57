package services_test

import (
	"fmt"

	"asldb/engine/services"
)

func ExampleFind() {
	s, _ := services.Find("rds")
	o, _ := s.Operation("stopDBInstance")
	for _, m := range o.Input.Members {
		fmt.Println(m.Name, m.Shape.Kind, m.Required)
	}
	fmt.Println(s.Prefix + "." + o.Errors[0].Name)
	// Output:
	// DbInstanceIdentifier string true
	// DbSnapshotIdentifier string false
	// DetachFromDBCapacityReservation boolean false
	// Rds.DbInstanceNotFoundException
}

func ExampleNearest() {
	fmt.Println(services.Nearest("cognito-idp"))
	fmt.Println(services.Nearest("dynamdb"))
	// Output:
	// cognitoidentityprovider
	// dynamodb
}
