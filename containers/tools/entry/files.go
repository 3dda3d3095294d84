package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

var errTooLarge = errors.New("more than the order allows")

// budget is how many bytes may still be written.
type budget struct{ left int64 }

// write makes a file of what comes, within the budget.
func (b *budget) write(path string, from io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	written, err := io.Copy(file, io.LimitReader(from, b.left+1))
	b.left -= written
	if err == nil && b.left < 0 {
		err = errTooLarge
	}
	return errors.Join(err, file.Close())
}

// fetch brings a file to its place below the folder.
func fetch(folder string, file File, within *budget) error {
	path, err := below(folder, file.Path)
	if err != nil {
		return err
	}
	return retried("what the engine reads could not be fetched", func() error {
		started := within.left
		err := get(file.Link, func(body io.Reader) error {
			if file.IsArchive {
				return unpack(body, path, within)
			}
			return within.write(path, body)
		})
		if err != nil {
			within.left = started
		}
		return err
	})
}

// unpack makes the folders and files of an archive; it has nothing else.
func unpack(archive io.Reader, folder string, within *budget) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	reader := tar.NewReader(archive)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		path, err := below(folder, filepath.Join(folder, header.Name))
		if err != nil {
			return err
		}
		switch header.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(path, 0o755)
		case tar.TypeReg:
			err = within.write(path, reader)
		}
		if err != nil {
			return err
		}
	}
}

// below refuses a path that leads out of the folder.
func below(folder, path string) (string, error) {
	path = filepath.Clean(path)
	if path != filepath.Clean(folder) && !strings.HasPrefix(path, filepath.Clean(folder)+string(filepath.Separator)) {
		return "", fmt.Errorf("%s leads out of %s", path, folder)
	}
	return path, nil
}

// sizeOf adds up the files of a folder. What goes away meanwhile counts nothing.
func sizeOf(folder string) int64 {
	var sum int64
	_ = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}

// pack writes the regular files of a folder into a compressed archive: no links, no devices.
func pack(folder string, into io.Writer) error {
	zipped, err := gzip.NewWriterLevel(into, gzip.BestSpeed)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		return packFile(archive, path, name)
	})
	return errors.Join(err, archive.Close(), zipped.Close())
}

func packFile(archive *tar.Writer, path, name string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	header := &tar.Header{Typeflag: tar.TypeReg, Name: filepath.ToSlash(name), Size: info.Size(), Mode: 0o644}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	_, err = io.CopyN(archive, file, info.Size())
	return err
}
