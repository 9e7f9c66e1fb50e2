package main

func revisionMutants() []mutant {
	return []mutant{
		{"      return x < y\n", "      return #a < #b\n", "takes the longer for the newer"},
		{"  for i = 1, math.min(#a, #b) do\n", "  for i = 1, 1 do\n", "compares the first byte alone"},
		{"  return #a < #b\n", "  return false\n", "takes the beginning of another for as new"},
		{"entry, 0, 160)", "entry, 0, 120)", "reads too little for a long revision"},
		{"#head > 32 and", "#head >= 0 and", "reads a revision where there is none"},
		{"'CA\\2\\1'", "'CA\\1\\1'", "reads another format"},
		{"string.sub(head, 34,", "string.sub(head, 33,", "reads the length along"},
		{"33 + string.byte(head, 33)", "32 + string.byte(head, 33)", "leaves a byte out"},
		{"remembered or ''", "''", "does not know what is remembered"},
		{"      greatest = own\n", "      greatest = ''\n", "forgets what is stored"},
	}
}
