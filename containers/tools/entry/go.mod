module entry

go 1.24
