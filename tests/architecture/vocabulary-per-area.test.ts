import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { lineOf, type SourceFile, sourceFiles } from './source-files.ts'

/** The nouns change at the wall: in `room` none of `words` may be part of a name. */
type Room = { readonly name: string; readonly room: RegExp; readonly words: readonly string[] }

const ROOMS: readonly Room[] = [
  {
    name: 'domain and api speak of collections, records and fields, never of tables, rows and columns',
    // A CSV file has rows and columns, a document has tables, and a keyboard has rows; those who read them may say so.
    room: /^(?:domain|api)\/(?!.*(?:import|csv|password|rich-text))/,
    words: ['row', 'rows', 'column', 'columns', 'table', 'tables'],
  },
  {
    name: 'kit speaks of rows, columns and cells, never of records and collections',
    // What a document mentions bears the names by which it is kept.
    room: /^web\/ui\/(?!document\/(?:embed-context|embeds)|editor\/embeds\/mention-node)/,
    words: ['record', 'records', 'collection', 'collections'],
  },
  {
    name: 'nobody speaks of tenants, entities and attachments',
    room: /./,
    words: ['tenant', 'tenants', 'entity', 'entities', 'attachment', 'attachments'],
  },
]

/** `openRowMenu` → open, row, menu. */
const wordsOf = (name: string) => name.split(/(?<=[a-z0-9])(?=[A-Z])|[_$\d-]+/).map((word) => word.toLowerCase())

/** Not our words: TypeScript's own type, and the specification's heading for what the grid must do. */
const NOT_OURS = ['Record', 'TABLE']

/** Every name written in a file, with its place. */
function namesIn({ syntax }: SourceFile): { readonly name: string; readonly start: number }[] {
  const names: { readonly name: string; readonly start: number }[] = []
  new Visitor({
    Identifier: ({ name, start }) => void (NOT_OURS.includes(name) || names.push({ name, start })),
  }).visit(syntax.program)
  return names
}

test.each(ROOMS)('$name', ({ room, words }) => {
  const inRoom = sourceFiles.filter(({ path }) => room.test(path))
  const leaked = inRoom.flatMap((file) =>
    namesIn(file)
      .filter(({ name }) => wordsOf(name).some((word) => words.includes(word)))
      .map(({ name, start }) => `${file.path}:${lineOf(file, start)} ${name}`),
  )
  expect([...new Set(leaked)]).toEqual([])
})
