import { loadSources } from './sources.ts'
import { writePlaceFiles } from './write-place-files.ts'
import { writeStrikeFiles } from './write-strike-files.ts'

const folder = new URL('../data/', import.meta.url)
const sources = loadSources()

writePlaceFiles(folder, sources)
writeStrikeFiles(folder, sources)
