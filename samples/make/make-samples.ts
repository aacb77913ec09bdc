import { drawPictures } from './draw-pictures.ts'
import { loadSources } from './sources.ts'
import { writePictures } from './write-pictures.ts'
import { writePlaceFiles } from './write-place-files.ts'
import { writeStrikeFiles } from './write-strike-files.ts'
import { writeWorkspace } from './write-workspace.ts'

const samples = new URL('../', import.meta.url)
const sources = loadSources()
const pictures = drawPictures(sources)

writePlaceFiles(new URL('data/', samples), sources)
writeStrikeFiles(new URL('data/', samples), sources)
await writePictures(new URL('pictures/', samples), pictures)
writeWorkspace(new URL('workspace.json', samples), new URL('rich-text/', samples), pictures)
