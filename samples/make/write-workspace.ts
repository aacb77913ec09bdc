import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { SAMPLE_COLLECTIONS } from './collections.ts'
import { type DocumentNode, documentFromMarkdown } from './document-from-markdown.ts'
import type { Picture } from './draw-pictures.ts'

/** Note in each language, and the record that it belongs to. */
type Note = {
  readonly collection: string
  readonly record: string
  readonly document: { readonly [language: string]: DocumentNode }
}

/** Folder of the notes in each language. */
const NOTES = { en: './', de: 'de/' } as const

const COLLECTION_BY_PREFIX: Readonly<Record<string, string>> = {
  state: 'states',
  airport: 'airports',
  species: 'species',
  strike: 'strikes',
}

/** Writes the workspace description that the sample loader reads. */
export function writeWorkspace(file: URL, notesFolder: URL, pictures: readonly Picture[]): void {
  const notes = readNotes(notesFolder)
  const collections = SAMPLE_COLLECTIONS.map((collection) => ({
    ...collection,
    attachments: pictures
      .filter((picture) => picture.collection === collection.name)
      .map(({ record, slug, name }) => ({
        record,
        field: 'pictures',
        file: `pictures/${slug}.webp`,
        name: `${name}.webp`,
      })),
    documents: notes
      .filter((note) => note.collection === collection.name)
      .map(({ record, document }) => ({ record, field: 'notes', document })),
  }))
  writeFileSync(file, `${JSON.stringify({ collections }, null, 1)}\n`)
}

/** A note's file name starts with its collection; its first line is the record title. */
function readNotes(folder: URL): Note[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => {
      const written = Object.entries(NOTES).map(([language, part]) => {
        const [first = '', ...rest] = readFileSync(new URL(`${part}${name}`, folder), 'utf8').split('\n')
        return { language, record: first.replace('Record: ', ''), document: documentFromMarkdown(rest.join('\n')) }
      })
      return {
        collection: COLLECTION_BY_PREFIX[name.split('-')[0] ?? ''] ?? '',
        record: written[0]?.record ?? '',
        document: Object.fromEntries(written.map(({ language, document }) => [language, document])),
      }
    })
}
