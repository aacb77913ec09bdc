import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { lineOf, type SourceFile, sourceFiles } from './source-files.ts'

/** In files that match `files`, names must not contain `words`. */
type Vocabulary = { readonly name: string; readonly files: RegExp; readonly words: readonly string[] }

/**
 * Words to replace with a standard term, such as request, edit, decision, timeout, decoration, limiter or other
 * instance.
 */
const NONSTANDARD =
  'asked asker askers crowd crowds deed deeds dressed dressing heard judge judged keeper keepers neighbour neighbours patience told verdict verdicts whoever wish'.split(
    ' ',
  )

const VOCABULARIES: readonly Vocabulary[] = [
  {
    name: 'domain and api say collection, record and field, not table, row and column',
    // Excludes CSV files, which have rows and columns, documents, which have tables, and keyboards, which have rows.
    files: /^(?:domain|api)\/(?!.*(?:import|csv|password|rich-text))/,
    words: ['row', 'rows', 'column', 'columns', 'table', 'tables'],
  },
  {
    name: 'ui says row, column and cell, not record and collection',
    // Excludes mentions, which use the stored names.
    files: /^web\/ui\/(?!document\/(?:embed-context|embeds)|editor\/embeds\/embed-nodes)/,
    words: ['record', 'records', 'collection', 'collections'],
  },
  {
    name: 'no name contains tenant, entity or attachment',
    files: /./,
    words: ['tenant', 'tenants', 'entity', 'entities', 'attachment', 'attachments'],
  },
  {
    name: 'code outside tests uses the standard term where there is one',
    // Test data uses its own names.
    files: /^(?!tests\/)(?!.*\.(?:test|spec)\.)/,
    words: NONSTANDARD,
  },
]

/** Splits `openRowMenu` into open, row, menu. */
const wordsOf = (name: string) => name.split(/(?<=[a-z0-9])(?=[A-Z])|[_$\d-]+/).map((word) => word.toLowerCase())

/** TypeScript's `Record`, and a heading in the specification. */
const EXCEPTIONS = ['Record', 'TABLE']

function namesIn({ syntax }: SourceFile): { readonly name: string; readonly start: number }[] {
  const names: { readonly name: string; readonly start: number }[] = []
  new Visitor({
    Identifier: ({ name, start }) => void (EXCEPTIONS.includes(name) || names.push({ name, start })),
  }).visit(syntax.program)
  return names
}

test.each(VOCABULARIES)('$name', ({ files, words }) => {
  const checked = sourceFiles.filter(({ path }) => files.test(path))
  const found = checked.flatMap((file) =>
    namesIn(file)
      .filter(({ name }) => wordsOf(name).some((word) => words.includes(word)))
      .map(({ name, start }) => `${file.path}:${lineOf(file, start)} ${name}`),
  )
  expect([...new Set(found)]).toEqual([])
})
