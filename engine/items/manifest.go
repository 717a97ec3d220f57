package items

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// contents reads the answer to ListObjectsV2: an array of descriptions of objects, or an object that has it.
func contents(r *Reading, from Object, body []byte) (*value.Array, error) {
	v, err := value.Parse(body, value.Limits{})
	if err != nil {
		return nil, r.fault(from, "The list of objects is not JSON: %v", err)
	}
	if answer, ok := v.(*value.Object); ok {
		if v = answer.Get("Contents"); v == nil {
			return value.ArrayOf(), nil // the service leaves it out where there is nothing
		}
	}
	list, ok := v.(*value.Array)
	if !ok {
		return nil, r.fault(from, "The list of objects is %s, not an array", value.KindOf(v))
	}
	return list, nil
}

// objectItems takes the descriptions of the objects as the items.
func objectItems(r *Reading, from Object, body []byte) error {
	list, err := contents(r, from, body)
	if err != nil {
		return err
	}
	for _, item := range list.All() {
		if !r.add(item) {
			break
		}
	}
	return nil
}

// listToLoad reads every object of a list.
func listToLoad(r *Reading, from Object, body []byte) error {
	list, err := contents(r, from, body)
	if err != nil {
		return err
	}
	for i, item := range list.All() {
		object, _ := item.(*value.Object)
		key, ok := textMember(object, "Key")
		if !ok {
			return r.fault(from, "Object %d of the list has no Key", i)
		}
		if strings.HasSuffix(key, "/") {
			continue // it is a folder and has no content
		}
		r.needs = append(r.needs, need{Object{GetObject, from.Bucket, key}, r.dataDecoder()})
	}
	return nil
}

func textMember(object *value.Object, key string) (string, bool) {
	if object == nil {
		return "", false
	}
	text, ok := object.Get(key).(value.String)
	return string(text), ok
}

// athenaManifest reads a manifest of Athena's UNLOAD: in each line the URI of an object with data.
func athenaManifest(r *Reading, from Object, body []byte) error {
	for line := range bytes.Lines(body) {
		text := strings.Trim(strings.TrimSpace(string(line)), `"`)
		if text == "" {
			continue
		}
		uri, ok := strings.CutPrefix(text, "s3://")
		bucket, key, hasKey := strings.Cut(uri, "/")
		if !ok || !hasKey || bucket == "" || key == "" {
			return r.fault(from, "The manifest has %q where a URI such as s3://bucket/key was expected", text)
		}
		r.needs = append(r.needs, need{Object{GetObject, bucket, key}, r.dataDecoder()})
	}
	return nil
}

// inventoryManifest reads the manifest.json of an S3 inventory, which lists the files of the inventory.
func inventoryManifest(r *Reading, from Object, body []byte) error {
	v, err := value.Parse(body, value.Limits{})
	if err != nil {
		return r.fault(from, "The manifest is not JSON: %v", err)
	}
	manifest, ok := v.(*value.Object)
	if !ok {
		return r.fault(from, "The manifest is %s, not an object", value.KindOf(v))
	}
	var file decoder
	switch format, _ := textMember(manifest, "fileFormat"); {
	case strings.EqualFold(format, asl.InputParquet.String()):
		file = parquetRows // its columns have their names
	case strings.EqualFold(format, asl.InputCSV.String()):
		schema, ok := textMember(manifest, "fileSchema")
		if !ok {
			return r.fault(from, "The manifest has no fileSchema")
		}
		var headers []string
		for header := range strings.SplitSeq(schema, ",") {
			headers = append(headers, strings.TrimSpace(header))
		}
		file = inventory(headers)
	default:
		return &UnsupportedError{Format: strings.ToUpper(format) + " (of an S3 inventory)"}
	}
	files, ok := manifest.Get("files").(*value.Array)
	if !ok {
		return r.fault(from, "The manifest has no array files")
	}
	bucket, ok := textMember(manifest, "destinationBucket")
	if bucket = strings.TrimPrefix(bucket, "arn:aws:s3:::"); !ok || bucket == "" {
		bucket = from.Bucket
	}
	for i, named := range files.All() {
		object, _ := named.(*value.Object)
		key, ok := textMember(object, "key")
		if !ok {
			return r.fault(from, "File %d of the manifest has no key", i)
		}
		r.needs = append(r.needs, need{Object{GetObject, bucket, key}, file})
	}
	return nil
}

// inventory reads one file of an S3 inventory: rows without a header, compressed as a rule.
func inventory(headers []string) decoder {
	return func(r *Reading, from Object, body []byte) error {
		text, err := decompressed(body)
		if err != nil {
			return r.fault(from, "The file %s of the inventory cannot be unpacked: %v", from.Key, err)
		}
		return r.rows(from, &rowReader{rest: text, delimiter: ','}, headers)
	}
}

// decompressed decompresses gzip. The size of the result is bounded as any document's.
func decompressed(body []byte) ([]byte, error) {
	if !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		return body, nil
	}
	unpacker, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(unpacker, value.DefaultBytes+1))
	if err == nil && len(text) > value.DefaultBytes {
		err = &value.LimitError{What: "bytes", Limit: value.DefaultBytes}
	}
	return text, err
}
