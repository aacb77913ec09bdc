import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { lineOf, type SourceFile, sourceFiles } from './source-files.ts'

/** In files that match `room`, names must not contain `words`. */
type Room = { readonly name: string; readonly room: RegExp; readonly words: readonly string[] }

const ROOMS: readonly Room[] = [
  {
    name: 'domain and api speak of collections, records and fields, never of tables, rows and columns',
    // CSV files have rows and columns, documents have tables, and keyboards have rows.
    room: /^(?:domain|api)\/(?!.*(?:import|csv|password|rich-text))/,
    words: ['row', 'rows', 'column', 'columns', 'table', 'tables'],
  },
  {
    name: 'kit speaks of rows, columns and cells, never of records and collections',
    // Mentions use the stored names.
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

/** TypeScript's `Record`, and a heading of the specification. */
const NOT_OURS = ['Record', 'TABLE']

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
