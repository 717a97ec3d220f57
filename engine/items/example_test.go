package items_test

import (
	"fmt"
	"log"

	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/value"
)

// A Reading asks for objects and gets them, until it has every item.
func ExampleReading() {
	bucket := map[string]string{"s3://orders/2026.csv": "id,total\n1,9.50\n2,12\n"}
	reading, err := items.Start(&asl.ReaderConfig{InputType: asl.InputCSV, CSVHeaderLocation: asl.HeaderFirstRow},
		items.Object{Action: items.GetObject, Bucket: "orders", Key: "2026.csv"}, 0)
	if err != nil {
		log.Fatal(err)
	}
	for {
		object, ok := reading.Next()
		if !ok {
			break
		}
		fmt.Println("needs", object.URI())
		if err := reading.Add([]byte(bucket[object.URI()])); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(value.Compact(reading.Items()))
	// Output:
	// needs s3://orders/2026.csv
	// [{"id":"1","total":"9.50"},{"id":"2","total":"12"}]
}
